"""Word vectors: read from files, kept in a cache, fetched by name; numpy only, no torch."""

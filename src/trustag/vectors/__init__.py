"""Word vectors: read from files, downloaded by name, stored in a cache; uses numpy, not torch."""

"""Settings of a run: shipped recipes, a user's own TOML file, and single values set on the command line."""

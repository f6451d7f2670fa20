"""Fuzzing: any bytes give sentences or a one-line error, and what was read survives writing and reading."""

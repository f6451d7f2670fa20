"""A run is a folder: its file names, the records in its files, how they are written and read. Loads no torch."""

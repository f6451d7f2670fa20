"""One training loop for everything, and runs on disk that survive being killed anywhere."""

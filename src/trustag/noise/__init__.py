"""Label noise: add it to clean labels in a controlled way, measure it, and find patterns typical of it."""

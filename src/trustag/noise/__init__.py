"""Damage clean labels in a controlled way, and measure how noisy a labelling is."""

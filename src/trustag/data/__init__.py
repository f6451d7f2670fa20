"""Corpora ready for training: sentences with their labels as numbers."""

"""Corpora as users name them: find their splits, convert and examine them; and the built-in demo corpus."""

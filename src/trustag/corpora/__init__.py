"""Corpora as users name them: find their splits, convert, examine, and the built-in demo corpus."""

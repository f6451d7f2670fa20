"""Findings of runs as HTML pages: one self-contained file each, without scripts or network access."""

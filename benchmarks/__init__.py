"""Measurements and acceptance runs; each writes a result file that says where its figures come from."""

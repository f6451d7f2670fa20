"""Texts by the million: tagged in chunks by any engine, written in order, continued where they were interrupted."""

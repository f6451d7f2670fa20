"""Fixtures for the tests of vectors."""

from tests.vectors.made_up import cache, programs

__all__ = ["cache", "programs"]

"""Settings of the whole test suite."""

from hypothesis import settings

# A deadline would be a timing assertion: it fails on a busy machine and says nothing about the code.
settings.register_profile("trustag", deadline=None)
settings.load_profile("trustag")

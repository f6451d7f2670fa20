"""What a release brings along: pinned versions with checksums, and a list of what it is made of."""

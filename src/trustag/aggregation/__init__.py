"""Several labellings of one text, merged into one: by vote, or by a model of how each source errs."""

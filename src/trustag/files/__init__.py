"""File formats, one module each: streaming readers and writers that report everything they cannot keep."""

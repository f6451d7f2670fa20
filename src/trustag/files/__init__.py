"""One file format a module, streaming in and out; what cannot be carried over is noted, never lost silently."""

"""The figures of the paper from the files of runs: first the numbers, then drawings of them; no model is loaded."""

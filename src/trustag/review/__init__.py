"""The review page: people decide on label issues, every decision is logged, and a corrected corpus is written."""

"""Hostile tries at the command line and at the review page; ``python -m attack.run`` makes them all."""

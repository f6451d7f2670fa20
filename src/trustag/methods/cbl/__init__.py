"""Constrained binary learning (Mayhew et al. 2019): find missed entities first, then train without their ``O`` labels.

Every entity label is trusted; entities may be missing. In each round a new binary tagger separates entity tokens from
the others, and its most probable tokens are taken for entities, as many as a given share of the corpus. This share
grows from that of the labelled tokens to a little above the known ratio of entity tokens. The final tagger learns the
types; it learns nothing from the ``O`` tokens that were found.
"""

from trustag.methods.cbl.method import METHOD

__all__ = ["METHOD"]

"""Types of the tensors that the CRF takes and returns, with their shapes; the tests check them at every call."""

# ruff: noqa: F722

from typing import TypeAlias

from jaxtyping import Bool, Float, Int
from torch import Tensor

Emissions: TypeAlias = Float[Tensor, "sentences tokens labels"]
"""Emission scores (logits): one for every label at every token."""

Mask: TypeAlias = Bool[Tensor, "sentences tokens"]
"""True at tokens, false in the padding on the right."""

Allowed: TypeAlias = Bool[Tensor, "sentences tokens labels"] | Float[Tensor, "sentences tokens labels"]
"""The labels allowed at every token, or a non-negative weight for each; true is a weight of one, false of zero."""

Marginals: TypeAlias = Float[Tensor, "sentences tokens labels"]
"""Token marginals: the posterior probability of every label at every token."""

PairMarginals: TypeAlias = Float[Tensor, "sentences pairs labels labels"]
"""Pairwise marginals: the posterior probability of every two labels at every two adjacent tokens."""

Transitions: TypeAlias = Float[Tensor, "labels labels"]
"""Transition scores, from row to column; minus infinity forbids a transition."""

LabelScores: TypeAlias = Float[Tensor, " labels"]
"""One score for each label."""

SentenceValues: TypeAlias = Float[Tensor, " sentences"]
"""One value for each sentence."""

Paths: TypeAlias = Int[Tensor, "sentences tokens"]
"""A label path for each sentence: one label index per token, -1 in the padding."""

RankedPaths: TypeAlias = Int[Tensor, "sentences ranks tokens"]
"""Several label paths for each sentence, best first; -1 in the padding."""

RankedValues: TypeAlias = Float[Tensor, "sentences ranks"]
"""One value for each ranked path of each sentence."""

TransitionMask: TypeAlias = Bool[Tensor, "labels labels"]
"""A set of transitions, from row to column."""

LabelMask: TypeAlias = Bool[Tensor, " labels"]
"""A set of labels."""

TransitionCounts: TypeAlias = Float[Tensor, "columns labels labels"]
"""How often each transition is expected in each column."""

Columns: TypeAlias = Float[Tensor, "states tokens columns"]
"""Values in the layout of the scaled forward-backward algorithm.

States are the labels and the boundary state; there is one column for each sentence and set of allowed labels.
"""

DirectedColumns: TypeAlias = Float[Tensor, "2 states steps columns"]
"""Such values for both directions: boundary, then tokens from first to last; boundary, then from last to first."""

SpanIndices: TypeAlias = Int[Tensor, " spans"]
"""One index for each span."""

SpanLabelMask: TypeAlias = Bool[Tensor, "spans labels"]
"""A set of labels for each span."""

SpanPaths: TypeAlias = Int[Tensor, "spans width"]
"""The labels of each span, padded with -1 on the right."""

TypeLabels: TypeAlias = Int[Tensor, "types width"]
"""The labels of each entity type, padded with -1 on the right."""

SpanValues: TypeAlias = Float[Tensor, " spans"]
"""One value for each span."""

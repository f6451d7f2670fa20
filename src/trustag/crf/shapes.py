"""Names for the tensor shapes the chain works on; the tests check them at every call."""

# ruff: noqa: F722

from typing import TypeAlias

from jaxtyping import Bool, Float, Int
from torch import Tensor

Emissions: TypeAlias = Float[Tensor, "batch tokens labels"]
"""The score of every label at every token."""

Mask: TypeAlias = Bool[Tensor, "batch tokens"]
"""True at tokens, false at the padding that fills each row to the right."""

Allowed: TypeAlias = Bool[Tensor, "batch tokens labels"] | Float[Tensor, "batch tokens labels"]
"""The labels still allowed at every token, or a weight of at least zero for each; true and false mean one and zero."""

Marginals: TypeAlias = Float[Tensor, "batch tokens labels"]
"""The probability of every label at every token."""

PairMarginals: TypeAlias = Float[Tensor, "batch pairs labels labels"]
"""The probability of every two labels at every two neighbouring tokens."""

Transitions: TypeAlias = Float[Tensor, "labels labels"]
"""The score of every move: row before, column after; minus infinity forbids one."""

LabelScores: TypeAlias = Float[Tensor, " labels"]
"""One score for each label."""

SentenceValues: TypeAlias = Float[Tensor, " batch"]
"""One value for each sentence."""

Lengths: TypeAlias = Int[Tensor, " batch"]
"""The number of tokens of each sentence."""

Paths: TypeAlias = Int[Tensor, "batch tokens"]
"""One label for each token; the padding holds -1."""

RankedPaths: TypeAlias = Int[Tensor, "batch ranks tokens"]
"""Several paths for each sentence, the best first; the padding holds -1."""

RankedValues: TypeAlias = Float[Tensor, "batch ranks"]
"""One value for each of several paths of each sentence."""

Moves: TypeAlias = Bool[Tensor, "labels labels"]
"""A yes or no for every move from one label to the next."""

Labels: TypeAlias = Bool[Tensor, " labels"]
"""A set of labels."""

Columns: TypeAlias = Float[Tensor, "states tokens columns"]
"""Values by state (labels, then rest), token and column (one a sentence and restriction): the layout of the sweep."""

DirectedColumns: TypeAlias = Float[Tensor, "2 states steps columns"]
"""The same for both directions: rest, then the tokens from first to last; rest, then the tokens from last to first."""

SpanIndices: TypeAlias = Int[Tensor, " spans"]
"""One index for each span."""

SpanLabelSets: TypeAlias = Bool[Tensor, "spans labels"]
"""A set of labels for each span."""

SpanPaths: TypeAlias = Int[Tensor, "spans width"]
"""The labels of each span, filled to the right with -1."""

SpanValues: TypeAlias = Float[Tensor, " spans"]
"""One value for each span."""

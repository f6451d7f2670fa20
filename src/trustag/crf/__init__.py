"""Linear-chain conditional random fields on tensors: sums over label paths, marginals, best paths, span posteriors."""

from trustag.crf.chain import Chain, mean_chain
from trustag.crf.constraints import LegalMoves, keep_legal, legal_moves
from trustag.crf.decoding import BestPaths, best_paths
from trustag.crf.errors import NonFiniteScoreError, NoPathError
from trustag.crf.loss import PartialLoss, exactly, log_partition, partial_loss, token_marginals
from trustag.crf.messages import Messages, chain_messages
from trustag.crf.n_best import RankedBestPaths, n_best_paths
from trustag.crf.span_posteriors import (
    EntityReading,
    EntitySpans,
    LabelledSpans,
    entity_posteriors,
    entity_reading,
    entity_spans,
    sequence_posteriors,
)

__all__ = [
    "BestPaths",
    "Chain",
    "EntityReading",
    "EntitySpans",
    "LabelledSpans",
    "LegalMoves",
    "Messages",
    "NoPathError",
    "NonFiniteScoreError",
    "PartialLoss",
    "RankedBestPaths",
    "best_paths",
    "chain_messages",
    "entity_posteriors",
    "entity_reading",
    "entity_spans",
    "exactly",
    "keep_legal",
    "legal_moves",
    "log_partition",
    "mean_chain",
    "n_best_paths",
    "partial_loss",
    "sequence_posteriors",
    "token_marginals",
]

"""Linear-chain conditional random fields: log-partition, marginals, Viterbi decoding, span posteriors."""

from trustag.crf.chain import Chain, mean_chain
from trustag.crf.constraints import LegalTransitions, constrain, legal_transitions
from trustag.crf.errors import NonFiniteScoreError, NoPathError
from trustag.crf.loss import PartialLoss, log_partition, one_hot_mask, partial_loss, token_marginals
from trustag.crf.messages import Messages, forward_backward_messages
from trustag.crf.n_best import NBestPaths, n_best_viterbi
from trustag.crf.span_posteriors import (
    EntityGrammar,
    EntitySpans,
    LabelledSpans,
    entity_grammar,
    entity_posteriors,
    entity_spans,
    sequence_posteriors,
)
from trustag.crf.viterbi import ViterbiPaths, viterbi_decode

__all__ = [
    "Chain",
    "EntityGrammar",
    "EntitySpans",
    "LabelledSpans",
    "LegalTransitions",
    "Messages",
    "NBestPaths",
    "NoPathError",
    "NonFiniteScoreError",
    "PartialLoss",
    "ViterbiPaths",
    "constrain",
    "entity_grammar",
    "entity_posteriors",
    "entity_spans",
    "forward_backward_messages",
    "legal_transitions",
    "log_partition",
    "mean_chain",
    "n_best_viterbi",
    "one_hot_mask",
    "partial_loss",
    "sequence_posteriors",
    "token_marginals",
    "viterbi_decode",
]

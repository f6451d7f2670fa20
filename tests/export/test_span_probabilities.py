"""Probabilities of entities with numpy are those of ``trustag.crf``, in every scheme."""

import numpy as np
import numpy.typing as npt
import pytest
import torch

from trustag.crf import Chain, constrain, entity_grammar, entity_posteriors, entity_spans, forward_backward_messages
from trustag.crf import legal_transitions as legal
from trustag.export.span_probabilities import CRFMessages, SpanGrammar
from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme
from trustag.text.spans import Span

LENGTHS = [1, 5, 3]
SPANS = [
    [Span(start, end, kind) for start in range(n) for end in range(start + 1, n + 1) for kind in ("LOC", "PER")]
    for n in LENGTHS
]


def by_token(values: torch.Tensor) -> npt.NDArray[np.float64]:
    array: npt.NDArray[np.float64] = values.double().numpy().transpose(1, 0, 2)
    return array


@pytest.mark.parametrize("scheme", [Scheme.IOBES, Scheme.IOB2, Scheme.IO])
@pytest.mark.parametrize("legal_only", [True, False])
def test_every_span_has_the_probability_that_the_crf_gives_it(scheme: Scheme, legal_only: bool) -> None:
    torch.manual_seed(4)
    labels = LabelSet.of(["LOC", "PER"], scheme)
    size = len(labels)
    chain = Chain(torch.randn(size, size).double(), torch.randn(size).double(), torch.randn(size).double())
    if legal_only:
        chain = constrain(chain, legal(labels.labels, labels.scheme))
    scores = torch.randn(len(LENGTHS), max(LENGTHS), size).double()
    mask = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS)[:, None]
    messages = forward_backward_messages(scores, chain, mask)
    grammar = entity_grammar(labels.labels)
    expected = entity_posteriors(messages, entity_spans(SPANS, grammar), grammar).clamp(0, 1)
    found = CRFMessages(
        by_token(scores),
        by_token(messages.log.forward),
        by_token(messages.log.backward),
        messages.log.log_partition.double().numpy(),
        np.array(LENGTHS),
    )
    own = SpanGrammar.of(labels.labels, *(part.numpy() for part in (chain.transitions, chain.start, chain.end)))
    assert own.probabilities(found, SPANS) == pytest.approx(expected.tolist(), abs=1e-6)
    assert own.probabilities(found, [[], [], []]) == []

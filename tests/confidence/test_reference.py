"""Agreement with recorded decisions of the paper's published code, where the recording is at hand."""

from typing import Any

import pytest
import torch
from torch.testing import assert_close

from tests.crf.test_reference import RECORDING, cases
from trustag.confidence.selection import NoiseRates
from trustag.crf import Chain
from trustag.models.numbered import Numbered
from trustag.recipes.loading import load_recipe
from trustag.text.labels import LabelSet, entity_types
from trustag.training.confident import ConfidentLabels
from trustag.training.objectives import Scored


@pytest.mark.skipif(not RECORDING.exists(), reason="no recorded cases; TRUSTAG_REFERENCE may name their folder")
@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case['strategy']}-{case['seed']}")
def test_recorded_decisions_and_losses_are_reproduced(case: Any) -> None:
    labels = LabelSet(tuple(entity_types(case["labels"])), "BIES")
    order = [case["labels"].index(label) for label in labels]
    lengths = [len(sentence) for sentence in case["emissions"]]
    rows = [torch.tensor(sentence)[:, order] for sentence in case["emissions"]]
    emissions = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True).requires_grad_()
    mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    start, end = (torch.tensor(case[name])[order] for name in ("start", "end"))
    chain = Chain(torch.tensor(case["transitions"])[order][:, order], start, end)
    given = [torch.tensor([labels.index[label] for label in sentence]) for sentence in case["tags"]]
    settings = load_recipe("paper").confidence.model_copy(
        update={"scoring": case["strategy"], "calibration": case["calibrate"], "ramp": 1}
    )
    rates = NoiseRates(case["drop_negative"], case["drop_positive"])
    tokens = tuple(("word",) * length for length in lengths)
    objective = ConfidentLabels(Numbered(tokens, tuple(given)), labels, rates, settings, epochs=1, seed=1)
    objective.begin_epoch(0)
    padded = torch.nn.utils.rnn.pad_sequence(given, batch_first=True, padding_value=-1)
    loss = objective(Scored(list(range(len(rows))), padded, mask, emissions, chain, emissions.detach))
    (gradient,) = torch.autograd.grad(loss.sum(), emissions)
    assert_close(loss.sum().item(), case["expected"]["loss"], atol=1e-3, rtol=0.0)
    for sentence, length in enumerate(lengths):
        expected = torch.tensor(case["expected"]["emission_gradient"][sentence])[:, order]
        assert_close(gradient[sentence, :length], expected, atol=1e-4, rtol=0.0)
    is_single = [len(allowed) == 1 for sentence in case["expected"]["allowed"] for allowed in sentence]
    assert objective.trusted.tolist() == is_single

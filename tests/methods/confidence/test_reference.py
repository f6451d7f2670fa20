"""Agreement with recorded decisions of the paper's published code."""

from dataclasses import dataclass
from typing import Any

import torch
from torch.testing import assert_close

from tests.methods.confidence.made_up_batches import batch_with, corpus_of, objective_on, settings_with
from tests.reference.cases import committed_cases, every_case, full_cases
from trustag.confidence.probabilities import token_probabilities
from trustag.crf import Chain, viterbi_decode
from trustag.data.encoded_corpus import pad_labels
from trustag.methods.confidence.objective import ConfidenceObjective
from trustag.models.crf_head import CRFHeadOutputs
from trustag.noise_rates.rates import NoiseRates
from trustag.text.label_sets import LabelSet
from trustag.text.labels import entity_types
from trustag.training.objectives import Batch


@dataclass(frozen=True)
class Recorded:
    """A recorded batch in the label order of the package, and what the paper's objective makes of it."""

    labels: LabelSet
    order: list[int]
    lengths: list[int]
    outputs: CRFHeadOutputs
    batch: Batch
    objective: ConfidenceObjective


def replayed(case: Any) -> Recorded:
    labels = LabelSet(tuple(entity_types(case["labels"])), "BIES")
    order = [case["labels"].index(label) for label in labels]
    lengths = [len(sentence) for sentence in case["emissions"]]
    rows = [torch.tensor(sentence)[:, order] for sentence in case["emissions"]]
    logits = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True).requires_grad_()
    start, end = (torch.tensor(case[name])[order] for name in ("start", "end"))
    chain = Chain(torch.tensor(case["transitions"])[order][:, order], start, end)
    given = [[labels.index[label] for label in sentence] for sentence in case["tags"]]
    # One epoch is all there is, so the ramp must be over with it.
    settings = settings_with(scoring=case["strategy"], calibration=case["calibrate"])
    rates = NoiseRates(case["drop_negative"], case["drop_positive"])
    objective = objective_on(corpus_of(given, labels=labels), rates, settings)
    objective.begin_epoch(0)
    padded, mask = pad_labels([torch.tensor(row) for row in given])
    outputs = CRFHeadOutputs(logits, logits, chain, mask)
    batch = batch_with(range(len(rows)), padded, outputs, outputs)
    return Recorded(labels, order, lengths, outputs, batch, objective)


@every_case
def test_recorded_losses_and_gradients_are_reproduced(case: Any) -> None:
    recorded = replayed(case)
    loss = recorded.objective(recorded.batch).sum()
    (gradient,) = torch.autograd.grad(loss, recorded.outputs.logits)
    assert_close(loss.item(), case["expected"]["loss"], atol=1e-3, rtol=0.0)
    for sentence, length in enumerate(recorded.lengths):
        expected = torch.tensor(case["expected"]["emission_gradient"][sentence])[:, recorded.order]
        assert_close(gradient[sentence, :length], expected, atol=1e-4, rtol=0.0)


@every_case
def test_recorded_allowed_labels_are_reproduced_label_by_label(case: Any) -> None:
    recorded = replayed(case)
    allowed = recorded.objective.decide(recorded.batch).allowed
    for sentence, length in enumerate(recorded.lengths):
        found = [
            {label for label, is_allowed in zip(recorded.labels, row, strict=True) if is_allowed}
            for row in allowed[sentence, :length].tolist()
        ]
        assert found == [set(names) for names in case["expected"]["allowed"][sentence]]


@every_case
def test_recorded_marginals_and_best_paths_are_reproduced(case: Any) -> None:
    recorded = replayed(case)
    outputs = recorded.outputs
    marginals = token_probabilities("global", outputs)
    if case["strategy"] == "global":
        assert torch.equal(recorded.objective.decide(recorded.batch).probabilities, marginals)
    paths = viterbi_decode(outputs.logits, outputs.chain, outputs.mask).labels.tolist()
    for sentence, length in enumerate(recorded.lengths):
        expected = torch.tensor(case["expected"]["marginals"][sentence])[:, recorded.order]
        assert_close(marginals[sentence, :length], expected, atol=1e-4, rtol=0.0)
        names = [recorded.labels.labels[label] for label in paths[sentence][:length]]
        assert names == case["expected"]["best_path"][sentence]


def test_the_recordings_hold_nothing_that_is_not_compared() -> None:
    compared = {"loss", "allowed", "emission_gradient", "marginals", "best_path"}
    assert {key for case in (*committed_cases(), *full_cases()) for key in case["expected"]} == compared


def test_the_committed_batches_cover_every_strategy_and_size() -> None:
    cases = committed_cases()
    assert {(case["strategy"], case["calibrate"]) for case in cases} == {
        ("local", True),
        ("global", True),
        ("local", False),
        ("global", False),
    }
    assert {len(entity_types(case["labels"])) for case in cases} == {2, 4, 10}
    assert {len(case["tags"]) for case in cases} == {1, 3, 5}

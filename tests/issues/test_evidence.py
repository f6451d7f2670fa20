"""Evidence about labels: of a CRF's outputs, and of probabilities that some other library made."""

from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.methods.confidence.made_up_batches import corpus_of
from tests.oracles import is_legal
from tests.training.made_up_results import flat_chain, random_outputs
from trustag.crf.crf_outputs import CRFOutputs, LabelSequence
from trustag.issues.evidence import evidence_from_outputs, evidence_from_probabilities
from trustag.text.label_sets import LabelSet

LABELS = LabelSet(("PER",), "BIES")
COUNT, SINGLE = len(LABELS), LABELS.index["S-PER"]
CORPUS = corpus_of([[SINGLE, 0, 0], [0, SINGLE]], labels=LABELS)


def test_the_evidence_of_a_model_is_what_its_outputs_say() -> None:
    outputs = random_outputs(1, CORPUS.lengths, COUNT)
    evidence = evidence_from_outputs(CORPUS, outputs)
    assert torch.equal(evidence.given, CORPUS.label_ids)
    assert torch.equal(evidence.probabilities, outputs.marginals())
    assert torch.equal(evidence.best_labels(None), outputs.best_labels())
    allowed = torch.ones(5, COUNT, dtype=torch.bool)
    allowed[:, 0] = False
    assert torch.equal(evidence.best_labels(allowed), outputs.best_labels(allowed))
    assert not (evidence.best_labels(allowed) == 0).any()
    asked = [LabelSequence(1, 0, (0, SINGLE))]
    assert evidence.probabilities_of(asked) == outputs.probabilities_of(asked)
    expected = [float(outputs.marginals()[token, label]) for token, label in enumerate(CORPUS.label_ids.tolist())]
    assert evidence.confidence.tolist() == pytest.approx(expected)


def test_labels_that_are_known_stay_whatever_else_is_ruled_out() -> None:
    outputs = CRFOutputs(CORPUS.lengths, torch.tensor([[9.0, 0, 0, 0, 0]] * 5), flat_chain(COUNT))
    known = torch.ones(5, COUNT, dtype=torch.bool)
    known[1] = torch.arange(COUNT) == 0
    known[4] = torch.arange(COUNT) == SINGLE
    evidence = evidence_from_outputs(CORPUS, outputs, known)
    assert evidence.best_labels(None).tolist() == [0, 0, 0, 0, SINGLE]
    allowed = torch.ones(5, COUNT, dtype=torch.bool)
    allowed[:, 0] = False
    found = evidence.best_labels(allowed)
    assert found[[1, 4]].tolist() == [0, SINGLE]
    assert (found[[0, 2, 3]] > 0).all()
    assert evidence.probabilities[4].tolist() == pytest.approx([0, 0, 0, 0, 1])
    assert evidence.probabilities_of([LabelSequence(1, 1, (0,)), LabelSequence(0, 1, (0,))]) == pytest.approx([0, 1])


@given(seed=st.integers(0, 1000))
def test_probabilities_of_tokens_count_for_legal_label_sequences_alone(seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    table = torch.rand(5, COUNT, generator=generator).softmax(-1)
    evidence = evidence_from_probabilities(CORPUS, table)
    best = torch.split(evidence.best_labels(None), CORPUS.lengths)
    marginals = torch.split(evidence.probabilities, CORPUS.lengths)
    for rows, labels, found in zip(torch.split(table, CORPUS.lengths), best, marginals, strict=True):
        paths = [
            path
            for path in product(range(COUNT), repeat=len(rows))
            if is_legal([LABELS.labels[label] for label in path], "IOBES")
        ]
        weights = torch.stack([rows[range(len(rows)), list(path)].double().prod() for path in paths])
        assert tuple(labels.tolist()) == paths[int(weights.argmax())]
        for token, label in product(range(len(rows)), range(COUNT)):
            through = torch.tensor([path[token] == label for path in paths])
            expected = float(weights[through].sum() / weights.sum())
            assert found[token, label].item() == pytest.approx(expected, abs=1e-5)


def test_a_probability_of_zero_is_no_trap() -> None:
    table = torch.zeros(5, COUNT)
    table[:, 0] = 1.0
    evidence = evidence_from_probabilities(CORPUS, table)
    assert evidence.best_labels(None).tolist() == [0] * 5
    assert evidence.probabilities.isfinite().all()

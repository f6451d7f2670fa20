"""Targets of gaps and stretches by hand, both losses against enumeration, and where the fuzzy CRF is the plain one."""

import math

import pytest
import torch

from tests.methods.autoner.enumeration import LABELS
from tests.methods.autoner.test_matching import CORPUS
from tests.methods.test_laws import corpus
from tests.training.small import small_network, small_recipe, small_task
from trustag.data.encoded_corpus import pad_labels
from trustag.errors import InputError
from trustag.methods.autoner.head import PLACE, TieOrBreakOutputs
from trustag.methods.autoner.matching import StretchMatch, matches_of
from trustag.methods.autoner.settings import AutoNERSettings
from trustag.methods.autoner.targets import (
    BREAK,
    TIE,
    UNKNOWN,
    FuzzyLabels,
    TiesAndTypes,
    allowed_by_matches,
    targets_of,
    type_losses,
)
from trustag.training.objectives import Batch, GivenLabels
from trustag.training.schedule import FitSchedule

SCHEDULE = FitSchedule(seed=3, epochs=6, patience=4, batch_size=4, nominal_epochs=8)


def test_gaps_are_tied_inside_matches_unknown_at_phrases_and_broken_elsewhere() -> None:
    matches = [StretchMatch(1, 4, ("PER",)), StretchMatch(5, 7, ()), StretchMatch(7, 8, ("LOC", "PER"))]
    found = targets_of(10, matches, [False] * 10, LABELS)
    expected = [UNKNOWN, BREAK, TIE, TIE, BREAK, UNKNOWN, UNKNOWN, BREAK, BREAK, BREAK]
    assert found.gaps.tolist() == expected
    spans = list(zip(found.first.tolist(), found.last.tolist(), found.types.tolist(), strict=True))
    assert spans == [
        (1, 3, [False, False, True]),
        (7, 7, [False, True, True]),
        (0, 0, [True, False, False]),
        (8, 8, [True, False, False]),
        (9, 9, [True, False, False]),
    ], "the token beside a phrase is not known to be a stretch"


def test_labels_of_a_person_are_certain_beside_a_phrase() -> None:
    found = targets_of(4, [StretchMatch(1, 3, ())], [False, False, False, True], LABELS)
    assert found.gaps.tolist() == [UNKNOWN, UNKNOWN, UNKNOWN, BREAK]
    assert (3, 3) in set(zip(found.first.tolist(), found.last.tolist(), strict=True))
    found = targets_of(4, [StretchMatch(0, 2, ("PER",)), StretchMatch(2, 4, ())], [True, True, False, False], LABELS)
    assert found.gaps.tolist() == [UNKNOWN, TIE, BREAK, UNKNOWN]


@pytest.mark.parametrize("is_soft", [False, True])
def test_the_loss_of_types_is_that_of_any_or_of_their_own_shares(is_soft: bool) -> None:
    logits = torch.randn(4, 3, dtype=torch.double)
    types = torch.tensor([[True, False, False], [False, True, True], [False, False, True], [True, True, True]])
    found = type_losses(logits, types, is_soft=is_soft)
    for row, own, value in zip(logits.softmax(-1).tolist(), types.tolist(), found.tolist(), strict=True):
        inside = [p for p, is_in in zip(row, own, strict=True) if is_in]
        soft = -sum(p / sum(inside) * math.log(p) for p in inside)
        assert value == pytest.approx(soft if is_soft else -math.log(sum(inside)))


def test_the_loss_of_a_sentence_is_the_sum_over_its_gaps_and_stretches() -> None:
    recipe = small_recipe(f"model.head={PLACE}", method="autoner")
    network = small_network(LABELS, CORPUS.tokens, recipe).eval()
    settings = AutoNERSettings(source="dictionary")
    objective = TiesAndTypes(settings).build(CORPUS, network, SCHEDULE)
    sentences = [2, 0, 3]
    labels, mask = pad_labels([CORPUS.rows[number] for number in sentences])
    inputs = network.collate([CORPUS.tokens[number] for number in sentences])
    outputs = network.outputs(inputs, mask)
    assert isinstance(outputs, TieOrBreakOutputs)
    found = objective(Batch(sentences, labels, inputs, outputs, lambda: outputs))
    every = matches_of(CORPUS, settings)
    for row, sentence in enumerate(sentences):
        length = CORPUS.lengths[sentence]
        targets = targets_of(length, every[sentence], [False] * length, LABELS)
        total = 0.0
        for token, gap in enumerate(targets.gaps.tolist()):
            if gap != UNKNOWN:
                tied = outputs.gaps[row, token].sigmoid().item()
                total -= math.log(tied if gap == TIE else 1 - tied)
        for first, last, types in zip(targets.first, targets.last, targets.types, strict=True):
            shares = (outputs.starts[row, first] + outputs.ends[row, last]).softmax(-1)
            total -= math.log(shares[types].sum().item())
        assert found[row].item() == pytest.approx(total, rel=1e-5)


def test_a_sentence_that_is_one_phrase_teaches_nothing() -> None:
    found = targets_of(2, [StretchMatch(0, 2, ())], [False, False], LABELS)
    assert found.gaps.tolist() == [UNKNOWN, UNKNOWN]
    assert len(found.first) == 0
    assert type_losses(torch.zeros(0, 3), found.types, is_soft=False).shape == (0,)


def test_matches_allow_the_labels_of_their_types_and_phrases_any() -> None:
    allowed = allowed_by_matches(5, [StretchMatch(0, 2, ("LOC", "PER")), StretchMatch(3, 4, ())], LABELS)
    names = [{label for label, is_in in zip(LABELS.labels, row, strict=True) if is_in} for row in allowed.tolist()]
    assert names == [{"B-LOC", "B-PER"}, {"E-LOC", "E-PER"}, {"O"}, set(LABELS.labels), {"O"}]


def test_without_phrases_the_fuzzy_crf_is_the_plain_crf_of_the_labels() -> None:
    own = small_task(small_recipe(), corpus()).corpus
    network = small_network(own.labels, own.tokens).eval()
    labels, mask = pad_labels(own.rows)
    inputs = network.collate(own.tokens)
    outputs = network.outputs(inputs, mask)
    batch = Batch(list(range(len(own))), labels, inputs, outputs, lambda: outputs)
    fuzzy = FuzzyLabels(AutoNERSettings(unknown_phrases=False)).build(own, network, SCHEDULE)
    plain = GivenLabels().build(own, network, SCHEDULE)
    assert torch.allclose(fuzzy(batch), plain(batch))
    with_phrases = FuzzyLabels(AutoNERSettings(least_repeats=1)).build(own, network, SCHEDULE)
    assert (with_phrases(batch) <= plain(batch) + 1e-6).all()
    tied = TiesAndTypes(AutoNERSettings()).build(own, network, SCHEDULE)
    with pytest.raises(InputError, match="needs its own head"):
        tied(batch)

"""Trusted sentences: which they are, which labels are trusted beside them, and that they undo systematic errors."""

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as changed

from tests.methods.confidence.made_up_batches import corpus_of
from tests.training.small import here, small_recipe
from trustag.crossfit.trusted_models import agreed_labels, trusted_sentences
from trustag.data.encoded_corpus import NO_LABEL
from trustag.pipeline import Destination, TrainResult, train_in
from trustag.seeded_random import SeededRandom
from trustag.text.sentences import GIVEN, REVIEWED, Corpus, Sentence


def test_trusted_sentences_are_those_with_every_label_reviewed() -> None:
    rows = [[1, 0]] * 25 + [[1, 0]] * 5
    reviewed = [[True, True]] * 21 + [[True, False]] * 4 + [[False, False]] * 5
    assert trusted_sentences(corpus_of(rows, reviewed=reviewed)) == list(range(21))


@pytest.mark.parametrize(
    ("rows", "reviewed"),
    [
        ([[1]] * 30, [[True]] * 19 + [[False]] * 11),  # too few
        ([[0]] * 30, [[True]] * 25 + [[False]] * 5),  # without an entity
        ([[1]] * 30, [[True]] * 30),  # nothing noisy is left
    ],
)
def test_there_must_be_enough_to_learn_from(rows: list[list[int]], reviewed: list[list[bool]]) -> None:
    assert trusted_sentences(corpus_of(rows, reviewed=reviewed)) == []


@given(st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 4), st.booleans()), min_size=1, max_size=20))
def test_a_label_is_believed_where_it_is_predicted_or_reviewed(tokens: list[tuple[int, int, bool]]) -> None:
    labels, predicted, reviewed = map(list, zip(*tokens, strict=True))
    corpus = corpus_of([labels], reviewed=[reviewed])
    found = agreed_labels(corpus, corpus.label_ids, torch.tensor(predicted)).tolist()
    for label, other, is_reviewed, kept in zip(labels, predicted, reviewed, found, strict=True):
        assert kept == (label if label != NO_LABEL and (is_reviewed or label == other) else NO_LABEL)


PERSONS = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gail", "Hugo")
PLACES = ("Lisbon", "Oslo", "Paris", "Quito", "Rome", "Sofia", "Tunis", "Ulm")
PATTERNS = (("PER", "lives", "in", "LOC"), ("PER", "met", "PER"), ("LOC", "is", "near", "LOC"), ("it", "rains"))


def sentences(count: int, seed: int) -> list[Sentence]:
    """Return sentences about persons and places, with right labels."""
    rng = SeededRandom(seed, "sentences")
    names = {"PER": PERSONS, "LOC": PLACES}
    found = []
    for _ in range(count):
        pattern = PATTERNS[rng.below(len(PATTERNS))]
        words = tuple(names[part][rng.below(8)] if part in names else part for part in pattern)
        found.append(Sentence(words, tuple(f"B-{part}" if part in names else "O" for part in pattern)))
    return found


def confused(sentence: Sentence) -> Sentence:
    """Return a sentence in which every person is called a place: an error that no model of such labels can see."""
    return changed(sentence, labels=tuple(label and label.replace("PER", "LOC") for label in sentence.labels))


def trained(folder: Path, *, dev: bool = True) -> TrainResult:
    noisy, trusted = list(map(confused, sentences(200, 1))), sentences(40, 2)
    # Trusted sentences would take the place of noisy ones with the same words, of which so small a world has many.
    train = [changed(sentence, token_sources=(GIVEN,) * len(sentence)) for sentence in noisy]
    train += [changed(sentence, token_sources=(REVIEWED,) * len(sentence)) for sentence in trusted]
    splits = Corpus(tuple(train), tuple(sentences(100, 3)) if dev else (), tuple(sentences(100, 4)))
    changes = ("bilstm.words=16", "bilstm.hidden=16", "training.epochs=12", "training.learning_rate=0.02")
    recipe = small_recipe(
        "method.rounds.fold_epochs=3", "method.rates.estimate_epochs=2", *changes, method="confidence"
    )
    return train_in(splits, recipe, Destination(folder), here())


@pytest.mark.slow
def test_errors_that_every_model_of_noisy_labels_repeats_are_corrected(tmp_path: Path) -> None:
    found = trained(tmp_path / "run")
    assert found.kept["name"] == "model of the trusted sentences"
    assert "better on dev" in found.kept["reason"]
    assert found.scores.test is not None
    assert found.baseline is not None
    assert found.baseline.test is not None
    assert found.scores.test.micro.f1 > found.baseline.test.micro.f1 + 0.2
    assert found.scores.test.by_type["PER"].recall > 0.9


@pytest.mark.slow
def test_without_dev_trusted_sentences_outweigh_noisy_ones(tmp_path: Path) -> None:
    found = trained(tmp_path / "run", dev=False)
    assert found.kept["name"] == "model of the trusted sentences"
    assert "people have labelled" in found.kept["reason"]


@pytest.mark.slow
def test_labels_are_assessed_by_what_trusted_sentences_taught(tmp_path: Path) -> None:
    found = trained(tmp_path / "run")
    assert found.analysis is not None
    rates = found.analysis.rates
    persons = [label == "B-LOC" and word in PERSONS for word, label in given_labels()]
    places = [label == "B-LOC" and word in PLACES for word, label in given_labels()]
    wrong = sum(persons) / (sum(persons) + sum(places))
    assert rates.source == "trusted"
    assert rates.positive_interval is not None
    assert rates.rates.positive == pytest.approx(wrong, abs=0.1)
    repaired = [sentence.labels for sentence in found.analysis.relabelled]
    right = [sentence.labels for sentence in [*sentences(200, 1), *sentences(40, 2)]]
    assert sum(own == other for own, other in zip(repaired, right, strict=True)) > 0.9 * len(right)
    assert {issue.suggested[0].type for issue in found.analysis.issues[:10] if issue.suggested} == {"PER"}


def given_labels() -> list[tuple[str, str | None]]:
    """Return all words of the noisy sentences with their labels."""
    noisy = map(confused, sentences(200, 1))
    return [pair for sentence in noisy for pair in zip(sentence.tokens, sentence.labels, strict=True)]

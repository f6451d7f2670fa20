"""Labels on one word of a longer name: visible or not, as models decide that did not see them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from msgspec.structs import replace as changed

from tests.training.small import here, small_corpus, small_recipe, small_task
from trustag.methods.confidence.hidden_labels import SuspiciousLabels
from trustag.methods.confidence.settings import ConfidenceSettings
from trustag.methods.table import choose_method
from trustag.noise_rates.rates import TruncatedEntityCounts
from trustag.notes import Note
from trustag.pipeline import Destination, train_in
from trustag.text.sentences import Corpus, Sentence


def settings_of(*changes: str) -> ConfidenceSettings:
    settings = choose_method(small_recipe(*changes, method="confidence")).settings
    assert isinstance(settings, ConfidenceSettings)
    return settings


def suspicious(choice: str) -> SuspiciousLabels:
    """Return the suspicious labels of a corpus in which *Ann* is labelled in *Ann Ash* at first."""
    change = f"method.truncated_entities={choice}"
    task = small_task(small_recipe(change, method="confidence"), truncated_corpus())
    return SuspiciousLabels(task, settings_of(change))


def test_truncated_entities_are_counted_against_predictions() -> None:
    found, task = suspicious("auto"), small_task(small_recipe(method="confidence"), truncated_corpus())
    given = task.corpus.unreviewed_ids
    gold = task.corpus.gold_ids
    assert gold is not None
    others = (given > 0) & ~found.all().any
    assert found.counts(given, gold) == TruncatedEntityCounts(labels=10, same=0, another=10, agreed=1.0)
    assert found.counts(given, given) == TruncatedEntityCounts(labels=10, same=10, another=0, agreed=1.0)
    half = torch.where(others & (torch.arange(len(given)) % 2 == 0), 0, gold)
    counts = found.counts(given, half)
    assert counts is not None
    assert counts.agreed == pytest.approx(float((half == given)[others].float().mean()))


def test_labels_are_distrusted_where_another_entity_is_predicted_clearly_more_often() -> None:
    assert TruncatedEntityCounts(10, 0, 3, 0.9).are_wrong
    assert not TruncatedEntityCounts(10, 0, 2, 0.9).are_wrong
    assert not TruncatedEntityCounts(300, 30, 60, 0.9).are_wrong


def test_models_that_know_nothing_of_names_decide_nothing() -> None:
    assert not TruncatedEntityCounts(10, 0, 10, 0.5).are_wrong


@pytest.mark.parametrize(
    ("choice", "counts", "hidden"),
    [
        ("auto", TruncatedEntityCounts(10, 0, 9, 0.9), True),
        ("auto", TruncatedEntityCounts(10, 5, 9, 0.9), False),
        ("auto", None, False),
        ("visible", TruncatedEntityCounts(10, 0, 9, 0.9), False),
        ("hidden", None, True),
    ],
)
def test_only_where_models_are_asked_do_they_decide(
    choice: str, counts: TruncatedEntityCounts | None, hidden: bool
) -> None:
    found = suspicious(choice)
    assert bool(found.decided(counts).unknown.any()) == hidden
    assert found.is_asked == (choice == "auto")


def truncated_corpus() -> Corpus:
    """Return sentences with names of two words, of which every fifth has but the first labelled."""
    first, last = ("Ann", "Bea", "Cyd", "Dan", "Eve", "Flo", "Guy", "Hal"), ("Ash", "Bay", "Cox", "Day", "Fox", "Ivy")
    frames = (
        ("then", "{}", "{}", "went", "home"),
        ("we", "saw", "{}", "{}", "again"),
        ("so", "{}", "{}", "slept", "."),
    )
    sentences = []
    for number, (one, other) in enumerate((one, other) for one in first for other in last):
        words = iter((one, other))
        tokens = tuple(next(words) if word == "{}" else word for word in frames[number % 3])
        index = tokens.index(one)
        gold = tuple(("B-PER", "I-PER")[at - index] if at in (index, index + 1) else "O" for at in range(len(tokens)))
        labels = tuple("O" if at == index + 1 else label for at, label in enumerate(gold)) if number % 5 == 0 else gold
        sentences.append(Sentence(tokens, labels, gold=gold))
    return Corpus(tuple(sentences), (), ())


SOURCES = {
    "auto": (),
    "oracle": (),
    "given": ("method.rates.negative=0.06", "method.rates.positive=0.15"),
    "searched": ("method.rates.grid={negative=[0.0, 0.0, 0.1], positive=[0.0, 0.0, 0.1]}",),
}


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES)
def test_truncated_entities_are_found_said_and_undone(source: str, tmp_path: Path) -> None:
    notes: list[Note] = []
    epochs = ("training.epochs=12", "method.rates.estimate_epochs=12", "method.rounds.fold_epochs=12")
    size = ("training.learning_rate=0.02", "bilstm.words=20", "bilstm.hidden=20")
    changes = ("method.rounds.count=1", f"method.rates.source={source}", *epochs, *size, *SOURCES[source])
    corpus = truncated_corpus()
    if source == "searched":
        corpus = replace(corpus, dev=tuple(changed(row, labels=row.gold, gold=None) for row in corpus.train))
    recipe = small_recipe(*changes, method="confidence")
    trained = train_in(corpus, recipe, Destination(tmp_path / "run"), here(notes.append))
    assert [note.detail for note in notes if "longer name" in note.reason] == [
        "10 are not trusted: models that did not see them predict 10 as part of another entity, 0 as labelled"
    ]
    counts = json.loads((tmp_path / "run" / "rates.json").read_text(encoding="utf-8"))["truncated_entities"]
    assert {**counts, "agreed": None} == {"labels": 10, "same": 0, "another": 10, "agreed": None}
    assert trained.analysis is not None
    assert [sentence.labels for sentence in trained.analysis.relabelled] == [row.gold for row in corpus.train]


def test_whole_names_are_not_in_question(tmp_path: Path) -> None:
    notes: list[Note] = []
    short = ("method.rounds.count=1", "training.epochs=1", "method.rounds.fold_epochs=1")
    recipe = small_recipe(*short, "method.rates.estimate_epochs=1", method="confidence")
    trained = train_in(small_corpus(), recipe, Destination(tmp_path / "run"), here(notes.append))
    assert trained.analysis is not None
    counts = trained.analysis.rates.truncated_entities
    assert counts is not None
    assert not counts.are_wrong
    assert not [note for note in notes if "longer name" in note.reason]

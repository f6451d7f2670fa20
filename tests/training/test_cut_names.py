"""Labels of one word of a longer name: believed or not, as models say that were told none of them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.training.small import small_corpus, small_recipe, withheld
from trustag.engines.in_process import InProcess
from trustag.results import Note
from trustag.text.sentences import Corpus, Sentence
from trustag.training.cut_names import Verdict, decided, verdict_on
from trustag.training.folds import SentenceFolds
from trustag.training.train import Destination, Surroundings, train


def judged(given: list[int], believed: list[int], cut: list[bool]) -> Verdict:
    folds = SentenceFolds([[0]], [len(given)], withheld([False] * len(given), cut))
    return verdict_on(folds, torch.tensor(given), torch.tensor(believed))


def test_labels_are_doubted_where_most_are_contradicted() -> None:
    cut = [True, True, True, False, False, False]
    assert judged([4, 4, 0, 4, 4, 0], [1, 1, 2, 4, 4, 0], cut) == Verdict(2, 1.0, is_doubted=True)
    assert judged([4, 4, 0, 4, 4, 0], [1, 4, 2, 4, 4, 0], cut) == Verdict(2, 0.5, is_doubted=False)
    assert judged([4, 4, 4, 4, 4, 0], [1, 4, -1, 4, 4, 0], cut) == Verdict(2, 0.5, is_doubted=False)
    assert judged([0, 0, 0, 4, 4, 0], [1, 2, 3, 4, 4, 0], cut) == Verdict(0, 0.0, is_doubted=False)


def test_models_that_know_nothing_of_names_are_not_heard() -> None:
    cut = [True, True, False, False]
    assert judged([4, 4, 4, 4], [0, 0, 0, 0], cut) == Verdict(2, 1.0, is_doubted=False)


def test_only_what_is_to_be_judged_follows_the_verdict() -> None:
    verdict = Verdict(10, 0.9, is_doubted=True)

    def choice(setting: str, verdict: Verdict | None) -> str:
        return decided(small_recipe(f"confidence.cut_names={setting}"), verdict).confidence.cut_names

    assert choice("judged", verdict) == "doubted"
    assert choice("judged", replace(verdict, is_doubted=False)) == "believed"
    assert choice("judged", None) == "believed"
    assert choice("believed", verdict) == "believed"
    assert choice("doubted", None) == "doubted"


def cut_corpus() -> Corpus:
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
        place = tokens.index(one)
        gold = tuple(("B-PER", "I-PER")[at - place] if at in (place, place + 1) else "O" for at in range(len(tokens)))
        labels = tuple("O" if at == place + 1 else label for at, label in enumerate(gold)) if number % 5 == 0 else gold
        sentences.append(Sentence(tokens, labels, gold=gold))
    return Corpus(tuple(sentences), (), ())


@pytest.mark.parametrize("source", ["auto", "oracle"])
def test_labels_that_cut_names_are_found_said_and_undone(source: str, tmp_path: Path) -> None:
    notes: list[Note] = []
    changes = ["rounds.count=1", f"rates.source={source}", "training.epochs=12", "rates.estimate_epochs=12"]
    size = ["rounds.fold_epochs=12", "training.learning_rate=0.02", "bilstm.words=20", "bilstm.hidden=20"]
    surroundings = Surroundings(InProcess(), notes.append, lambda _: None)
    corpus = cut_corpus()
    trained = train(corpus, small_recipe(*changes, *size), None, Destination(tmp_path / "run"), surroundings)
    told = [note.detail for note in notes if "longer name" in note.reason]
    assert told == ["none of 10 is believed: models that were told none contradict 100%"]
    verdict = json.loads((tmp_path / "run" / "rates.json").read_text(encoding="utf-8"))["cut_names"]
    assert verdict == {"labels": 10, "contradicted": 1.0, "is_doubted": True}
    assert trained.findings is not None
    assert [sentence.labels for sentence in trained.findings.relabelled] == [row.gold for row in corpus.train]


def test_whole_names_are_no_matter_of_dispute(tmp_path: Path) -> None:
    notes: list[Note] = []
    recipe = small_recipe("rounds.count=1", "training.epochs=1", "rounds.fold_epochs=1", "rates.estimate_epochs=1")
    surroundings = Surroundings(InProcess(), notes.append, lambda _: None)
    trained = train(small_corpus(), recipe, None, Destination(tmp_path / "run"), surroundings)
    assert trained.findings is not None
    verdict = trained.findings.rates.cut_names
    assert verdict is not None
    assert not verdict.is_doubted
    assert not [note for note in notes if "longer name" in note.reason]

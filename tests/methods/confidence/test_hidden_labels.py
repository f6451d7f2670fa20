"""Labels of one word of a longer name: believed or not, as models say that were told none of them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from msgspec.structs import replace as changed

from tests.training.small import small_corpus, small_recipe, withheld
from trustag.engines.in_process import InProcess
from trustag.notes import Note
from trustag.text.sentences import Corpus, Sentence


def judged(given: list[int], believed: list[int], cut: list[bool]) -> Verdict:
    folds = SentenceFolds([[0]], [len(given)], withheld([False] * len(given), cut))
    return verdict_on(folds, torch.tensor(given), torch.tensor(believed))


def test_labels_are_doubted_where_another_entity_is_clearly_believed_more_often() -> None:
    cut = [True] * 8 + [False] * 2
    for believed, expected in (
        ([1, 1, 1, 0, 0, 0, 2, 2, 4, 4], Verdict(6, 0, 3, 1.0)),
        ([1, 1, 0, 0, 0, 0, 2, 2, 4, 1], Verdict(6, 0, 2, 0.5)),
        ([1, 1, 1, 1, 1, 4, 2, 2, 4, -1], Verdict(6, 1, 5, 1.0)),
        ([1, 2, 3, -1, 0, -1, 2, 2, 1, 0], Verdict(6, 0, 3, 0.0)),
    ):
        assert judged([4, 4, 4, 4, 4, 4, 0, 0, 4, 4], believed, cut) == expected
    assert Verdict(10, 0, 3, 0.9).is_doubted
    assert not Verdict(10, 0, 2, 0.9).is_doubted
    assert not Verdict(300, 30, 60, 0.9).is_doubted


def test_models_that_know_nothing_of_names_are_not_heard() -> None:
    assert not Verdict(10, 0, 10, 0.5).is_doubted


def test_only_what_is_to_be_judged_follows_the_verdict() -> None:
    verdict = Verdict(10, 0, 9, 0.9)

    def choice(setting: str, verdict: Verdict | None) -> str:
        return decided(small_recipe(f"confidence.cut_names={setting}"), verdict).confidence.cut_names

    assert choice("judged", verdict) == "doubted"
    assert choice("judged", replace(verdict, same=5)) == "believed"
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


SOURCES = {
    "auto": (),
    "oracle": (),
    "given": ("rates.negative=0.06", "rates.positive=0.15"),
    "searched": ("rates.search_to=0.0",),
}


@pytest.mark.parametrize("source", SOURCES)
def test_labels_that_cut_names_are_found_said_and_undone(source: str, tmp_path: Path) -> None:
    notes: list[Note] = []
    changes = ["rounds.count=1", f"rates.source={source}", "training.epochs=12", "rates.estimate_epochs=12"]
    size = ["rounds.fold_epochs=12", "training.learning_rate=0.02", "bilstm.words=20", "bilstm.hidden=20"]
    surroundings = Surroundings(InProcess(), notes.append, lambda _: None)
    corpus = cut_corpus()
    if source == "searched":
        corpus = replace(corpus, dev=tuple(changed(row, labels=row.gold, gold=None) for row in corpus.train))
    trained = train(
        corpus, small_recipe(*changes, *size, *SOURCES[source]), None, Destination(tmp_path / "run"), surroundings
    )
    told = [note.detail for note in notes if "longer name" in note.reason]
    assert told == [
        "none of 10 is believed: models that were told none see 10 as part of another entity, 0 as labelled"
    ]
    verdict = json.loads((tmp_path / "run" / "rates.json").read_text(encoding="utf-8"))["cut_names"]
    assert {**verdict, "agreed": None} == {"labels": 10, "same": 0, "another": 10, "agreed": None}
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

"""The training sentences of a run, from whichever file it left, and the numbers of their gold labels."""

import json
from pathlib import Path

from tests.figures.written import WrittenRun
from tests.reports.random_run import SENTENCES
from tests.reports.written import FullRun, Judged
from trustag.reports.sentences import TrainingSentence, gold_numbers, training_sentences
from trustag.runs.reading import open_runs


def test_a_run_that_doubted_labels_has_all_three_columns(tmp_path: Path) -> None:
    found = training_sentences(FullRun(SENTENCES).open(tmp_path / "run"))
    assert found == [
        TrainingSentence(
            tuple(token.text for token in sentence),
            tuple(token.given for token in sentence),
            tuple(token.believed for token in sentence),
            tuple(token.gold for token in sentence),
        )
        for sentence in SENTENCES
    ]


def test_a_run_that_doubted_nothing_has_the_given_labels_in_the_scheme_of_models(tmp_path: Path) -> None:
    path = WrittenRun().write(tmp_path / "run")
    record = {"tokens": ["Ann", "Lee", "in", "Rome"], "ner_tags": ["B-PER", "I-PER", "O", "B-LOC"]}
    (path / "given.jsonl").write_text(json.dumps(record | {"gold_tags": ["O", None, "O", "B-LOC"]}) + "\n")
    (run,) = open_runs([path])
    assert training_sentences(run) == [
        TrainingSentence(("Ann", "Lee", "in", "Rome"), ("B-PER", "E-PER", "O", "S-LOC"), gold=("O", None, "O", "S-LOC"))
    ]
    assert gold_numbers(run) is None


def test_without_a_corpus_there_are_none(tmp_path: Path) -> None:
    assert training_sentences(WrittenRun().open(tmp_path / "run")) is None


def test_gold_labels_are_numbered_as_given_ones_and_new_ones_behind_them(tmp_path: Path) -> None:
    tokens = [
        Judged("a", "S-PER", "O", "S-PER"),
        Judged("b", "O", "O", "S-NEW"),
        Judged("c", "S-LOC", "O", None),
        Judged("d", None, "O", "S-NEW"),
    ]
    run = FullRun([tokens[:3], tokens[3:]]).open(tmp_path / "run")
    found = gold_numbers(run)
    assert found is not None
    assert run.judgements is not None
    names = [*map(str, run.judgements["names"]), "S-NEW"]
    assert [names[number] if number >= 0 else None for number in found.tolist()] == [own.gold for own in tokens]
    blind = FullRun([[Judged("a", "O", "O")]]).open(tmp_path / "blind")
    assert gold_numbers(blind) is None

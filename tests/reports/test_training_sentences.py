"""Training sentences with given, new and gold labels, whichever files a run has."""

import json
from pathlib import Path

from tests.figures.written import WrittenRun
from tests.reports.written import Assessed, FullRun
from trustag.reports.training_sentences import TrainingSentence, gold_label_indices, training_sentences
from trustag.runs.reading import open_runs


def test_a_relabelled_run_has_all_three_columns(tmp_path: Path) -> None:
    run = FullRun([[Assessed("Ann", "O", "S-PER", "S-LOC")], [Assessed("slept", "O", "O")]]).open(tmp_path / "run")
    assert training_sentences(run) == [
        TrainingSentence(("Ann",), ("O",), ("S-PER",), ("S-LOC",)),
        TrainingSentence(("slept",), ("O",), ("O",), None),
    ]
    assert run.label_columns is not None
    indices = gold_label_indices(run)
    assert indices is not None
    assert indices.tolist() == [len(run.label_columns["names"]), -1]


def test_a_baseline_run_has_given_labels_in_the_scheme_of_the_models(tmp_path: Path) -> None:
    path = WrittenRun().write(tmp_path / "run")
    assert training_sentences(open_runs([path])[0]) is None
    (path / "given.jsonl").write_text(json.dumps({"tokens": ["Ann", "slept"], "ner_tags": ["B-PER", "O"]}) + "\n")
    (run,) = open_runs([path])
    assert training_sentences(run) == [TrainingSentence(("Ann", "slept"), ("S-PER", "O"))]
    assert gold_label_indices(run) is None

"""The files of a run are read when asked for; faults are named by file and line; old names are known."""

import json
from pathlib import Path

import pytest

from tests.figures.written import WrittenRun, epoch
from trustag.errors import InputError
from trustag.runs.reading import BASELINE, open_runs
from trustag.runs.records import RatesRecord, SearchPoint

METHODS = [
    ('[method]\nname = "bilstm-crf"\n', BASELINE),
    ('[method]\nname = "self-training"\n', "self-training"),
    ("", "confidence (global, auto rates)"),
    (
        '[method]\nname = "confidence"\nscoring = "local"\ncalibration = false\n[method.rates]\nsource = "oracle"\n',
        "confidence (local, oracle rates, no calibration)",
    ),
    ("[rounds]\ncount = 0\n", BASELINE),
    ('[rates]\nsource = "given"\n', "self-training"),
    ('[confidence]\nscoring = "local"\n', "confidence (local, auto rates)"),
    ("[rounds]\nmembers = 3\n", "confidence (global, auto rates)"),
]


@pytest.mark.parametrize(("recipe", "method"), METHODS)
def test_the_method_is_told_in_a_few_words(recipe: str, method: str, tmp_path: Path) -> None:
    assert WrittenRun(recipe=recipe).open(tmp_path / "run").method == method


def test_rounds_are_told_by_their_file(tmp_path: Path) -> None:
    record = {"round": 1, "fold_dev_f1": [], "final_dev_f1": None, "changed": 0}
    assert WrittenRun(rounds=[record]).open(tmp_path / "with").has_rounds
    assert not WrittenRun().open(tmp_path / "without").has_rounds


def test_what_is_absent_is_empty(tmp_path: Path) -> None:
    run = WrittenRun().open(tmp_path / "run")
    assert (run.rounds, run.search, run.changes, run.epochs, run.fold_epochs(1)) == ((), (), (), (), [])
    assert (run.rates, run.given, run.issues, run.labels, run.label_columns) == (None,) * 5


def test_records_are_read_in_their_order(tmp_path: Path) -> None:
    run = WrittenRun(search=[(0.1, 0.2, 0.5)], folds=[[epoch(0, 0.5)], [epoch(0, 0.7)]]).open(tmp_path / "run")
    assert run.search == (SearchPoint(0.1, 0.2, 0.5),)
    assert [epochs[0].f1 for epochs in run.fold_epochs(1)] == [0.5, 0.7]


def test_names_of_the_first_version_are_known(tmp_path: Path) -> None:
    rates = {"negative": 0.1, "positive": 0.2, "apart": {"S-PER": 0.3}}
    record = {"round": 1, "fold_dev_f1": [None], "final_dev_f1": None, "changed": 0, "rates": rates, "pinned": 4}
    run = WrittenRun(rounds=[record], scores={"plain": {"test": {"f1": 0.5}}}).open(tmp_path / "run")
    assert run.rounds[0].fixed == 4
    assert run.rounds[0].rates == RatesRecord(0.1, 0.2, {"S-PER": 0.3})
    assert run.manifest.baseline is not None
    assert run.manifest.baseline.test is not None
    assert run.manifest.baseline.test.f1 == 0.5


FAULTS = [
    ("rounds.jsonl", '{"round": 1}\n', "rounds", "rounds.jsonl:1"),
    ("search.jsonl", '{"negative": 0, "positive": 0, "dev_f1": 0}\n{\n', "search", "search.jsonl:2"),
    ("recipe.toml", "[training]\nepochs = \n", "choices", "recipe.toml:2"),
    ("recipe.toml", "[method]\nscoring = 3\n", "choices", "recipe.toml"),
    ("recipe.toml", "rounds = 3\n", "choices", "rounds = 3 is no table"),
    ("recipe.toml", 'training = "x"\n', "settings", "training = 'x' is no table"),
    ("rates.json", "[]", "rates", "rates.json:1"),
    ("manifest.json", json.dumps({"data": {}}), "manifest", "manifest.json:1"),
]


@pytest.mark.parametrize(("name", "content", "part", "place"), FAULTS)
def test_a_fault_is_named_by_file_and_line(name: str, content: str, part: str, place: str, tmp_path: Path) -> None:
    run = WrittenRun().open(tmp_path / "run")
    (run.path / name).write_text(content)
    with pytest.raises(InputError) as caught:
        getattr(run, part)
    assert place in str(caught.value)
    assert "\n" not in str(caught.value)


def test_runs_have_names_that_differ(tmp_path: Path) -> None:
    paths = [WrittenRun().write(tmp_path / place / "run") for place in "abc"]
    assert [run.name for run in open_runs([*paths, paths[0]])] == ["run", "run-2", "run-3"]
    with pytest.raises(InputError, match="is no run: it holds no manifest.json"):
        open_runs([tmp_path])


@pytest.mark.parametrize("number", ["1e308", "-1e308", "1e400", "-1", "1" * 30, '"x"', "NaN"])
def test_numbers_out_of_all_bounds_are_named_by_file_and_line(number: str, tmp_path: Path) -> None:
    rates = {"negative": 0.1, "positive": 0.2}
    record = {"round": 1, "fold_dev_f1": [], "final_dev_f1": None, "changed": 0, "rates": {"negative": 0.1, **rates}}
    run = WrittenRun(rounds=[record], search=[(0.1, 0.2, 0.5)]).open(tmp_path / "run")
    for path, known in ((run.folder.rounds, '"positive": 0.2'), (run.folder.search, '"dev_f1": 0.5')):
        text = path.read_text()
        assert text.count(known) == 1
        path.write_text(text.replace(known, f"{known.partition(':')[0]}: {number}"))
    for part in ("rounds", "search"):
        with pytest.raises(InputError, match=rf"{part}.jsonl:1: "):
            getattr(run, part)


def test_a_change_has_labels(tmp_path: Path) -> None:
    run = WrittenRun().open(tmp_path / "run")
    change = {"round": 1, "sentence": 0, "token": 0, "before": "here", "after": "O"}
    run.folder.changes.write_text(json.dumps(change) + "\n")
    with pytest.raises(InputError, match=r"changes.jsonl:1: .nknown tag 'here'"):
        _ = run.changes

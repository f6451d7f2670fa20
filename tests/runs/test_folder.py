"""A run folder is begun once, resumed with the same things only, and cleared of nothing but its own files."""

import json
from pathlib import Path

import pytest

from trustag.errors import InputError
from trustag.methods.table import load_recipe
from trustag.runs.finishing import finish
from trustag.runs.folder import RunFolder, fingerprint, open_run, write_metrics, write_records
from trustag.runs.reading import open_runs
from trustag.runs.records import EpochReport
from trustag.text.sentences import REVIEWED, Sentence

RECIPE = load_recipe("fast")
DATA = {"train": "abc"}


def begun(path: Path, *, resume: bool = False, overwrite: bool = False) -> RunFolder:
    return open_run(path, RECIPE, DATA, resume=resume, overwrite=overwrite)


def test_a_new_run_says_what_it_is(tmp_path: Path) -> None:
    run = begun(tmp_path / "run")
    assert load_recipe(str(run.recipe)) == RECIPE
    manifest = json.loads(run.manifest.read_text())
    assert (manifest["method"], manifest["seed"], manifest["data"]) == ("confidence", 1, DATA)
    assert "finished" not in manifest
    finish(run, {"best_epoch": 3}, keep_jobs=False)
    (opened,) = open_runs([run.path])
    assert opened.manifest.finished is not None
    assert (opened.manifest.best_epoch, opened.manifest.method) == (3, "confidence")


def test_what_is_there_is_kept_unless_asked(tmp_path: Path) -> None:
    begun(tmp_path)
    with pytest.raises(InputError, match="already exists; continue with --resume, start anew with --overwrite"):
        begun(tmp_path)
    before = (tmp_path / "manifest.json").read_text()
    assert begun(tmp_path, resume=True).manifest.read_text() == before


def test_starting_anew_removes_the_run_and_nothing_else(tmp_path: Path) -> None:
    run = begun(tmp_path)
    (tmp_path / "mine.txt").write_text("kept")
    (run.jobs / "as-given").mkdir(parents=True)
    run.issues.write_text("")
    begun(tmp_path, overwrite=True)
    assert {entry.name for entry in tmp_path.iterdir()} == {"mine.txt", "recipe.toml", "manifest.json"}


def test_other_settings_or_data_cannot_resume(tmp_path: Path) -> None:
    begun(tmp_path)
    with pytest.raises(InputError, match="was begun with other settings"):
        open_run(tmp_path, load_recipe("paper"), DATA, resume=True, overwrite=False)
    with pytest.raises(InputError, match="was begun on other data"):
        open_run(tmp_path, RECIPE, {"train": "other"}, resume=True, overwrite=False)


def test_halves_of_killed_processes_go_when_a_run_is_opened(tmp_path: Path) -> None:
    run = begun(tmp_path)
    names = {entry.name for entry in tmp_path.iterdir()}
    write_metrics(run, [EpochReport(0, 1.5, f1=0.5, is_best=True, facts={"distrusted": 0.1})])
    (opened,) = open_runs([run.path])
    assert opened.epochs == (EpochReport(0, 1.5, f1=0.5, is_best=True, facts={"distrusted": 0.1}),)
    begun(tmp_path, resume=True)
    assert {entry.name for entry in tmp_path.iterdir()} == names | {"metrics.jsonl"}


def test_the_relabelled_corpus_is_found_in_either_form(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    assert run.relabelled == run.relabelled_text
    run.relabelled_lines.write_text("")
    assert run.relabelled == run.relabelled_lines


def test_records_are_lines_by_the_stem_of_their_table(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    assert (run.table("rounds"), run.table("search")) == (run.rounds, run.search)
    write_records(run.table("own"), [{"a": "é"}, {"a": 2}])
    assert (tmp_path / "own.jsonl").read_text(encoding="utf-8") == '{"a": "é"}\n{"a": 2}\n'


def test_a_fingerprint_tells_corpora_apart() -> None:
    plain = Sentence(("Ann",), ("B-PER",))
    others = [
        Sentence(("Bob",), ("B-PER",)),
        Sentence(("Ann",), ("O",)),
        Sentence(("Ann",), ("B-PER",), gold=("O",)),
        Sentence(("Ann",), ("B-PER",), token_sources=(REVIEWED,)),
    ]
    assert fingerprint([plain]) == fingerprint([Sentence(("Ann",), ("B-PER",), document="d")])
    assert len({fingerprint([sentence]) for sentence in (plain, *others)}) == 5

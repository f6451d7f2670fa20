"""Kept runs are found by corpus and seed; unfinished ones are not."""

import json
from pathlib import Path

from trustag.experiments.experiment import Cell
from trustag.experiments.kept_runs import kept_runs


def make_run(folder: Path, name: str, *, is_finished: bool = True, has_corpus: bool = True) -> None:
    (folder / name).mkdir()
    facts = {"finished": "today"} if is_finished else {}
    (folder / name / "manifest.json").write_text(json.dumps(facts), encoding="utf-8")
    if has_corpus:
        (folder / name / "given.jsonl").touch()


def test_finished_runs_of_one_system_come_in_order(tmp_path: Path) -> None:
    for name in ("b-method-10", "b-method-2", "a-method-1", "a-method, local-1", "unknown-method-1", "a-method-x"):
        make_run(tmp_path, name)
    make_run(tmp_path, "a-method-2", is_finished=False)
    make_run(tmp_path, "a-method-3", has_corpus=False)
    found = kept_runs(tmp_path, ["b", "a"])
    assert [run.cell for run in found] == [Cell("b", "method", 2), Cell("b", "method", 10), Cell("a", "method", 1)]
    assert found[0].path == tmp_path / "b-method-2"
    assert [run.cell.seed for run in kept_runs(tmp_path, ["a"], "method, local")] == [1]

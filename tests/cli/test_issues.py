"""``trustag issues``: on the screen, as files, from a run and from a model; faults are named in one line."""

import csv
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.review.small_run import write_run
from tests.training.small import ROUNDS, noisy_corpus, small_recipe, small_run
from trustag.cli import trustag
from trustag.errors import InputError
from trustag.runs.issue_files import issues_of_run

pytestmark = pytest.mark.slow  # trains models


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("issues") / "run"
    recipe = small_recipe(
        *ROUNDS, "method.rounds.count=1", "training.epochs=2", "method.rounds.fold_epochs=2", method="confidence"
    )
    small_run(path, recipe, noisy_corpus())
    return path


def call(*arguments: object) -> Result:
    return CliRunner().invoke(trustag, [*map(str, arguments)], catch_exceptions=False)


def test_the_screen_shows_the_worst_and_what_a_review_buys(run: Path) -> None:
    printed = call("issues", run).stdout
    found = issues_of_run(run)
    assert found.issues
    worst = found.issues[0]
    assert printed.startswith(f"{worst.score:.2f}  {worst.kind}")
    assert f"[{found.sentences[worst.sentence].tokens[worst.first]}" in printed
    assert "of the estimated errors" in printed
    assert "\x1b[" not in printed  # no terminal


def test_a_choice_is_kept_in_every_form(run: Path, tmp_path: Path) -> None:
    kind = issues_of_run(run).issues[-1].kind
    wanted = [issue for issue in issues_of_run(run).issues if issue.kind == kind][:5]
    target = tmp_path / "chosen.jsonl"
    call("issues", run, "--kind", kind, "--top", 5, "-o", target)
    assert [json.loads(line)["id"] for line in target.read_text().splitlines()] == [issue.id for issue in wanted]
    table = tmp_path / "chosen.csv"
    call("issues", run, "--kind", kind, "--top", 5, "-o", table)
    with table.open(newline="") as stream:
        assert [int(row["sentence"]) for row in csv.DictReader(stream)] == [issue.sentence for issue in wanted]
    with pytest.raises(InputError, match="already exists"):
        call("issues", run, "-o", table)


def test_a_model_assesses_a_corpus_of_its_own(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "assessed.jsonl"
    done = call("issues", run / "model-best", "demo:dev", "-o", target, "--min-score", "0.5")
    assert done.exit_code == 0
    records = [json.loads(line) for line in target.read_text().splitlines()]
    assert all(record["score"] >= 0.5 and record["held"] is None for record in records)
    assert [record["score"] for record in records] == sorted((record["score"] for record in records), reverse=True)


@pytest.mark.parametrize("lacking", ["issues.jsonl", "given.jsonl"])
def test_a_run_that_lacks_a_file_is_refused(run: Path, tmp_path: Path, lacking: str) -> None:
    old = tmp_path / "old"
    old.mkdir()
    for name in {"manifest.json", "issues.jsonl", "given.jsonl"} - {lacking}:
        shutil.copy(run / name, old / name)
    with pytest.raises(InputError, match=f"contains no {lacking}: the run is unfinished"):
        issues_of_run(old)
    with pytest.raises(InputError, match="is no run"):
        issues_of_run(tmp_path)


def test_files_of_different_runs_are_refused(run: Path, tmp_path: Path) -> None:
    mixed = tmp_path / "mixed"
    mixed.mkdir()
    for name in ("manifest.json", "issues.jsonl"):
        shutil.copy(run / name, mixed / name)
    first = (run / "given.jsonl").read_text().splitlines()[0]
    (mixed / "given.jsonl").write_text(first + "\n")
    with pytest.raises(InputError, match=r"sentence \d+ does not exist: given.jsonl has 1"):
        issues_of_run(mixed)


def test_what_models_are_least_sure_of_may_come_first(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "unsure.jsonl"
    call("issues", run, "--order", "unsure", "-o", target)
    written = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    gaps = [abs(issue["given_score"] - issue["suggested_score"]) for issue in written]
    assert gaps == sorted(gaps)
    assert {issue["id"] for issue in written} == {issue.id for issue in issues_of_run(run)}


def test_forms_are_chosen_ordered_and_written_like_issues(tmp_path: Path) -> None:
    forms = ("issues", write_run(tmp_path / "run"), "--by", "form")
    assert call(*forms, "--kind", "missed", "--top", "1").stdout.splitlines()[1].split()[2:5] == ["New", "York", "O"]
    assert call(*forms, "--order", "unsure").stdout.splitlines()[1].split()[2] == "Reuters"
    call(*forms, "-o", tmp_path / "forms.jsonl")
    call(*forms, "-o", tmp_path / "forms.csv")
    records = [json.loads(line) for line in (tmp_path / "forms.jsonl").read_text().splitlines()]
    with (tmp_path / "forms.csv").open(newline="") as stream:
        assert [row["form"] for row in csv.DictReader(stream)] == [record["form"] for record in records]
    with pytest.raises(InputError, match="use --to jsonl or csv"):
        call(*forms, "-o", tmp_path / "tasks.json", "--to", "doccano")
    assert not (tmp_path / "tasks.json").exists()

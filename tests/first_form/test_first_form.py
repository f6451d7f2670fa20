"""What the first version wrote can still be read, and says the same."""

import json
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomli_w

import trustag
from tests.cli.test_commands import run as command
from trustag import NoisyNER
from trustag.errors import InputError
from trustag.figures.case_study import case_study
from trustag.figures.self_training_rounds import self_training
from trustag.figures.training_dynamics import training_dynamics
from trustag.methods.table import load_recipe
from trustag.models.bilstm import BiLSTMEncoder
from trustag.models.tagger import Tagger
from trustag.review.decisions import DecisionLog
from trustag.review.reviewed_run import open_reviewed_run
from trustag.review.session import ReviewAction, ReviewSession
from trustag.runs.issue_files import issues_of_run
from trustag.runs.reading import RunFiles, open_runs

HERE = Path(__file__).parent
RECORDED: dict[str, Any] = json.loads((HERE / "recorded.json").read_text(encoding="utf-8"))
TOKENS: list[list[str]] = RECORDED["tokens"]


@pytest.fixture
def old_run(tmp_path: Path) -> Path:
    """A copy of the run, to write into."""
    return Path(shutil.copytree(HERE / "run", tmp_path / "run"))


def opened(path: Path) -> RunFiles:
    (found,) = open_runs([path])
    return found


@pytest.mark.parametrize("name", ["model", "softmax-model", "run"])
def test_models_predict_what_they_predicted(name: str) -> None:
    predictor, recorded = trustag.load(HERE / name), RECORDED[name]
    assert [list(labels) for labels in predictor.predict_tokens(TOKENS)] == recorded["predictions"]
    for found, expected in zip(predictor.predict_marginals(TOKENS[-2:]), recorded["marginals"], strict=True):
        assert found == pytest.approx(np.array(expected), abs=2e-6)


def test_a_model_told_to_look_words_up_as_they_are_spelled_still_does() -> None:
    facts = json.loads((HERE / "softmax-model" / "model.json").read_text())
    assert facts["recipe"]["bilstm"]["case_fallback"] is False
    forgiving, exact = (trustag.load(HERE / name) for name in ("model", "softmax-model"))
    word = next(word for word in facts["vocabulary"]["learned"] if word.islower() and word.isalpha())
    for predictor, is_forgiving in ((forgiving, True), (exact, False)):
        assert isinstance(predictor.tagger, Tagger)
        encoder = predictor.tagger.network.encoder
        assert isinstance(encoder, BiLSTMEncoder)
        assert (encoder.vocabulary.word(word.upper()) == encoder.vocabulary.word(word)) is is_forgiving


def test_an_estimator_is_as_it_was() -> None:
    estimator, recorded = NoisyNER.load(HERE / "estimator"), RECORDED["estimator"]
    assert [*estimator.labels_] == recorded["labels"]
    assert [*estimator.predict(TOKENS)] == recorded["predictions"]
    assert estimator.relabelled_ == recorded["relabelled"]
    assert len(estimator.changes_) == recorded["changes"]
    assert estimator.confidence_ is not None
    assert estimator.trusted_ is not None
    assert [row.tolist() for row in estimator.trusted_] == recorded["trusted"]
    for found, expected in zip(estimator.confidence_, recorded["confidence"], strict=True):
        assert found.tolist() == pytest.approx([math.nan if v == "nan" else v for v in expected], nan_ok=True)
    rates = recorded["rates"]
    assert estimator.noise_rates_ is not None
    assert estimator.noise_rates_.rates.negative == rates["negative"]
    assert dict(estimator.noise_rates_.rates.by_group) == rates["apart"]
    assert estimator.recipe_.method["rounds"]["fold_epochs"] == 30


def test_an_estimator_saved_again_says_the_same(tmp_path: Path) -> None:
    NoisyNER.load(HERE / "estimator").save(tmp_path / "again")
    again = NoisyNER.load(tmp_path / "again")
    assert [*again.predict(TOKENS)] == RECORDED["estimator"]["predictions"]


def test_fitting_an_old_estimator_again_names_the_new_settings() -> None:
    estimator = NoisyNER.load(HERE / "estimator")
    with pytest.raises(InputError, match="'rounds.fold_epochs' is now called 'method.rounds.fold_epochs'"):
        estimator.fit([["Ann"]], [["B-PER"]])


def test_the_files_of_a_run_are_read() -> None:
    found, manifest = opened(HERE / "run"), json.loads((HERE / "run" / "manifest.json").read_text())
    assert found.method == "confidence (global, auto rates)"
    assert found.has_rounds
    assert found.manifest.test is not None
    assert found.manifest.test.f1 == manifest["test"]["f1"]
    assert found.manifest.baseline is not None
    assert found.manifest.baseline.test is not None
    assert found.manifest.baseline.test.f1 == manifest["plain"]["test"]["f1"]
    assert found.rates is not None
    assert dict(found.rates.by_group) == manifest["labels"]["rates"]["apart"]
    assert found.rates.truncated_entities is not None
    assert len(found.rounds) == 2
    assert found.rounds[0].rates is not None
    assert [len(epochs) for epochs in found.fold_epochs(1)] == [30, 30]
    assert len(found.changes) == 7
    assert found.labels is not None
    assert found.labels.has_gold


def test_its_recipe_is_a_recipe_of_today() -> None:
    recipe = load_recipe(str(HERE / "run" / "recipe.toml"))
    assert (recipe.model.head, recipe.bilstm.hidden) == ("crf", 4)
    assert (recipe.method["name"], recipe.method["rounds"]["count"]) == ("confidence", 2)


def test_figures_have_their_numbers() -> None:
    run = opened(HERE / "run")
    rounds = self_training(run)
    assert [facts.round for facts in rounds.rounds] == [1, 2]
    dynamics = training_dynamics(run)
    assert (dynamics.models, len(dynamics.epochs)) == (2, 30)
    assert dynamics.lacking == ("confidence in wrong entity labels: there are none",)
    assert case_study(run).cases


def test_issues_are_listed(tmp_path: Path) -> None:
    lines = (HERE / "run" / "issues.jsonl").read_text().splitlines()
    found = issues_of_run(HERE / "run")
    assert len(found.issues) == len(lines) == 16
    done = command("issues", str(HERE / "run"), "-o", "issues.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / "issues.jsonl").read_text().splitlines()) == 16


def test_a_report_is_written(old_run: Path) -> None:
    done = command("report", str(old_run))
    assert (done.returncode, done.stderr) == (0, "")
    page = (old_run / "report.html").read_text(encoding="utf-8")
    assert "confidence.cut_names" in page


def test_an_old_run_is_compared_with_others(old_run: Path) -> None:
    shutil.copytree(old_run, old_run.parent / "other")
    recipe = old_run.parent / "other" / "recipe.toml"
    recipe.write_text(recipe.read_text().replace("members = 1", "members = 3").replace("\ncount = 2", "\ncount = 4"))
    done = command("compare", "run", "other", "--json", cwd=old_run.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["differing"] == {"method.rounds.count": [2, 4]}


def test_an_old_and_a_new_recipe_with_the_same_settings_do_not_differ(old_run: Path) -> None:
    shutil.copytree(old_run, old_run.parent / "other")
    recipe = load_recipe(str(old_run / "recipe.toml")).model_dump()
    (old_run.parent / "other" / "recipe.toml").write_text(tomli_w.dumps(recipe))
    done = command("compare", "run", "other", "--json", cwd=old_run.parent)
    assert json.loads(done.stdout)["differing"] == {}


def test_decisions_are_in_force_and_others_can_be_added(old_run: Path) -> None:
    reviewed = open_reviewed_run(old_run)
    log = DecisionLog(reviewed.decisions, reviewed.fingerprint, reviewed.older_fingerprint)
    session = ReviewSession(reviewed, log)
    statuses = {name: session.status(session.issue(name)) for name in RECORDED["decisions"]}
    assert statuses == RECORDED["decisions"]
    assert session.progress().decided == 2
    (name,) = (name for name, status in statuses.items() if status == "open")
    session.decide(ReviewAction(name, 0, "accepted", "bob"))
    assert session.status(session.issue(name)) == "accepted"
    session.close()


def test_decisions_are_applied(old_run: Path) -> None:
    done = command("apply", "run", "-o", "corrected.conll", cwd=old_run.parent)
    assert done.returncode == 0, done.stderr
    records = (old_run.parent / "corrected.conll.changes.jsonl").read_text().splitlines()
    assert len(records) == 2

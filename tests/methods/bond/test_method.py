"""BOND as a run: its stages, which model is kept, and where it is the plain training."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.methods.generated import generated_corpus
from tests.methods.test_laws import corpus
from tests.models.tiny_transformers import save_bert
from tests.training.run_files import checksums
from tests.training.small import here, small_network, small_recipe, small_task
from trustag.cli.summary import in_words
from trustag.errors import InputError
from trustag.methods.bond.settings import BONDSettings
from trustag.methods.table import choose_method, load_recipe
from trustag.pipeline import Destination, TrainResult, train_in
from trustag.training.jobs import JobReport, RunReport
from trustag.training.objectives import GivenLabels
from trustag.training.schedule import FitSchedule

RECIPE = small_recipe("model.head=softmax", "training.epochs=8", method="bond")
TASK = small_task(RECIPE, corpus())
NETWORK = small_network(TASK.corpus.labels, TASK.corpus.tokens, RECIPE)
SCHEDULE = FitSchedule(seed=3, epochs=6, patience=4, batch_size=4, nominal_epochs=8)


def trained(path: Path, *changes: str, method: str = "bond") -> TrainResult:
    sizes = ("bilstm.words=20", "bilstm.hidden=20", "bilstm.dropout=0.1", "model.head=softmax")
    loop = ("training.batch_size=4", "training.learning_rate=0.03")
    return train_in(generated_corpus(), small_recipe(*sizes, *loop, *changes, method=method), Destination(path), here())


def test_without_a_second_stage_it_is_the_plain_training(tmp_path: Path) -> None:
    """Begin step infinity: BOND is its stage one."""
    alone = trained(tmp_path / "bond", "training.epochs=3", "method.early_share=1.0", "method.student_share=0.0")
    plain = trained(tmp_path / "plain", "training.epochs=3", method="bilstm-crf")
    models = [checksums(run.run.path, [run.run.path / "model-best" / "weights.safetensors"]) for run in (alone, plain)]
    assert models[0] == models[1]
    chosen = choose_method(small_recipe("model.head=softmax", "method.student_share=0.0", method="bond"))
    assert [stage.name for stage in chosen.method.plan(TASK, chosen.settings)] == ["stage-one"]


@pytest.mark.slow
@pytest.mark.parametrize("labels", ["soft", "hard"])
def test_both_stages_are_scored_and_the_better_one_on_dev_is_kept(labels: str, tmp_path: Path) -> None:
    lasting = ("training.epochs=10", "method.early_share=0.9", "method.student_share=0.6")
    run = trained(tmp_path / "run", *lasting, f"method.pseudo_labels={labels}")
    assert set(run.compared) == {"stage-one", "stage-two"}
    dev = {name: scores.dev.micro.f1 for name, scores in run.compared.items() if scores.dev is not None}
    kept = max(dev, key=lambda name: (dev[name], name))
    assert set(run.others) == {"stage-one", "stage-two"}
    manifest = json.loads(run.run.manifest.read_text())
    assert "rounds" not in manifest
    assert {name: scores["dev"]["f1"] for name, scores in manifest["compared"].items()} == pytest.approx(dev)
    shown = "\n".join(in_words(run, RECIPE))
    assert all(f"  {name} " in shown for name in dev)
    assert run.facts["kept"] == {"name": f"model of {kept}", "reason": "it has the best dev F1"}
    assert run.scores.test is not None
    assert run.scores.test.micro.f1 > 0.85
    assert run.analysis is not None
    assert run.analysis.detection is not None
    assert run.analysis.detection.negative.recall > 0.5


def test_stages_last_their_share_of_a_stretched_training() -> None:
    settings = BONDSettings(early_share=0.25, student_share=0.75)
    chosen = choose_method(load_recipe(method="bond"))
    long = replace(TASK, training=TASK.training.model_copy(update={"least_steps": 60, "epochs": 8}))
    whole = long.fit(GivenLabels()).schedule.epochs
    assert whole == 30
    assert [stage.epochs for stage in chosen.method.plan(long, settings)] == [8, 22]


def test_a_crf_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the method bond needs a softmax head"):
        train_in(corpus(), small_recipe(method="bond"), Destination(tmp_path / "run"), here())


@pytest.mark.slow
@pytest.mark.parametrize("encoder", ["transformer", "context"])
def test_any_encoder_can_be_student_and_teacher(encoder: str, tmp_path: Path) -> None:
    folder = save_bert(tmp_path / "bert")
    named = {
        "transformer": ("model.encoder=transformer", f"transformer.name='{folder}'"),
        "context": (f"bilstm.context='{folder}'",),
    }[encoder]
    changes = ("model.head=softmax", "training.epochs=2", "method.threshold=0.1", *named)
    recipe = small_recipe(*changes, "method.early_share=0.5", "method.student_share=1.0", method="bond")

    def stop(report: RunReport) -> None:
        if isinstance(report, JobReport) and report.job == "stage-two":
            raise InterruptedError

    whole = train_in(corpus(), recipe, Destination(tmp_path / "whole"), here())
    assert set(whole.compared) == {"stage-one", "stage-two"}
    with pytest.raises(InterruptedError):
        train_in(corpus(), recipe, Destination(tmp_path / "run"), here(report=stop))
    again = train_in(corpus(), recipe, Destination(tmp_path / "run", resume=True), here())
    names = ("model-best/*.safetensors", "issues.jsonl", "confidence.npz", "metrics.jsonl")
    one, other = (
        checksums(own.run.path, [file for name in names for file in own.run.path.glob(name)]) for own in (whole, again)
    )
    assert one == other

"""One seed, one result; a run resumed after any interruption equals an unbroken one, byte for byte."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
import torch

from tests.training.run_files import models_and_metrics
from tests.training.small import here, noisy_corpus, small_corpus, small_recipe
from trustag.corpora.locating import stream
from trustag.engines.worker_processes import WorkerProcesses
from trustag.errors import InputError
from trustag.notes import Note, unwatched
from trustag.pipeline import Destination, RunContext, TrainResult, train, train_in
from trustag.recipes.settings import Recipe
from trustag.runs.finishing import FinishedRunError
from trustag.runs.folder import fingerprint
from trustag.text.sentences import GIVEN, REVIEWED, Corpus, Sentence
from trustag.training.jobs import RunReport


def run_to(path: Path, *changes: str, resume: bool = False, notes: list[Note] | None = None) -> TrainResult:
    watch = notes.append if notes is not None else unwatched
    return train_in(small_corpus(), small_recipe(*changes), Destination(path, resume=resume), here(watch))


class Interruption(Exception):  # noqa: N818
    """Stands for whatever stops a run from inside."""


def interrupted_run(path: Path, after: int, *changes: str) -> None:
    """Run until ``after`` reports have been given, then break off."""
    seen = 0

    def count(report: RunReport) -> None:
        nonlocal seen
        seen += 1
        if seen == after:
            raise Interruption

    with pytest.raises(Interruption):
        train_in(small_corpus(), small_recipe(*changes), Destination(path), here(report=count))


VARIANTS = [
    (),
    ("training.optimizer=sgd", "training.learning_rate=0.1"),
    ("bilstm.finetune_vectors=false", "training.average=0.9"),
    ("bilstm.finetune_vectors=true", "training.optimizer=sgd", "bilstm.singletons=0.5"),
    ("training.batches=fixed", "model.head=softmax", "training.optimizer=adam"),
    ("model.constraints=training", "training.loss=sum", "training.clip=0.0"),
]


@pytest.mark.slow
@pytest.mark.parametrize("changes", VARIANTS)
def test_the_same_seed_gives_the_same_run_and_resuming_changes_nothing(
    tmp_path: Path, changes: tuple[str, ...]
) -> None:
    run_to(tmp_path / "whole", *changes)
    expected = models_and_metrics(tmp_path / "whole")
    torch.manual_seed(99)
    run_to(tmp_path / "again", *changes)
    assert models_and_metrics(tmp_path / "again") == expected
    for after in (9, 11, 18):
        broken = tmp_path / f"broken-{after}"
        interrupted_run(broken, after, *changes)
        torch.manual_seed(after)
        run_to(broken, *changes, resume=True)
        assert models_and_metrics(broken) == expected


def test_another_seed_gives_another_run(tmp_path: Path) -> None:
    run_to(tmp_path / "one")
    run_to(tmp_path / "two", "training.seed=2")
    assert models_and_metrics(tmp_path / "one") != models_and_metrics(tmp_path / "two")


def test_resuming_a_finished_run_changes_nothing(tmp_path: Path) -> None:
    run_to(tmp_path / "run")
    expected = models_and_metrics(tmp_path / "run")
    with pytest.raises(FinishedRunError):
        run_to(tmp_path / "run", resume=True)
    assert models_and_metrics(tmp_path / "run") == expected


def test_a_broken_checkpoint_changes_nothing_and_is_named(tmp_path: Path) -> None:
    run_to(tmp_path / "whole")
    interrupted_run(tmp_path / "run", 20)
    newest = max((tmp_path / "run" / "jobs").glob("*/checkpoints/epoch-*"))
    (newest / "tensors.safetensors").write_bytes(b"broken")
    notes: list[Note] = []
    run_to(tmp_path / "run", resume=True, notes=notes)
    assert [note.reason for note in notes] == ["broken checkpoint"]
    assert models_and_metrics(tmp_path / "run") == models_and_metrics(tmp_path / "whole")


def test_other_settings_or_data_are_not_resumed(tmp_path: Path) -> None:
    interrupted_run(tmp_path / "run", 9)
    with pytest.raises(InputError, match="was begun with other settings"):
        run_to(tmp_path / "run", "training.seed=3", resume=True)
    destination = Destination(tmp_path / "run", resume=True)
    with pytest.raises(InputError, match="was begun on other data"):
        train(small_corpus(train=59), small_recipe(), destination)
    with pytest.raises(InputError, match="already exists"):
        run_to(tmp_path / "run")


KILLED = """
    import sys
    from pathlib import Path
    from tests.pipeline.test_train_run import run_to
    run_to(Path(sys.argv[1]), "training.epochs=6", resume=True)
"""


@pytest.mark.slow
def test_killed_at_random_moments_the_run_ends_the_same(tmp_path: Path) -> None:
    run_to(tmp_path / "whole", "training.epochs=6")
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(KILLED))
    command = [sys.executable, str(script), str(tmp_path / "run")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "5"}
    kills = 0
    for delay in (0.05, 0.3, 0.6, 0.9, 1.2, 0.2):
        process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        began = time.monotonic()
        while time.monotonic() - began < 60 and process.poll() is None:
            if (tmp_path / "run" / "manifest.json").exists():
                time.sleep(delay)
                break
            time.sleep(0.01)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.wait()
    assert subprocess.run(command, env=environment, check=False).returncode == 0
    assert kills >= 3
    assert models_and_metrics(tmp_path / "run") == models_and_metrics(tmp_path / "whole")


@pytest.mark.parametrize(
    ("sentences", "message"),
    [((), "holds no sentence"), ((Sentence(("a",), ("O",)),), "holds no entity")],
)
def test_a_corpus_without_anything_to_learn_is_refused(
    tmp_path: Path, sentences: tuple[Sentence, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        train(Corpus(sentences), small_recipe(), Destination(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_unusual_corpora_can_be_trained_on(tmp_path: Path) -> None:
    odd = (
        Sentence(("Ann",), ("B-X",)),
        Sentence((), ()),
        Sentence(("b", "Ann", "c"), (None, "I-X", None)),
        Sentence(("", "x" * 500), ("O", "B-only-once")),
    )
    notes: list[Note] = []
    result = train(Corpus(odd), small_recipe(), Destination(tmp_path / "run"), watch=notes.append)
    assert (result.scores.dev, result.scores.test) == (None, None)
    assert result.best_epoch == 2
    assert {note.kind for note in notes} == {"left out", "repaired"}


def test_training_without_vectors_must_be_asked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="bilstm.random_vectors=true"):
        run_to(tmp_path / "run", "bilstm.random_vectors=false")


def test_long_sentences_are_taken_a_few_at_a_time_and_that_is_said(tmp_path: Path) -> None:
    notes: list[Note] = []
    run_to(tmp_path / "bounded", "training.batch_tokens=30", notes=notes)
    (noted,) = [note.detail for note in notes if note.reason == "long sentences"]
    assert noted == "2 per step instead of 8 (training.batch_tokens=30)"
    run_to(tmp_path / "asked", "training.batch_size=2")
    bounded, asked = (models_and_metrics(tmp_path / name) for name in ("bounded", "asked"))
    assert {name: bounded[name] for name in bounded if name != "recipe.toml"} == {
        name: asked[name] for name in asked if name != "recipe.toml"
    }


def test_other_reviews_are_other_data() -> None:
    sentence = Sentence(("a",), ("O",))
    given, reviewed = (Sentence(("a",), ("O",), token_sources=(source,)) for source in (GIVEN, REVIEWED))
    assert fingerprint([sentence]) == fingerprint([given]) != fingerprint([reviewed])


@pytest.mark.slow
def test_workers_of_the_caller_or_a_number_of_them_give_the_same(tmp_path: Path) -> None:
    recipe = small_recipe("training.epochs=1", "method.rounds.fold_epochs=1", method="self-training")
    corpus = Corpus(noisy_corpus().train[:12])
    train(corpus, recipe, Destination(tmp_path / "one"))
    train(corpus, recipe, Destination(tmp_path / "two"), workers=2)
    with WorkerProcesses(2) as engine:
        train_in(corpus, recipe, Destination(tmp_path / "own"), RunContext(engine))
    assert len({str(models_and_metrics(tmp_path / name)) for name in ("one", "two", "own")}) == 1


def test_the_settings_of_the_method_are_written_out(tmp_path: Path) -> None:
    recipe = small_recipe("training.epochs=1")
    bare = Recipe(**{**recipe.model_dump(), "method": {"name": "bilstm-crf"}})
    train(small_corpus(), bare, Destination(tmp_path / "run"))
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["method"] == "bilstm-crf"


def test_a_run_keeps_the_corpus_it_was_given(tmp_path: Path) -> None:
    corpus = small_corpus()
    run_to(tmp_path / "run")
    kept = list(stream(str(tmp_path / "run" / "given.jsonl")))
    assert [(sentence.tokens, sentence.labels) for sentence in kept] == [
        (sentence.tokens, sentence.labels) for sentence in corpus.train
    ]

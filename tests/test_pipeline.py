"""One seed, one result; a run resumed after any interruption equals an unbroken one, byte for byte."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
import torch

from tests.training.small import here, small_corpus, small_recipe
from trustag.corpora.locating import stream
from trustag.errors import InputError
from trustag.notes import Note, unwatched
from trustag.text.sentences import Corpus, Sentence
from trustag.training.jobs import RunReport
from trustag.training.loop import EpochReport


def run_to(path: Path, *changes: str, resume: bool = False, notes: list[Note] | None = None) -> Trained:
    watch = notes.append if notes is not None else unwatched
    return train(small_corpus(), small_recipe(*changes), None, Destination(path, resume=resume), here(watch))


def outcome(path: Path) -> dict[str, str]:
    """Return a checksum of everything in a run that must not depend on when and where it ran."""
    files = [*path.glob("model-*/*"), path / "metrics.jsonl", path / "recipe.toml"]
    return {str(file.relative_to(path)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


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
        train(small_corpus(), small_recipe(*changes), None, Destination(path), here(unwatched, count))


VARIANTS = [
    (),
    ("training.optimizer=sgd", "training.momentum=0.5", "training.learning_rate=0.1"),
    ("bilstm.vectors_learn=true", "training.average=0.9"),
    ("bilstm.vectors_learn=true", "training.optimizer=sgd", "bilstm.word_dropout=0.2", "bilstm.singletons=0.5"),
    ("training.batches=fixed", "model.chain=false", "training.optimizer=adam"),
    ("model.constraints=training", "training.loss=sum", "training.clip=0.0"),
]


@pytest.mark.parametrize("changes", VARIANTS)
def test_the_same_seed_gives_the_same_run_and_resuming_changes_nothing(
    tmp_path: Path, changes: tuple[str, ...]
) -> None:
    run_to(tmp_path / "whole", *changes)
    expected = outcome(tmp_path / "whole")
    torch.manual_seed(99)
    run_to(tmp_path / "again", *changes)
    assert outcome(tmp_path / "again") == expected
    for after in (9, 11, 18):
        broken = tmp_path / f"broken-{after}"
        interrupted_run(broken, after, *changes)
        torch.manual_seed(after)
        run_to(broken, *changes, resume=True)
        assert outcome(broken) == expected


def test_a_run_keeps_the_corpus_it_was_given(tmp_path: Path) -> None:
    corpus = small_corpus()
    run_to(tmp_path / "run")
    kept = list(stream(str(tmp_path / "run" / "given.jsonl")))
    assert [(sentence.tokens, sentence.labels) for sentence in kept] == [
        (sentence.tokens, sentence.labels) for sentence in corpus.train
    ]


def test_another_seed_gives_another_run(tmp_path: Path) -> None:
    run_to(tmp_path / "one")
    run_to(tmp_path / "two", "training.seed=2")
    assert outcome(tmp_path / "one") != outcome(tmp_path / "two")


def test_resuming_a_finished_run_changes_nothing(tmp_path: Path) -> None:
    run_to(tmp_path / "run")
    expected = outcome(tmp_path / "run")
    run_to(tmp_path / "run", resume=True)
    assert outcome(tmp_path / "run") == expected


@pytest.mark.parametrize("damage", ["truncate", "garble", "remove", "empty"])
def test_a_broken_checkpoint_is_passed_over_and_said(tmp_path: Path, damage: str) -> None:
    run_to(tmp_path / "whole")
    interrupted_run(tmp_path / "run", 20)
    newest = max((tmp_path / "run" / "checkpoints").iterdir())
    tensors = newest / "tensors.safetensors"
    if damage == "truncate":
        tensors.write_bytes(tensors.read_bytes()[:-100])
    elif damage == "garble":
        data = bytearray(tensors.read_bytes())
        data[-50] ^= 255
        tensors.write_bytes(bytes(data))
    elif damage == "remove":
        tensors.unlink()
    else:
        (newest / "progress.json").write_text("")
    notes: list[Note] = []
    run_to(tmp_path / "run", resume=True, notes=notes)
    assert [note.reason for note in notes] == ["broken checkpoint"]
    assert outcome(tmp_path / "run") == outcome(tmp_path / "whole")


def test_other_settings_or_data_are_not_resumed(tmp_path: Path) -> None:
    interrupted_run(tmp_path / "run", 9)
    with pytest.raises(InputError, match="was begun with other settings"):
        run_to(tmp_path / "run", "training.seed=3", resume=True)
    destination = Destination(tmp_path / "run", resume=True)
    with pytest.raises(InputError, match="was begun on other data"):
        train(small_corpus(train=59), small_recipe(), None, destination, here(unwatched))
    with pytest.raises(InputError, match="exists already"):
        run_to(tmp_path / "run")


KILLED = """
    import sys
    from pathlib import Path
    from tests.training.test_train import run_to
    run_to(Path(sys.argv[1]), "training.epochs=6", resume=True)
"""


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
    assert outcome(tmp_path / "run") == outcome(tmp_path / "whole")


def test_a_run_says_what_it_was_and_what_came_out(tmp_path: Path) -> None:
    trained = run_to(tmp_path / "run")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["seed"] == 1
    assert set(manifest["data"]) == {"train", "dev", "test"}
    assert trained.scores.test is not None
    assert manifest["test"]["f1"] == trained.scores.test.micro.f1
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    assert [EpochReport(**line) for line in lines] == list(trained.history)
    assert not (tmp_path / "run" / "checkpoints").exists()


@pytest.mark.parametrize(
    ("sentences", "message"),
    [((), "holds no sentence"), ((Sentence(("a",), ("O",)),), "holds no entity")],
)
def test_a_corpus_without_anything_to_learn_is_refused(
    tmp_path: Path, sentences: tuple[Sentence, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        train(Corpus(sentences), small_recipe(), None, Destination(tmp_path / "run"), here(unwatched))
    shutil.rmtree(tmp_path / "run", ignore_errors=True)


def test_unusual_corpora_can_be_trained_on(tmp_path: Path) -> None:
    odd = (
        Sentence(("Ann",), ("B-X",)),
        Sentence((), ()),
        Sentence(("b", "Ann", "c"), (None, "I-X", None)),
        Sentence(("", "x" * 500), ("O", "B-only-once")),
    )
    notes: list[Note] = []
    trained = train(Corpus(odd), small_recipe(), None, Destination(tmp_path / "run"), here(notes.append))
    assert (trained.scores.dev, trained.scores.test) == (None, None)
    assert trained.best_epoch == 2
    assert {note.kind for note in notes} == {"left out", "repaired"}


def test_training_without_vectors_must_be_asked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no word vectors were given; name a file with --vectors"):
        run_to(tmp_path / "run", "bilstm.random_vectors=false")


def test_long_sentences_are_taken_a_few_at_a_time_and_that_is_said(tmp_path: Path) -> None:
    notes: list[Note] = []
    run_to(tmp_path / "bounded", "training.batch_tokens=30", notes=notes)
    (told,) = [note.detail for note in notes if note.reason == "long sentences"]
    assert told == "a step takes 2 of them instead of 8 (training.batch_tokens=30)"
    run_to(tmp_path / "asked", "training.batch_size=2")
    bounded, asked = (outcome(tmp_path / name) for name in ("bounded", "asked"))
    assert {name: bounded[name] for name in bounded if name != "recipe.toml"} == {
        name: asked[name] for name in asked if name != "recipe.toml"
    }

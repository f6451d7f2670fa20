"""Trainings that take a second: a few sentences of the demo corpus and a tiny network."""

from collections.abc import Mapping
from pathlib import Path

from tests.cli.test_commands import run


def settings(*chosen: str) -> list[str]:
    """Return the options that make settings so: ``settings("training.epochs=2")``."""
    return [part for setting in chosen for part in ("--set", setting)]


SIZES = settings("bilstm.words=8", "bilstm.hidden=8", "bilstm.characters=6", "bilstm.character_hidden=6")
TINY = [*SIZES, *settings("bilstm.random_vectors=true", "training.batch_size=8")]
BASELINE = ["--method", "bilstm-crf", *TINY]


def write_splits(folder: Path, counts: Mapping[str, int]) -> None:
    """Write the first sentences of each split of the demo corpus to files named after the splits."""
    for split, count in counts.items():
        whole = run("convert", f"demo:{split}", "-", "--quiet").stdout.split("\n\n")
        (folder / f"{split}.conll").write_text("\n\n".join(whole[:count]) + "\n\n")

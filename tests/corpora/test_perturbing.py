"""Only the training split is perturbed: others go along untouched into a folder, and stay behind for a file."""

from pathlib import Path

import pytest

from trustag.corpora.conversion import Conversion
from trustag.corpora.locating import locate, stream
from trustag.corpora.perturbing import perturb_corpus
from trustag.errors import InputError
from trustag.noise.perturbation import Perturbation
from trustag.notes import Note

TEXT = "".join(f"Ann{number} B-PER\nran O\nhome O\nagain O\n\n" for number in range(20))
RECIPE = Perturbation(recall=0.5, precision=1.0)


def corpus(folder: Path, *splits: str) -> Path:
    folder.mkdir()
    for split in splits:
        (folder / f"{split}.conll").write_text(TEXT)
    return folder


def forgotten(path: Path) -> int:
    """How many entities the labels lack that gold has."""
    found = list(stream(str(path)))
    return sum(label == "O" != gold for own in found for label, gold in zip(own.labels, own.gold or (), strict=True))


def test_a_folder_takes_every_split_and_only_train_is_noisy(tmp_path: Path) -> None:
    notes: list[Note] = []
    source = corpus(tmp_path / "in", "train", "dev", "test")
    done = perturb_corpus(locate(str(source)), tmp_path / "out", RECIPE, Conversion(), notes.append)
    written = {path.stem: path for path in (tmp_path / "out").iterdir()}
    assert set(written) == {"train", "dev", "test"}
    assert forgotten(written["train"]) == 10
    assert sum(own.labels != own.gold for own in done.sentences) == 10
    for split in ("dev", "test"):
        assert next(stream(str(written[split]))).gold is None
        assert [own.labels for own in stream(str(written[split]))] == [
            own.labels for own in stream(str(source / f"{split}.conll"))
        ]
    assert not [note for note in notes if "dev" in note.detail]


def test_a_file_takes_the_training_split_alone_and_says_so(tmp_path: Path) -> None:
    notes: list[Note] = []
    source = corpus(tmp_path / "in", "train", "dev")
    perturb_corpus(locate(str(source)), tmp_path / "out.jsonl", RECIPE, Conversion(), notes.append)
    assert forgotten(tmp_path / "out.jsonl") == 10
    assert [note for note in notes if "dev" in note.detail]


def test_a_single_split_is_perturbed_whatever_its_name(tmp_path: Path) -> None:
    source = corpus(tmp_path / "in", "dev")
    perturb_corpus(locate(f"{source}:dev"), tmp_path / "out.conll", RECIPE, Conversion(), lambda _: None)
    assert forgotten(tmp_path / "out.conll") == 10


def test_several_splits_without_a_training_split_are_refused(tmp_path: Path) -> None:
    source = corpus(tmp_path / "in", "dev", "test")
    with pytest.raises(InputError, match="train.*dev, test"):
        perturb_corpus(locate(str(source)), tmp_path / "out", RECIPE, Conversion(), lambda _: None)
    assert not (tmp_path / "out").exists()

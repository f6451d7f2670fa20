"""brat folders: every ``X.txt`` contains a text, and ``X.ann`` its entities as character offsets.

Each line of a text is a sentence, unless an entity continues across the line end. The sentences of one document are
written to one pair of files, sentences without a document to files of a hundred. A folder contains one split, or one
sub-folder per split. brat does not store tokens: the reader tokenizes the text again. ``--tokenizer whitespace``
restores the tokens of sentences that were joined by spaces.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from trustag.errors import InputError
from trustag.files.brat_annotations import read_annotations
from trustag.files.brat_writing import write_documents
from trustag.files.formats import FolderFormat, ReadOptions, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.raw_texts import RawText, TextReader
from trustag.files.splits import SPLITS, split_of
from trustag.notes import Watch
from trustag.text.sentences import Sentence, Source


def _splits(folder: Path) -> list[str]:
    found = _split_folders(folder)
    return [split for split in SPLITS if split in found]


def _split_folders(folder: Path) -> dict[str, Path]:
    """Return the folder of each split: sub-folders named after splits, or else the folder itself as ``train``."""
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        split = split_of(path.name) if path.is_dir() and _texts(path) else None
        if split is not None and split in found:
            raise InputError(f"both {found[split].name} and {path.name} exist", where=folder, remedy="keep one of them")
        if split is not None:
            found[split] = path
    if found and any(path.parent == folder for path in _texts(folder)):
        raise InputError(
            "contains both texts and folders of splits", where=folder, remedy="move the texts into one of the folders"
        )
    return found or ({"train": folder} if _texts(folder) else {})


def _texts(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*.txt")) if not path.name.startswith(".")]


def _read(path: Path, split: str, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:
    folder = _split_folders(path).get(split)
    if folder is None:
        raise InputError(f"no texts for the split {split!r}", where=path, remedy="a brat folder has X.txt and X.ann")
    for orphan in sorted(folder.rglob("*.ann")):
        if not orphan.name.startswith(".") and not orphan.with_suffix(".txt").is_file():
            raise InputError("there is no text file for these annotations", where=orphan, remedy="add the .txt file")
    texts = TextReader(replace(options, split_lines=True), watch)
    for text_path in _texts(folder):
        file = InputFile(text_path)
        text = file.text(keep_newlines=True)
        annotations = text_path.with_suffix(".ann")
        raw = RawText(
            text=text,
            spans=read_annotations(InputFile(annotations), text, watch) if annotations.is_file() else None,
            source=Source(file.name, 1),
            document=_document(text_path.relative_to(folder)),
            is_file=True,
        )
        yield from texts.sentences(raw)


def _document(path: Path) -> str:
    """Return the document name that a file name stands for; special characters are percent-encoded in it."""
    name = unquote(path.with_suffix("").as_posix())
    return name.encode(errors="surrogateescape").decode(errors="replace")


def _write(splits: Mapping[str, Iterable[Sentence]], folder: Path, options: WriteOptions, watch: Watch) -> None:  # noqa: ARG001
    for split, sentences in splits.items():
        if split not in SPLITS:
            raise InputError(f"this format has no split {split!r}", where=folder, remedy="use train, dev or test")
        target = folder if list(splits) == ["train"] else folder / split
        target.mkdir(exist_ok=True)
        write_documents(sentences, target, watch)


FORMAT: Final = FolderFormat(
    name="brat",
    summary="brat folder: X.txt with a text and X.ann with its entities as character offsets",
    room=frozenset({"unknown", "document", "gaps"}),
    splits=_splits,
    read=_read,
    write=_write,
)

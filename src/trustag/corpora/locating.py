"""Find the corpus a user names, whatever it is: a file, a folder with splits, standard input, or the built-in demo."""

import atexit
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from trustag.errors import InputError
from trustag.files.formats import FileFormat, FolderFormat, ReadOptions
from trustag.files.inputs import STANDARD_STREAM, InputFile
from trustag.files.sniffing import sniff
from trustag.files.splits import SPLITS, split_of
from trustag.files.table import find_format
from trustag.notes import Note, Watch, unwatched
from trustag.text.sentences import Corpus, Sentence, Source

DEMO: Final = "demo"
_NO_OPTIONS: Final = ReadOptions()

Stream: TypeAlias = Callable[[Watch], Iterator[Sentence]]


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read a corpus: its format and encoding, and what the format leaves open."""

    format: str = "auto"
    encoding: str = "utf-8"
    options: ReadOptions = _NO_OPTIONS


_PLAIN_READING: Final = Reading()


@dataclass(frozen=True, slots=True)
class Located:
    """A corpus that was found: the format it has and a way to stream each of its splits, as often as wanted."""

    name: str
    format: str
    streams: Mapping[str, Stream]
    is_single_file: bool

    def only_stream(self) -> Stream:
        """Return the stream of the only split; several are an error that says how to choose."""
        if len(self.streams) > 1:
            splits = ", ".join(self.streams)
            first = next(iter(self.streams))
            raise InputError(
                f"holds several splits ({splits})", where=self.name, remedy=f"choose one, as in {self.name}:{first}"
            )
        return next(iter(self.streams.values()))


def locate(name: str, reading: Reading = _PLAIN_READING) -> Located:
    """Return the corpus called ``name``; ``name:split`` keeps one split of it."""
    base, chosen = _split_choice(name)
    located = _locate_whole(base, reading)
    if chosen is None:
        return located
    if chosen not in located.streams:
        held = ", ".join(located.streams)
        raise InputError(f"holds no {chosen} split", where=base, remedy=f"it holds: {held}")
    return Located(name, located.format, {chosen: located.streams[chosen]}, is_single_file=True)


def stream(name: str, reading: Reading = _PLAIN_READING, watch: Watch = unwatched) -> Iterator[Sentence]:
    """Yield the sentences of the one split that ``name`` stands for."""
    return locate(name, reading).only_stream()(watch)


def read_corpus(name: str, reading: Reading = _PLAIN_READING, watch: Watch = unwatched) -> Corpus:
    """Return the train, dev and test split of the corpus called ``name``; a single file becomes the train split."""
    located = locate(name, reading)
    parts = {split: tuple(sentences(watch)) for split, sentences in located.streams.items()}
    for split in parts.keys() - set(SPLITS) if len(parts) > 1 else ():
        watch(Note("left out", "split that is neither train, dev nor test", split, Source(name)))
    if located.is_single_file:
        return Corpus(next(iter(parts.values())))
    return Corpus(parts.get("train", ()), parts.get("dev", ()), parts.get("test", ()))


def _split_choice(name: str) -> tuple[str, str | None]:
    base, colon, split = name.rpartition(":")
    if colon and not Path(name).exists() and split_of(split) == split:
        return base, split
    return name, None


def _locate_whole(name: str, reading: Reading) -> Located:
    if name == DEMO:
        return _demo()
    path = Path(name)
    file = InputFile(path, reading.encoding) if path != STANDARD_STREAM else _kept_standard_input(reading.encoding)
    if not file.path.exists():
        raise InputError(
            "no such file or folder", where=name, remedy='check the path, or use the built-in corpus "demo"'
        )
    found = find_format(sniff(file) if reading.format == "auto" else reading.format)
    if isinstance(found, FolderFormat):
        return _locate_folder(name, file.path, found, reading)
    if path.is_dir():
        return _locate_split_files(path, found, reading)
    return Located(
        name, found.name, {split_of(path.name) or "train": _file_stream(found, file, reading)}, is_single_file=True
    )


def _kept_standard_input(encoding: str) -> InputFile:
    """Return standard input as a temporary file, since detecting, surveying and reading take more than one pass."""
    with tempfile.NamedTemporaryFile(prefix="trustag-stdin-", delete=False) as kept:
        atexit.register(Path(kept.name).unlink, missing_ok=True)
        shutil.copyfileobj(sys.stdin.buffer, kept)
    return InputFile(Path(kept.name), encoding, shown_as="<stdin>")


def _file_stream(file_format: FileFormat, file: InputFile, reading: Reading) -> Stream:
    return lambda watch: file_format.read(file, reading.options, watch)


def _locate_split_files(folder: Path, file_format: FileFormat, reading: Reading) -> Located:
    files: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        split = split_of(path.name) if path.is_file() and not path.name.startswith(".") else None
        if split is not None and split in files:
            raise InputError(
                f"both {files[split].name} and {path.name} could be {split}", where=folder, remedy="name a file"
            )
        if split is not None:
            files[split] = path
    streams: dict[str, Stream] = {
        split: _file_stream(file_format, InputFile(files[split], reading.encoding), reading)
        for split in SPLITS
        if split in files
    }
    if not streams:
        raise InputError("holds no train, dev or test file", where=folder, remedy="name a file in it")
    return Located(str(folder), file_format.name, streams, is_single_file=False)


def _locate_folder(name: str, path: Path, folder_format: FolderFormat, reading: Reading) -> Located:
    def stream_of(split: str) -> Stream:
        return lambda watch: folder_format.read(path, split, reading.options, watch)

    held = folder_format.splits(path)
    if not held:
        raise InputError(f"holds nothing that looks like {folder_format.name}", where=name, remedy="check the folder")
    return Located(name, folder_format.name, {split: stream_of(split) for split in held}, is_single_file=len(held) == 1)


def _demo() -> Located:
    from trustag.corpora.demo import demo_corpus  # noqa: PLC0415 - generating it costs a second nobody else should pay

    def stream_of(split: str) -> Stream:
        return lambda watch: iter(getattr(demo_corpus(), split))  # noqa: ARG005

    return Located(DEMO, DEMO, {split: stream_of(split) for split in SPLITS}, is_single_file=False)

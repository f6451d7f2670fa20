"""Find the corpus a user names: a file, a folder with splits, standard input, or the built-in demo corpus."""

import atexit
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final, TypeAlias

from trustag.errors import InputError
from trustag.files.formats import FileFormat, FolderFormat, ReadOptions
from trustag.files.inputs import STANDARD_STREAM, InputFile
from trustag.files.registry import find_format
from trustag.files.sniffing import sniff
from trustag.files.splits import SPLITS, split_of
from trustag.notes import Note, Watch, unwatched
from trustag.text.labels import entity_types, similar_types
from trustag.text.sentences import Corpus, Sentence, Source

DEMO: Final = "demo"
_NO_OPTIONS: Final = ReadOptions()

Stream: TypeAlias = Callable[[Watch], Iterator[Sentence]]


@dataclass(frozen=True, slots=True)
class CorpusOptions:
    """How to read a corpus: its format, its encoding, and the options of its reader."""

    format: str = "auto"
    encoding: str = "utf-8"
    options: ReadOptions = _NO_OPTIONS


_DEFAULT_OPTIONS: Final = CorpusOptions()


@dataclass(frozen=True, slots=True)
class LocatedCorpus:
    """A corpus that was found: its format, and a function for each split that streams its sentences from the start."""

    name: str
    format: str
    streams: Mapping[str, Stream]
    is_single_file: bool

    def only_stream(self) -> Stream:
        """Return the stream of the only split; raise an error that says how to choose if there are several."""
        if len(self.streams) > 1:
            splits = ", ".join(self.streams)
            first = next(iter(self.streams))
            raise InputError(
                f"has several splits ({splits})", where=self.name, remedy=f"choose one, as in {self.name}:{first}"
            )
        return next(iter(self.streams.values()))


def locate(name: str, corpus_options: CorpusOptions = _DEFAULT_OPTIONS) -> LocatedCorpus:
    """Return the corpus called ``name``; ``name:split`` keeps one split of it."""
    base, chosen = split_choice(name)
    located = _locate_whole(base, corpus_options)
    if chosen is None:
        return located
    if chosen not in located.streams:
        available = ", ".join(located.streams)
        raise InputError(f"has no {chosen} split", where=base, remedy=f"choose one of: {available}")
    return LocatedCorpus(name, located.format, {chosen: located.streams[chosen]}, is_single_file=True)


def stream(name: str, corpus_options: CorpusOptions = _DEFAULT_OPTIONS, watch: Watch = unwatched) -> Iterator[Sentence]:
    """Yield the sentences of the only split of the corpus called ``name``, or of the split that ``name`` chooses."""
    return locate(name, corpus_options).only_stream()(watch)


def read_corpus(name: str, corpus_options: CorpusOptions = _DEFAULT_OPTIONS, watch: Watch = unwatched) -> Corpus:
    """Return the train, dev and test splits of the corpus called ``name``; a single file becomes the train split."""
    located = locate(name, corpus_options)
    parts = {split: tuple(sentences(watch)) for split, sentences in located.streams.items()}
    for split in parts.keys() - set(SPLITS) if len(parts) > 1 else ():
        watch(Note("left out", "split other than train, dev and test", split, Source(name)))
    every = chain.from_iterable(parts.values())
    for group in similar_types(entity_types(label for sentence in every for label in sentence.labels)):
        watch(Note("suspicious", "types that are probably one", " and ".join(map(repr, group)), Source(name)))
    if located.is_single_file:
        return Corpus(next(iter(parts.values())))
    return Corpus(parts.get("train", ()), parts.get("dev", ()), parts.get("test", ()))


def split_choice(name: str) -> tuple[str, str | None]:
    """Return the corpus and the split that ``name:split`` chooses; without a split, the name and ``None``."""
    base, colon, split = name.rpartition(":")
    if colon and not exists(name) and split_of(split) == split:
        return base, split
    return name, None


def exists(name: str) -> bool:
    """Tell whether there is a file or folder called ``name``; a name that is too long for a file belongs to none."""
    try:
        return Path(name).exists()
    except OSError:
        return False


def _locate_whole(name: str, corpus_options: CorpusOptions) -> LocatedCorpus:
    if name == DEMO:
        return _demo()
    path = Path(name)
    encoding = corpus_options.encoding
    file = InputFile(path, encoding) if path != STANDARD_STREAM else kept_standard_input(encoding)
    if not exists(str(file.path)):
        raise InputError(
            "no such file or folder", where=name, remedy='check the path, or use the built-in corpus "demo"'
        )
    return locate_file(name, file, corpus_options)


def locate_file(name: str, file: InputFile, corpus_options: CorpusOptions) -> LocatedCorpus:
    """Return the corpus in ``file``, which may be a folder; ``name`` is what the user calls it."""
    found = find_format(sniff(file) if corpus_options.format == "auto" else corpus_options.format)
    if isinstance(found, FolderFormat):
        return _locate_folder(name, file.path, found, corpus_options)
    if file.path.is_dir():
        return _locate_split_files(file.path, found, corpus_options)
    return LocatedCorpus(
        name,
        found.name,
        {split_of(Path(name).name) or "train": _file_stream(found, file, corpus_options)},
        is_single_file=True,
    )


def kept_standard_input(encoding: str) -> InputFile:
    """Return standard input as a temporary file, because detecting the format and reading take several passes."""
    with tempfile.NamedTemporaryFile(prefix="trustag-stdin-", delete=False) as kept:
        atexit.register(Path(kept.name).unlink, missing_ok=True)
        shutil.copyfileobj(sys.stdin.buffer, kept)
    return InputFile(Path(kept.name), encoding, shown_as="<stdin>")


def _file_stream(file_format: FileFormat, file: InputFile, corpus_options: CorpusOptions) -> Stream:
    return lambda watch: file_format.read(file, corpus_options.options, watch)


def _locate_split_files(folder: Path, file_format: FileFormat, corpus_options: CorpusOptions) -> LocatedCorpus:
    files: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        split = split_of(path.name) if path.is_file() and not path.name.startswith(".") else None
        if split is not None and split in files:
            raise InputError(
                f"both {files[split].name} and {path.name} look like the {split} split",
                where=folder,
                remedy="give one file instead of the folder",
            )
        if split is not None:
            files[split] = path
    streams: dict[str, Stream] = {
        split: _file_stream(file_format, InputFile(files[split], corpus_options.encoding), corpus_options)
        for split in SPLITS
        if split in files
    }
    if not streams:
        raise InputError("contains no train, dev or test file", where=folder, remedy="give a file in it instead")
    return LocatedCorpus(str(folder), file_format.name, streams, is_single_file=False)


def _locate_folder(name: str, path: Path, folder_format: FolderFormat, corpus_options: CorpusOptions) -> LocatedCorpus:
    def stream_of(split: str) -> Stream:
        return lambda watch: folder_format.read(path, split, corpus_options.options, watch)

    splits = folder_format.splits(path)
    if not splits:
        raise InputError(f"contains no data in the format {folder_format.name}", where=name, remedy="check the folder")
    return LocatedCorpus(
        name, folder_format.name, {split: stream_of(split) for split in splits}, is_single_file=len(splits) == 1
    )


def _demo() -> LocatedCorpus:
    from trustag.corpora.demo import demo_corpus  # noqa: PLC0415 - importing it takes a second

    def stream_of(split: str) -> Stream:
        return lambda watch: iter(getattr(demo_corpus(), split))  # noqa: ARG005

    return LocatedCorpus(DEMO, DEMO, {split: stream_of(split) for split in SPLITS}, is_single_file=False)

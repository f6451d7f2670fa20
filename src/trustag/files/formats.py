"""What defines a file format: its reader, its writer, and what it can store."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

from trustag.files.inputs import InputFile
from trustag.notes import Watch
from trustag.text.sentences import Sentence

Room: TypeAlias = Literal[
    "gold", "unknown", "tags", "token_sources", "columns", "id", "document", "comments", "gaps", "empty"
]
Occurrences: TypeAlias = Literal["unknown", "first", "all"]
LabelStudioLabels: TypeAlias = Literal["auto", "annotations", "predictions"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options for reading that a file does not determine itself.

    ``columns`` names the columns of CoNLL text; ``tokenizer`` splits the raw text of span formats into tokens (``auto``
    prefers the tokens in the file); ``split_lines`` makes every line of a raw text a separate sentence;
    ``label_studio`` says which labels of Label Studio files to read; ``occurrences`` says what the words of an entity
    are where they stand more often than they are listed; ``unlabelled`` says that the labels do not matter and may be
    missing; ``annotators`` says that the annotations of several people are to be kept apart, as columns.
    """

    columns: tuple[str, ...] | None = None
    delimiter: str | None = None
    tokenizer: str = "auto"
    split_lines: bool = False
    label_studio: LabelStudioLabels = "auto"
    occurrences: Occurrences = "unknown"
    unlabelled: bool = False
    annotators: bool = False


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """Options for writing that the format does not determine.

    ``tags`` are all labels that will be written, in order, for formats that store tags as numbers.
    """

    delimiter: str = " "
    tags: tuple[str, ...] = ()


FileReader: TypeAlias = Callable[[InputFile, ReadOptions, Watch], Iterator[Sentence]]
FileWriter: TypeAlias = Callable[[Iterable[Sentence], BinaryIO, WriteOptions, Watch], None]
FolderReader: TypeAlias = Callable[[Path, str, ReadOptions, Watch], Iterator[Sentence]]
FolderWriter: TypeAlias = Callable[[Mapping[str, Iterable[Sentence]], Path, WriteOptions, Watch], None]


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format that stores one split in one file.

    ``room`` lists what the format can store besides tokens and entities. ``tags`` means labels exactly as written,
    including illegal ones; without it, the format stores only the entities of the labels.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    room: frozenset[Room]
    read: FileReader
    write: FileWriter
    needs_tags: bool = False


@dataclass(frozen=True, slots=True)
class FolderFormat:
    """A format of several files: a folder with one or more splits."""

    name: str
    summary: str
    room: frozenset[Room]
    splits: Callable[[Path], list[str]]
    read: FolderReader
    write: FolderWriter
    needs_tags: bool = False


Format: TypeAlias = FileFormat | FolderFormat

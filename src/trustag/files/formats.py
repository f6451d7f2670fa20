"""What a file format is: how to read it, how to write it, and what it has room for."""

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
TokenizerName: TypeAlias = Literal["auto", "regex", "whitespace", "spacy"]
LabelStudioLabels: TypeAlias = Literal["auto", "annotations", "predictions"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read a file where the file itself does not say.

    ``columns`` names the columns of CoNLL text; ``tokenizer`` cuts the raw text of span formats (``auto`` prefers
    tokens that the file carries); ``split_lines`` makes every line of a raw text a sentence of its own;
    ``label_studio`` says which of its labels to take.
    """

    columns: tuple[str, ...] | None = None
    delimiter: str | None = None
    tokenizer: TokenizerName = "auto"
    split_lines: bool = False
    label_studio: LabelStudioLabels = "auto"


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """How to write a file where the format leaves a choice.

    ``tags`` are all labels that will be written, in order, for formats that store numbers instead of names.
    """

    delimiter: str = " "
    tags: tuple[str, ...] = ()


FileReader: TypeAlias = Callable[[InputFile, ReadOptions, Watch], Iterator[Sentence]]
FileWriter: TypeAlias = Callable[[Iterable[Sentence], BinaryIO, WriteOptions, Watch], None]
FolderReader: TypeAlias = Callable[[Path, str, ReadOptions, Watch], Iterator[Sentence]]
FolderWriter: TypeAlias = Callable[[Mapping[str, Iterable[Sentence]], Path, WriteOptions, Watch], None]


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format that holds one labelled text in one file.

    ``room`` lists what the format can carry besides tokens and entities: ``tags`` means labels exactly as written,
    illegal ones included; without it only the entities they spell survive.
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
    """A format that needs several files: a folder with one or more splits."""

    name: str
    summary: str
    room: frozenset[Room]
    splits: Callable[[Path], list[str]]
    read: FolderReader
    write: FolderWriter
    needs_tags: bool = False


Format: TypeAlias = FileFormat | FolderFormat

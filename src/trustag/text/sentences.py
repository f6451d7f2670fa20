"""The central data types: a sentence with its labels, and a corpus with its three splits."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, chain
from pathlib import PurePath
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from trustag.errors import InputError
from trustag.text.labels import Label

REVIEWED: Final = "reviewed"
"""The token source of labels that a person has confirmed or corrected; training always trusts them."""
GIVEN: Final = "given"
"""The token source of all other labels, if no source is known."""
NO_SOURCE: Final = "none"
"""The token source of a label that no source gave, such as ``O`` where none knows a name."""
SOURCE_JOINT: Final = "+"
"""What stands between the names of several sources of one label."""
SOURCE_KINDS: Final = ("kb", "gazetteer", "rule", "annotator", "model")
"""What the name of a token source may begin with, as in ``gazetteer:cities``."""
_SOURCE_NAME: Final = re.compile(rf"{GIVEN}|{REVIEWED}|{NO_SOURCE}|({'|'.join(SOURCE_KINDS)})(:\S+)?")


def is_source_name(text: str) -> bool:
    """Tell whether ``text`` is the name of a token source.

    >>> is_source_name("gazetteer:cities"), is_source_name("NN")
    (True, False)
    """
    return _SOURCE_NAME.fullmatch(text) is not None


class Source(Struct, frozen=True, gc=False):
    """The location of a sentence, label or finding: a file and, if known, its line, counted from 1.

    ``token_lines`` says that the tokens of the sentence are on consecutive lines from there on. In a file without
    lines, ``is_record`` says that ``line`` is the number of a record.
    """

    file: str
    line: int | None = None
    token_lines: bool = False
    is_record: bool = False

    def __str__(self) -> str:
        if self.line is None:
            return self.file
        return f"{self.file}, record {self.line}" if self.is_record else f"{self.file}:{self.line}"

    @property
    def short(self) -> str:
        """The same without the folders that the file is in."""
        return str(replace(self, file=PurePath(self.file).name))


class Sentence(Struct, frozen=True, gc=False):
    """Tokens with one label each; ``None`` labels are unknown.

    ``gold`` is a second, trusted labelling; ``token_sources`` names the source of each label; ``gaps`` contains the
    text before, between and after the tokens, so that raw text and offsets are exact; ``columns`` contains additional
    columns of the file by name.

    Reading a corpus creates very many sentences. This is therefore a msgspec struct: creating one is several times
    faster than creating a dataclass, and the garbage collector need not track it, since it is never part of a cycle.
    Use ``msgspec.structs.replace`` to change one.
    """

    tokens: tuple[str, ...]
    labels: tuple[Label, ...]
    gold: tuple[Label, ...] | None = None
    token_sources: tuple[str, ...] | None = None
    source: Source | None = None
    id: str | None = None
    document: str | None = None
    comments: tuple[str, ...] = ()
    gaps: tuple[str, ...] | None = None
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        length = len(self.tokens)
        if len(self.labels) != length:
            raise _wrong_count(self, "labels", len(self.labels), length)
        if self.gold is not None and len(self.gold) != length:
            raise _wrong_count(self, "gold labels", len(self.gold), length)
        if self.token_sources is not None and len(self.token_sources) != length:
            raise _wrong_count(self, "token sources", len(self.token_sources), length)
        if self.gaps is not None and len(self.gaps) != length + 1:
            raise _wrong_count(self, "gaps", len(self.gaps), length + 1)
        if self.columns:
            for name, column in self.columns.items():
                if len(column) != length:
                    raise _wrong_count(self, f"values in column {name!r}", len(column), length)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def text(self) -> str:
        """The raw text: tokens with their gaps, or joined by single spaces if the gaps are unknown."""
        if self.gaps is None:
            return " ".join(self.tokens)
        return self.gaps[0] + "".join(chain.from_iterable(zip(self.tokens, self.gaps[1:], strict=True)))

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """Start and end (exclusive) of each token in :attr:`text`, in code points."""
        gaps = self.gaps or ("", *(" ",) * (len(self.tokens) - 1), "")
        steps = chain.from_iterable((len(gap), len(token)) for gap, token in zip(gaps, self.tokens, strict=False))
        boundaries = list(accumulate(steps))
        return list(zip(boundaries[0::2], boundaries[1::2], strict=True))

    def line_of(self, token: int) -> Source:
        """Return the location of one token: its own line if the file has one token per line."""
        if self.source is None:
            return Source(f"token {token + 1}")
        if self.source.line is None or not self.source.token_lines:
            return self.source
        return Source(self.source.file, self.source.line + token)

    def place_of(self, token: int) -> str:
        """Return the same as text without folders, such as ``train.conll:1042``; empty where it is unknown."""
        return "" if self.source is None else self.line_of(token).short


def _wrong_count(sentence: Sentence, what: str, found: int, expected: int) -> InputError:
    return InputError(
        f"{found} {what} for {len(sentence.tokens)} tokens", where=sentence.source, remedy=f"give exactly {expected}"
    )


@dataclass(frozen=True, slots=True)
class Corpus:
    """Training sentences and, if there are any, development and test sentences.

    ``trusted`` are sentences whose labels are right, to be learned from; ``noisy`` are sentences of ``trusted`` or
    ``dev`` once more, with labels from the source of the training labels, which show what is wrong with these.
    """

    train: tuple[Sentence, ...]
    dev: tuple[Sentence, ...] = ()
    test: tuple[Sentence, ...] = ()
    trusted: tuple[Sentence, ...] = ()
    noisy: tuple[Sentence, ...] = ()

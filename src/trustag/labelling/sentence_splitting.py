"""Plain text as sentences of tokens: paragraphs, sentences by the rules of the language, tokens with exact offsets."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, TypeAlias

from trustag.corpora.texts import PlainReading
from trustag.errors import InputError, MissingExtraError
from trustag.files.formats import ReadOptions
from trustag.files.inputs import InputFile
from trustag.files.raw_texts import gaps_between
from trustag.files.tokenizers import Tokenizer, tokenizer_named
from trustag.notes import Watch
from trustag.text.sentences import Sentence, Source

Splitter: TypeAlias = Callable[[str], list[int]]
"""Returns where the sentences of a paragraph start."""

_SENTENCE_END: Final = re.compile("[.!?:;\u2026\u3002\uff01\uff1f][\"'\u201d\u2019\u00bb)\\]]*\\s*$")
_LINE_OF_PROSE: Final = 40
"""Characters from which a line that ends inside a sentence is taken for a part of a wrapped paragraph."""
_LONGEST_PARAGRAPH: Final = 20_000


@dataclass(frozen=True, slots=True)
class Splitting:
    """How plain text of a language is split; what splits it is loaded only if there is plain text.

    ``sentences`` is ``auto``, or ``lines`` for a sentence a line; ``tokenizer`` is ``auto``, or the name of one.
    """

    language: str = "en"
    sentences: str = "auto"
    tokenizer: str = "auto"

    def reading(self) -> PlainReading:
        """Return this as a way to read plain text."""
        return PlainReading(self._file, self._text)

    def _file(self, file: InputFile, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:  # noqa: ARG002
        for number, paragraph in paragraphs(file.lines()):
            yield from self._sentences(paragraph, Source(file.name, number), file.name)

    def _text(self, text: str, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:  # noqa: ARG002
        yield from self._sentences(text, Source("text"), None)

    def _sentences(self, paragraph: str, source: Source, document: str | None) -> Iterator[Sentence]:
        split = _each_line if self.sentences == "lines" else _by_rules(self.language)
        tokenize = _tokenizer(self.language) if self.tokenizer == "auto" else tokenizer_named(self.tokenizer)
        starts = sorted({0, *(start for start in split(paragraph) if 0 < start < len(paragraph))})
        line = source.line
        for start, end in pairwise([*starts, len(paragraph)]):
            text = paragraph[start:end].strip()
            offsets = tokenize(text)
            if offsets:
                begin = start + len(paragraph[start:end]) - len(paragraph[start:end].lstrip())
                place = None if line is None else line + paragraph.count("\n", 0, begin)
                tokens = tuple(text[first:last] for first, last in offsets)
                yield Sentence(
                    tokens,
                    (None,) * len(tokens),
                    source=Source(source.file, place),
                    document=document,
                    gaps=tuple(gap.replace("\n", " ") for gap in gaps_between(text, offsets)),
                )


def paragraphs(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs of a text with the number of their first line.

    Blank lines separate paragraphs. Lines that follow each other are one paragraph if they look wrapped: most of them
    are long and end inside a sentence. Otherwise each line is a paragraph.
    """
    waiting = _Waiting()
    for number, line in enumerate(lines, start=1):
        if line.strip():
            if waiting.length + len(line) > _LONGEST_PARAGRAPH:
                yield from waiting.paragraphs()
            waiting.add(number, line)
        else:
            yield from waiting.paragraphs()
    yield from waiting.paragraphs()


@dataclass(slots=True)
class _Waiting:
    """Lines that follow each other, before it is known whether they are one paragraph."""

    first: int = 0
    lines: list[str] = field(default_factory=list)
    length: int = 0

    def add(self, number: int, line: str) -> None:
        self.first = self.first if self.lines else number
        self.lines.append(line)
        self.length += len(line)

    def paragraphs(self) -> Iterator[tuple[int, str]]:
        lines, self.lines, self.length = self.lines, [], 0
        inner = [line for line in lines[:-1] if len(line) >= _LINE_OF_PROSE and not _SENTENCE_END.search(line)]
        if len(lines) > 1 and len(inner) * 2 > len(lines) - 1:
            yield self.first, "\n".join(lines)
        else:
            yield from enumerate(lines, start=self.first)


def _each_line(paragraph: str) -> list[int]:
    return [match.end() for match in re.finditer("\n", paragraph)]


@lru_cache(maxsize=4)
def _by_rules(language: str) -> Splitter:
    try:
        import pysbd  # noqa: PLC0415 - only for raw text
        from pysbd.languages import LANGUAGE_CODES  # noqa: PLC0415
    except ImportError:
        raise MissingExtraError("splitting text into sentences", "label") from None
    if language not in LANGUAGE_CODES:
        finding = f"no rules are known that split texts of the language {language!r} into sentences"
        raise InputError(finding, remedy=f"use --sentences lines, or one of {', '.join(sorted(LANGUAGE_CODES))}")
    segmenter: Any = pysbd.Segmenter(language=language, clean=False, char_span=True)

    def split(paragraph: str) -> list[int]:
        # A wrapped line does not end a sentence, but pysbd believes so.
        return [span.start for span in segmenter.segment(paragraph.replace("\n", " "))]

    return split


@lru_cache(maxsize=4)
def _tokenizer(language: str) -> Tokenizer:
    """Return spaCy's rules for the words of a language, or its common rules for a language that it does not know."""
    try:
        return tokenizer_named(f"spacy:{language}")
    except InputError:
        return tokenizer_named("spacy:xx")

"""Plain text to tag: one text per line, or tokens separated by whitespace; there are no labels."""

from collections.abc import Iterator

from trustag.files.formats import ReadOptions
from trustag.files.inputs import InputFile
from trustag.files.raw_texts import RawText, TextReader
from trustag.notes import Watch
from trustag.text.sentences import Sentence, Source


def read_texts(file: InputFile, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:
    """Yield one sentence for each line; blank lines are sentences without tokens."""
    texts = TextReader(options, watch)
    for number, line in enumerate(file.lines(), start=1):
        yield from texts.sentences(RawText(line, None, Source(file.name, number)))


def read_tokens(file: InputFile, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:  # noqa: ARG001
    """Yield one sentence for each line, whose tokens are the parts between whitespace."""
    for number, line in enumerate(file.lines(), start=1):
        yield _tokens(line, Source(file.name, number))


def single_text(text: str, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:
    """Yield the sentence of one text that is not in a file."""
    yield from TextReader(options, watch).sentences(RawText(text, None, Source("text")))


def single_tokens(text: str) -> Iterator[Sentence]:
    """Yield the sentence of one text whose tokens are the parts between whitespace."""
    yield _tokens(text, Source("text"))


def _tokens(line: str, source: Source) -> Sentence:
    tokens = tuple(line.split())
    return Sentence(tokens, (None,) * len(tokens), source=source)

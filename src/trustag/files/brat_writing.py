"""Write sentences as brat documents, one line per sentence, in any order of documents."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final, NoReturn

from trustag.errors import InputError
from trustag.files.raw_texts import LINE_BREAK
from trustag.files.text_spans import TextSpan, character_spans, shorten
from trustag.notes import Note, Watch
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans

_SENTENCES_A_FILE: Final = 100
_LONGEST_NAME: Final = 240


@dataclass(slots=True)
class _Progress:
    """How many characters and entities of one document have been written."""

    characters: int = 0
    entities: int = 0


def write_documents(sentences: Iterable[Sentence], folder: Path, watch: Watch) -> None:
    """Write ``sentences`` to pairs of files in ``folder``, one pair per document."""
    written: dict[str, _Progress] = {}
    ambiguous = 0
    for name, group in groupby(_named(sentences, watch), key=lambda pair: pair[0]):
        text_path, annotation_path = folder / f"{name}.txt", folder / f"{name}.ann"
        if name not in written and (text_path.exists() or annotation_path.exists()):
            raise InputError("already exists", where=text_path, remedy="write into an empty folder")
        progress = written.setdefault(name, _Progress())
        with text_path.open("ab") as texts, annotation_path.open("ab") as annotations:
            for _, sentence in group:
                text, lines = _document_part(sentence, progress)
                texts.write(text)
                annotations.write(lines)
                ambiguous += tuple(sentence.text.split()) != sentence.tokens
    if ambiguous:
        detail = f"{ambiguous} sentences have tokens not separated by spaces; readers may tokenize differently"
        watch(Note("left out", "token boundaries", detail))


def file_name(document: str) -> str:
    """Return a file name for any document name; special characters are percent-encoded.

    >>> file_name("../news 3"), file_name("wsj_0001.Müller")
    ('%2E.%2Fnews%203', 'wsj_0001.Müller')
    """
    plain = [character.isalnum() or character in "_-." for character in document]
    if document.startswith("."):
        plain[0] = False
    try:
        name = "".join(
            character if keep else "".join(f"%{byte:02X}" for byte in character.encode())
            for character, keep in zip(document, plain, strict=True)
        )
    except UnicodeEncodeError:
        raise InputError(
            f"document name {document!r} has an unpaired surrogate", remedy="rename the document"
        ) from None
    if len(name.encode()) > _LONGEST_NAME:
        raise InputError(f"document name {shorten(document)} is too long for a file name", remedy="rename the document")
    return name


def _named(sentences: Iterable[Sentence], watch: Watch) -> Iterator[tuple[str, Sentence]]:
    """Yield each sentence with the name of its file."""
    unnamed = 0
    for sentence in sentences:
        if not sentence.tokens:
            watch(Note("left out", "sentence without tokens", "brat cannot store it", sentence.source))
        elif sentence.document:
            yield file_name(sentence.document), sentence
        else:
            yield f"document-{unnamed // _SENTENCES_A_FILE + 1:05}", sentence
            unnamed += 1


def _document_part(sentence: Sentence, progress: _Progress) -> tuple[bytes, bytes]:
    """Return the text and the annotations that ``sentence`` adds to a document."""
    _check_characters(sentence)
    text = sentence.text
    lines = []
    for span in character_spans(sentence.labels, sentence.offsets, sentence.source):
        progress.entities += 1
        lines.append(_annotation(span, text, progress, sentence))
    progress.characters += len(text) + 1
    try:
        return f"{text}\n".encode(), "".join(lines).encode()
    except UnicodeEncodeError:
        _refuse(sentence, "an unpaired surrogate cannot be written", "repair the text first")


def _annotation(span: TextSpan, text: str, progress: _Progress, sentence: Sentence) -> str:
    """Return the annotation line of one entity, with one fragment for each line of text that it spans."""
    if span.type.split() != [span.type]:
        _refuse(sentence, f"entity type {span.type!r} contains whitespace, which brat cannot store", "rename the type")
    pieces = []
    start = span.start
    for end, after in [*_breaks(text, span), (span.end, span.end)]:
        if text[start:end].strip():
            pieces.append((start, end))
        start = after
    if not pieces:
        _refuse(sentence, "an entity without visible characters", "remove it")
    fragments = ";".join(f"{start + progress.characters} {end + progress.characters}" for start, end in pieces)
    words = " ".join(text[start:end] for start, end in pieces)
    return f"T{progress.entities}\t{span.type} {fragments}\t{words}\n"


def _breaks(text: str, span: TextSpan) -> list[tuple[int, int]]:
    return [match.span() for match in LINE_BREAK.finditer(text, span.start, span.end)]


def _check_characters(sentence: Sentence) -> None:
    """Raise an error if the sentence could not be read back as one: it contains NUL, a byte-order mark or line ends.

    Line ends between the tokens of an entity are allowed.
    """
    if "\0" in sentence.text or sentence.text.startswith("\ufeff"):
        _refuse(sentence, "a NUL character or byte-order mark would be lost in a text file", "remove it")
    if not LINE_BREAK.search(sentence.text):
        return
    for token in sentence.tokens:
        if LINE_BREAK.search(token):
            _refuse(
                sentence, f"token {shorten(token)} contains a line end, which brat cannot store", "use another format"
            )
    inside = {inner for entity in read_spans(sentence.labels) for inner in range(entity.start + 1, entity.end)}
    for next_token, gap in enumerate((sentence.gaps or ())[1:-1], start=1):
        if LINE_BREAK.search(gap) and next_token not in inside:
            _refuse(sentence, "the sentence contains a line end, where brat would split it", "read with --split-lines")


def _refuse(sentence: Sentence, finding: str, remedy: str) -> NoReturn:
    where = sentence.source or f"sentence {shorten(sentence.text)}"
    raise InputError(finding, where=where, remedy=remedy)

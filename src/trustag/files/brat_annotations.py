"""brat's annotation lines: ``T1<TAB>PER 0 4<TAB>John`` and, for what is no entity, a count of what is left out."""

import re
from typing import Final

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.files.tally import Tally
from trustag.files.text_spans import TextSpan, shorten
from trustag.notes import Note, Watch
from trustag.text.sentences import Source

# Longer numbers are no offsets, and Python refuses to read very long ones.
_ENTITY: Final = re.compile(r"T\S*\t(\S+) (\d{1,12} \d{1,12}(?:;\d{1,12} \d{1,12})*)(?:\t(.*))?", re.ASCII)
_OTHER_KINDS: Final = {
    "R": "relations",
    "E": "events",
    "A": "attributes",
    "M": "modifications",
    "N": "normalisations",
    "#": "notes",
    "*": "equivalences",
}


def read_annotations(file: InputFile, text: str, watch: Watch) -> list[TextSpan]:
    """Return the entities of an annotation file; everything else in it is noted, once a kind."""
    spans = []
    tally = Tally(file.name)
    for number, line in enumerate(file.lines(), start=1):
        if not line or line.isspace():
            continue
        if line[0] in _OTHER_KINDS:
            tally.add("left out", "annotation that is no entity", _OTHER_KINDS[line[0]])
            continue
        span = _entity(line, text, Source(file.name, number), watch)
        if span is not None:
            spans.append(span)
    tally.report(watch)
    return spans


def _entity(line: str, text: str, where: Source, watch: Watch) -> TextSpan | None:
    found = _ENTITY.fullmatch(line)
    if found is None:
        raise InputError(
            f"{shorten(line)} is no annotation", where=where, remedy="an entity is ID<TAB>TYPE START END<TAB>text"
        )
    kind, fragments, words = found.groups()
    borders = [int(number) for number in re.split("[ ;]", fragments)]
    inner = zip(borders[1:-1:2], borders[2:-1:2], strict=True)
    # brat writes an entity across lines as one fragment a line: only blanks lie between them.
    if any(text[end:start].strip() or start < end for end, start in inner):
        watch(Note("dropped", "discontinuous", f"{kind} {shorten(words or '')} at {fragments}", where))
        return None
    start, end = borders[0], borders[-1]
    if words is not None and words.split() != text[start:end].split():
        detail = f"{kind} {shorten(words)} is said to be at {start}-{end}, which is {shorten(text[start:end])}"
        watch(Note("suspicious", "annotation does not match the text", detail, where))
    return TextSpan(start, end, kind, where)

"""Read brat's annotation lines, such as ``T1<TAB>PER 0 4<TAB>John``; annotations that are not entities are counted."""

import re
from typing import Final

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.files.tally import Tally
from trustag.files.text_spans import TextSpan, shorten
from trustag.notes import Note, Watch
from trustag.text.sentences import Source

# Longer numbers cannot be offsets, and Python refuses to parse very long ones.
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
    """Return the entities of an annotation file; a note reports each other kind of annotation."""
    spans = []
    tally = Tally(file.name)
    for number, line in enumerate(file.lines(), start=1):
        if not line or line.isspace():
            continue
        if line[0] in _OTHER_KINDS:
            tally.add("left out", "annotation other than an entity", _OTHER_KINDS[line[0]])
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
            f"{shorten(line)} is not an annotation",
            where=where,
            remedy="entities are ID<TAB>TYPE START END<TAB>text",
        )
    kind, fragments, words = found.groups()
    boundaries = [int(number) for number in re.split("[ ;]", fragments)]
    inner = zip(boundaries[1:-1:2], boundaries[2:-1:2], strict=True)
    # brat writes an entity that spans lines as one fragment per line, with only whitespace between fragments.
    if any(text[end:start].strip() or start < end for end, start in inner):
        watch(Note("dropped", "discontinuous", f"{kind} {shorten(words or '')} at {fragments}", where))
        return None
    start, end = boundaries[0], boundaries[-1]
    if words is not None and words.split() != text[start:end].split():
        detail = f"{kind} {shorten(words)} should be at {start}-{end}, where the text has {shorten(text[start:end])}"
        watch(Note("suspicious", "annotation differs from the text", detail, where))
    return TextSpan(start, end, kind, where)

"""Convert entities given by token indices to labels; entities that do not fit are reported."""

from collections.abc import Iterable, Sequence

from trustag.files.text_spans import OUTSIDE_TEXT, Candidate, resolve_overlaps, shorten
from trustag.notes import NO_LABELS, Note, Watch
from trustag.text.labels import Label
from trustag.text.sentences import Source


def labels_from_token_spans(
    tokens: Sequence[str], entities: Iterable[tuple[int, int, str]] | None, where: Source, watch: Watch
) -> tuple[Label, ...]:
    """Return the labels of ``tokens``; an entity is its first and last token index and its type.

    If ``entities`` is ``None``, all labels are unknown.
    """
    if entities is None:
        watch(Note("info", NO_LABELS, f"all labels of {shorten(' '.join(tokens))} are unknown", where))
        return (None,) * len(tokens)
    candidates = []
    for first, last, kind in entities:
        shown = f"{kind if kind.isprintable() else repr(kind)} at tokens {first} to {last}"
        if not kind.strip():
            watch(Note("dropped", "no type", shown, where))
        elif first < 0 or max(first, last) >= len(tokens):
            watch(Note("dropped", OUTSIDE_TEXT, f"{shown}; there are {len(tokens)} tokens", where))
        elif last < first:
            watch(Note("dropped", "empty", shown, where))
        else:
            text = shorten(" ".join(tokens[first : last + 1]))
            candidates.append(Candidate(first, last + 1, kind, f"{shown}, {text}", where))
    return resolve_overlaps(len(tokens), candidates, watch)

"""Texts with their entities as HTML: a colour for each type, the deeper the more probable; everything escaped."""

import zlib
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final, NamedTuple

_STYLE: Final = "padding:0.1em 0.25em;border-radius:0.3em;line-height:1.8"
_LABEL_STYLE: Final = "font-size:0.75em;opacity:0.8;margin-left:0.35em;white-space:nowrap"
_PALEST, _DEEPEST = 0.12, 0.75
_USUAL: Final = {"PER": 210, "PERSON": 210, "LOC": 140, "GPE": 160, "ORG": 30, "MISC": 285}


class MarkedEntity(NamedTuple):
    """An entity of a text by its characters, and its probability if that is known."""

    start: int
    end: int
    label: str
    score: float | None = None


def marked_text(text: str, entities: Iterable[MarkedEntity]) -> str:
    """Return ``text`` as HTML with its ``entities``, which do not overlap, marked.

    >>> marked_text("<Ann>", [MarkedEntity(1, 4, "PER", 0.5)])  # doctest: +ELLIPSIS
    '&lt;<mark style="...">Ann<span style="...">PER 50</span></mark>&gt;'
    """
    parts, end = [], 0
    for entity in sorted(entities):
        parts += [escape(text[end : entity.start]), _mark(text[entity.start : entity.end], entity)]
        end = entity.end
    return "".join([*parts, escape(text[end:])])


def marked_texts(texts: Sequence[str], entities: Iterable[Iterable[MarkedEntity]]) -> str:
    """Return texts with their entities, one paragraph each."""
    rows = zip(texts, entities, strict=True)
    return "".join(f'<p style="margin:0.4em 0">{marked_text(text, own)}</p>' for text, own in rows)


def colour(label: str, score: float | None) -> str:
    """Return the background of an entity: a hue for the label, as opaque as the entity is probable."""
    # Not Python's own hash, which differs from process to process.
    hue = _USUAL.get(label.upper(), zlib.crc32(label.encode("utf-8", "replace")) % 360)
    depth = 1.0 if score is None else min(max(score, 0.0), 1.0)
    return f"hsla({hue}, 75%, 55%, {_PALEST + (_DEEPEST - _PALEST) * depth:.2f})"


def _mark(words: str, entity: MarkedEntity) -> str:
    score = "" if entity.score is None else f" {entity.score:.0%}".rstrip("%")
    return (
        f'<mark style="{_STYLE};background:{colour(entity.label, entity.score)};color:inherit">{escape(words)}'
        f'<span style="{_LABEL_STYLE}">{escape(entity.label)}{score}</span></mark>'
    )

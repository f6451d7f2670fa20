"""Sentences with everything a sentence can contain, to test what formats keep."""

from collections.abc import Iterable
from typing import Final

from hypothesis import strategies as st
from msgspec.structs import replace

from tests.strategies import sentences, tokens, tokens_with_spaces
from trustag.notes import Note
from trustag.text.labels import Label
from trustag.text.sentences import Sentence

# Legal and illegal, of several schemes: a format with room for tags keeps them all as they are.
TAGS: Final = ("O", "B-PER", "I-PER", "E-geo-loc", "S", "U-Größe", "I-_", "M-a-b")

_TEXTS: Final = st.text(max_size=4)


def any_words() -> st.SearchStrategy[str]:
    """Return tokens of every kind: plain, with spaces, empty, with any character at all."""
    return tokens() | tokens_with_spaces() | _TEXTS


def any_labels(length: int) -> st.SearchStrategy[tuple[Label, ...]]:
    """Return ``length`` labels in any order, unknown ones among them."""
    return st.tuples(*[st.none() | st.sampled_from(TAGS)] * length)


@st.composite
def rich_sentences(draw: st.DrawFn, *, words: st.SearchStrategy[str] | None = None, any_tags: bool = True) -> Sentence:
    """Return sentences, empty ones too, with any part of what a sentence can contain."""
    plain = draw(sentences(words=any_words() if words is None else words, min_size=0, max_size=4))
    length = len(plain)
    per_token = st.tuples(*[_TEXTS] * length)
    return replace(
        plain,
        labels=draw(any_labels(length)) if any_tags else plain.labels,
        gold=draw(st.none() | any_labels(length)) if any_tags else plain.gold,
        token_sources=draw(st.none() | per_token),
        id=draw(st.none() | _TEXTS),
        document=draw(st.none() | _TEXTS),
        comments=draw(st.just(()) | st.lists(_TEXTS, max_size=2).map(tuple)),
        gaps=draw(st.none() | st.tuples(*[st.sampled_from(["", " ", "\n", " \u00a0"])] * (length + 1))),
        columns=draw(st.just({}) | st.dictionaries(_COLUMN_NAMES, per_token, max_size=2)),
    )


_COLUMN_NAMES: Final = st.sampled_from(
    ["pos", "chunk", "pos_tags", "tokens", "ner_tags", "columns", "names", "column:id", "x y"]
)


def without_sources(found: Iterable[Sentence]) -> list[Sentence]:
    """Return the sentences without the locations that reading adds."""
    return [replace(sentence, source=None) for sentence in found]


def reported(notes: Iterable[Note]) -> list[str]:
    """Return what notes say, without their places."""
    return [f"{note.kind}: {note.reason}: {note.detail}" for note in notes]

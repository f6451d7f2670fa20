"""Random values for property tests: tokens, labels, labelled sentences."""

from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st

from trustag.text.labels import OUTSIDE, Label, join_label
from trustag.text.sentences import Sentence

TYPES: Final = ("PER", "LOC", "geo-loc", "Größe")

_COMMON: Final = st.sampled_from("abAB019.,-'\"#_|:é中नि́😀")
# Neither spaces, controls nor surrogates; a byte-order mark would be swallowed at the start of a file.
_ANY: Final = st.characters(exclude_categories=["Z", "Cc", "Cs"], exclude_characters="\ufeff")


def tokens(*, max_size: int = 6) -> st.SearchStrategy[str]:
    """Return tokens without whitespace, mostly short and plain, sometimes any character at all."""
    return st.text(_COMMON | _ANY, min_size=1, max_size=max_size)


def tokens_with_spaces() -> st.SearchStrategy[str]:
    """Return tokens that may hold or even be whitespace, as tab-separated files allow."""
    return st.text(_COMMON | st.sampled_from(" \u00a0\u2009"), min_size=1, max_size=6)


@st.composite
def labellings(
    draw: st.DrawFn, length: int, *, types: Sequence[str] = TYPES, unknown: bool = True
) -> tuple[Label, ...]:
    """Return ``length`` labels that are legal IOB2, unknown ones among them if asked for."""
    moves = ["outside", "begin", "continue", *(["unknown"] if unknown else [])]
    steps = draw(st.lists(st.tuples(st.sampled_from(moves), st.sampled_from(types)), min_size=length, max_size=length))
    labels: list[Label] = []
    open_type: str | None = None
    for move, kind in steps:
        if move == "outside":
            labels.append(OUTSIDE)
            open_type = None
        elif move == "unknown":
            labels.append(None)
            open_type = None
        elif move == "continue" and open_type is not None:
            labels.append(join_label("I", open_type))
        else:
            labels.append(join_label("B", kind))
            open_type = kind
    return tuple(labels)


@st.composite
def sentences(
    draw: st.DrawFn,
    *,
    words: st.SearchStrategy[str] | None = None,
    types: Sequence[str] = TYPES,
    min_size: int = 1,
    max_size: int = 6,
    unknown: bool = True,
    gold: bool = True,
    gaps: st.SearchStrategy[str] | None = None,
) -> Sentence:
    """Return sentences with legal IOB2 labels; unknown labels and a gold labelling only if asked for.

    ``words`` draws the tokens and ``gaps`` the text around them; without ``gaps`` a sentence has none.
    """
    found = tuple(draw(st.lists(tokens() if words is None else words, min_size=min_size, max_size=max_size)))
    length = len(found)
    labelling = labellings(length, types=types, unknown=unknown)
    around = None if gaps is None else tuple(draw(st.lists(gaps, min_size=length + 1, max_size=length + 1)))
    return Sentence(found, draw(labelling), draw(st.none() | labelling) if gold else None, gaps=around)

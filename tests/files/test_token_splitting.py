"""Tokens split at entity borders: every usable entity gets whole tokens, and nothing else changes."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from trustag.files.text_spans import TextSpan
from trustag.files.token_splitting import SPLIT, split_at_borders
from trustag.files.tokenizers import Offset, cut_at_whitespace
from trustag.notes import Note

TEXTS = st.text(st.sampled_from("ab "), min_size=1, max_size=12)


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, list[TextSpan]]:
    """Return a text and entities in it that do not overlap."""
    text = draw(TEXTS)
    borders = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    return text, [TextSpan(start, end, "LOC") for start, end in pairwise(borders)]


def split(text: str, spans: list[TextSpan]) -> tuple[list[Offset], list[Note]]:
    notes: list[Note] = []
    return list(split_at_borders(text, list(cut_at_whitespace(text)), spans, notes.append)), notes


@given(cases())
def test_every_entity_is_made_of_whole_tokens(case: tuple[str, list[TextSpan]]) -> None:
    text, spans = case
    found, notes = split(text, spans)
    starts, ends = {start for start, _ in found}, {end for _, end in found}
    broken = 0
    before = list(cut_at_whitespace(text))
    for span in spans:
        inside = [place for place in range(span.start, span.end) if not text[place].isspace()]
        if inside:
            assert inside[0] in starts
            assert inside[-1] + 1 in ends
            broken += not ({inside[0]} <= {s for s, _ in before} and {inside[-1] + 1} <= {e for _, e in before})
    assert [note.reason for note in notes] == [SPLIT] * broken


@given(cases())
def test_characters_stay_in_tokens_and_only_borders_cut_them(case: tuple[str, list[TextSpan]]) -> None:
    text, spans = case
    found, _ = split(text, spans)
    before = list(cut_at_whitespace(text))
    assert [place for token in found for place in range(*token)] == [
        place for token in before for place in range(*token)
    ]
    new = {start for start, _ in found} - {start for start, _ in before}
    assert new <= {border for span in spans for border in (span.start, span.end)} | {
        place for place in range(1, len(text)) if text[place - 1].isspace() != text[place].isspace()
    }


def test_what_is_dropped_for_another_reason_splits_nothing() -> None:
    unusable = [TextSpan(0, 9, "LOC"), TextSpan(1, 2, ""), TextSpan(1, 2, "-"), TextSpan(2, 1, "LOC")]
    assert split("abcd", unusable) == ([(0, 4)], [])
    overlapping = [TextSpan(0, 4, "ORG"), TextSpan(1, 2, "LOC")]
    assert split("abcd", overlapping) == ([(0, 4)], [])


def test_offsets_that_count_utf_16_units_split_nothing() -> None:
    assert split("😀 Rome", [TextSpan(3, 7, "LOC")]) == ([(0, 1), (2, 6)], [])


def test_the_note_names_entity_and_token() -> None:
    (note,) = split("in Yorkshire", [TextSpan(3, 7, "LOC")])[1]
    assert note.detail == "LOC 'York' at 3-7 is part of 'Yorkshire'"

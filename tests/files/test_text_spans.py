"""Spans on tokens: fitting spans are kept exactly, others are reported with a reason, and the counts add up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import labellings
from trustag.errors import InputError
from trustag.files.text_spans import (
    Candidate,
    TextSpan,
    align_spans,
    character_spans,
    resolve_overlaps,
    shorten,
    token_spans,
)
from trustag.files.tokenizers import cut_at_whitespace, cut_by_regex
from trustag.notes import Note
from trustag.text.labels import UNKNOWN_MARKS, Label
from trustag.text.sentences import Source
from trustag.text.spans import Span, read_spans

TEXT = "John Smith lives in New York."


def placed(text: str, *spans: TextSpan) -> tuple[tuple[Label, ...], list[str]]:
    notes: list[Note] = []
    labels = align_spans(text, cut_by_regex(text), spans, notes.append)
    return labels, [str(note) for note in notes]


def test_spans_on_token_boundaries_are_kept() -> None:
    labels, notes = placed(TEXT, TextSpan(20, 28, "LOC"), TextSpan(0, 10, "PER"))
    assert labels == ("B-PER", "I-PER", "O", "O", "B-LOC", "I-LOC", "O")
    assert notes == []


def test_neighbouring_entities_stay_separate() -> None:
    labels, _ = placed(TEXT, TextSpan(0, 4, "PER"), TextSpan(5, 10, "PER"))
    assert labels[:3] == ("B-PER", "B-PER", "O")


@pytest.mark.parametrize(
    ("span", "note"),
    [
        (
            TextSpan(1, 4, "PER", Source("f", 3)),
            "f:3: dropped: does not align with tokens: PER 'ohn' at 1-4; tokens there: 'John' at 0-4",
        ),
        (
            TextSpan(2, 7, "PER"),
            "dropped: does not align with tokens: PER 'hn Sm' at 2-7; tokens there: 'John' at 0-4 to 'Smith' at 5-10",
        ),
        (TextSpan(20, 40, "LOC"), "dropped: outside the text: LOC 'New York.' at 20-40; the text ends at 29"),
        (TextSpan(-1, 4, "LOC"), "dropped: outside the text: LOC 'John' at -1-4; the text ends at 29"),
        (TextSpan(5, 5, "LOC"), "dropped: empty: LOC '' at 5-5"),
        (TextSpan(10, 5, "LOC"), "dropped: empty: LOC '' at 10-5"),
        (TextSpan(4, 5, "LOC"), "dropped: empty: LOC ' ' at 4-5"),
        (TextSpan(0, 4, ""), "dropped: no type:  'John' at 0-4"),
        (TextSpan(0, 4, " "), "dropped: no type:   'John' at 0-4"),
        (TextSpan(4, 5, "-"), "dropped: empty: - ' ' at 4-5"),
        (TextSpan(4, 40, "-"), "dropped: outside the text: - ' Smith lives in New York.' at 4-40; the text ends at 29"),
    ],
)
def test_spans_that_do_not_fit_are_dropped_with_a_note(span: TextSpan, note: str) -> None:
    labels, notes = placed(TEXT, span)
    assert set(labels) == {"O"}
    assert notes == [note]


def test_whitespace_around_a_span_is_trimmed_and_reported() -> None:
    labels, notes = placed(TEXT, TextSpan(4, 11, "PER"))
    assert labels[:3] == ("O", "B-PER", "O")
    assert notes == ["repaired: whitespace around the span: PER ' Smith ' at 4-11"]


def test_the_earlier_then_the_longer_span_wins() -> None:
    labels, notes = placed(
        TEXT, TextSpan(5, 10, "PER"), TextSpan(0, 4, "ORG"), TextSpan(0, 10, "PER"), TextSpan(0, 10, "PER")
    )
    assert labels[:3] == ("B-PER", "I-PER", "O")
    assert notes == [
        "dropped: duplicate: PER 'John Smith' at 0-10; kept: PER 'John Smith' at 0-10",
        "dropped: overlaps another: ORG 'John' at 0-4; kept: PER 'John Smith' at 0-10",
        "dropped: overlaps another: PER 'Smith' at 5-10; kept: PER 'John Smith' at 0-10",
    ]


def test_of_equal_spans_with_two_types_the_first_in_the_file_wins() -> None:
    labels, notes = placed(TEXT, TextSpan(0, 4, "PER"), TextSpan(0, 4, "LOC"))
    assert labels[0] == "B-PER"
    assert notes == ["dropped: overlaps another: LOC 'John' at 0-4; kept: PER 'John' at 0-4"]


@pytest.mark.parametrize("mark", sorted(UNKNOWN_MARKS))
def test_unknown_spans_give_unknown_labels_around_entities(mark: str) -> None:
    labels, notes = placed(TEXT, TextSpan(0, 19, mark), TextSpan(5, 10, "PER"))
    assert labels == (None, "B-PER", None, None, "O", "O", "O")
    assert notes == []


def test_unknown_spans_cover_every_token_they_touch() -> None:
    labels, notes = placed(TEXT, TextSpan(2, 6, "-"))
    assert labels == (None, None, "O", "O", "O", "O", "O")
    assert notes == ["repaired: unknown labels widened to whole tokens: - 'hn S' at 2-6"]


def test_an_unknown_span_without_a_token_left_is_reported() -> None:
    labels, notes = placed(TEXT, TextSpan(0, 4, "PER"), TextSpan(0, 4, "-"))
    assert labels[0] == "B-PER"
    assert notes == ["dropped: overlaps another: - 'John' at 0-4; no token is left"]


def test_offsets_counted_as_javascript_does_are_reported() -> None:
    _, notes = placed("💩 in York", TextSpan(6, 10, "LOC"))
    hint = "it fits if the offsets count UTF-16 units instead of characters"
    assert notes == [f"dropped: outside the text: LOC 'ork' at 6-10; the text ends at 9; {hint}"]
    _, notes = placed("💩 in York now", TextSpan(6, 10, "LOC"))
    assert notes[0].endswith(hint)
    _, notes = placed("💩 in York now", TextSpan(7, 8, "LOC"))
    assert "UTF-16" not in notes[0]


def test_notes_stay_on_one_short_line() -> None:
    text = "a\n" * 500 + "b"
    _, notes = placed(text, TextSpan(0, 2000, "X\nY"))
    assert "\n" not in notes[0]
    assert len(notes[0]) < 200
    assert shorten("ab") == "'ab'"


def test_labels_are_written_as_characters() -> None:
    labels = ("B-PER", "I-PER", None, None, "B-LOC", "B-LOC", "O")
    assert character_spans(labels, cut_by_regex(TEXT), None) == [
        TextSpan(0, 10, "PER"),
        TextSpan(11, 19, "-"),
        TextSpan(20, 23, "LOC"),
        TextSpan(24, 28, "LOC"),
    ]


@pytest.mark.parametrize("mark", [*sorted(UNKNOWN_MARKS), " "])
def test_a_type_that_would_not_read_back_is_refused(mark: str) -> None:
    with pytest.raises(
        InputError, match=r"^f:2: an entity has the type '.+', which means (unknown labels|no type) in span formats"
    ):
        token_spans([f"B-{mark}"], Source("f", 2))


def test_entities_at_empty_tokens_are_written_only_where_they_are_unambiguous() -> None:
    apart = [(0, 0), (1, 2)]
    assert character_spans(["B-X", "O"], apart, None) == [TextSpan(0, 0, "X")]
    assert align_spans(" a", apart, [TextSpan(0, 0, "X")], print) == ("B-X", "O")
    together = [(0, 0), (0, 2)]
    assert character_spans(["O", "B-X"], together, None) == [TextSpan(0, 2, "X")]
    assert align_spans("aa", together, [TextSpan(0, 2, "X")], print) == ("O", "B-X")
    with pytest.raises(InputError, match="an entity is next to an empty token"):
        character_spans(["B-X", "I-X"], together, None)


@st.composite
def texts_with_spans(draw: st.DrawFn) -> tuple[str, list[TextSpan]]:
    text = draw(st.text("ab .\n😀", max_size=16))
    border = st.integers(-1, len(text) + 1)
    kinds = st.sampled_from(["PER", "LOC", "-", "", "?"])
    return text, draw(st.lists(st.builds(TextSpan, border, border, kinds), max_size=6))


@given(texts_with_spans())
def test_spans_in_are_spans_kept_plus_spans_reported(example: tuple[str, list[TextSpan]]) -> None:
    text, spans = example
    notes: list[Note] = []
    labels = align_spans(text, cut_by_regex(text), spans, notes.append)
    dropped = [note for note in notes if note.kind == "dropped"]
    entities = [span for span in spans if span.type in {"PER", "LOC", ""}]
    unknown_dropped = [note for note in dropped if note.detail.startswith(("- ", "? "))]
    assert len(entities) == len(read_spans(labels)) + len(dropped) - len(unknown_dropped)
    assert (None in labels) == (len(spans) - len(entities) > len(unknown_dropped))


@given(texts_with_spans())
def test_kept_entities_are_spans_of_the_file_up_to_whitespace(example: tuple[str, list[TextSpan]]) -> None:
    text, spans = example
    offsets = cut_by_regex(text)
    labels = align_spans(text, offsets, spans, lambda note: None)
    asked = {(text[max(s.start, 0) : max(s.end, 0)].strip(), s.type) for s in spans}
    for entity in read_spans(labels):
        found = text[offsets[entity.start][0] : offsets[entity.end - 1][1]]
        assert (found, entity.type) in asked


@given(st.integers(0, 8).flatmap(labellings))
def test_writing_then_placing_changes_nothing(labels: tuple[Label, ...]) -> None:
    text = " ".join("word" for _ in labels)
    offsets = cut_at_whitespace(text)
    notes: list[Note] = []
    assert align_spans(text, offsets, character_spans(labels, offsets, None), notes.append) == labels
    assert notes == []


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(1, 3), st.sampled_from(["A", "B"])).map(
            lambda drawn: Candidate(drawn[0], drawn[0] + drawn[1], drawn[2], "")
        ),
        max_size=6,
    )
)
def test_winners_are_those_that_no_better_winner_overlaps(candidates: list[Candidate]) -> None:
    labels = resolve_overlaps(8, candidates, lambda note: None)
    winners: list[Candidate] = []
    waiting = list(candidates)
    while waiting:  # oracle: take the best of what is left, remove all it overlaps, repeat
        best = min(waiting, key=lambda found: (found.start, -found.end))
        winners.append(best)
        waiting = [other for other in waiting if other.end <= best.start or other.start >= best.end]
    assert read_spans(labels) == [Span(*winner[:3]) for winner in sorted(winners)]

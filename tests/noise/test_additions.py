"""Invented entities: as many as precision asks for, and only where nothing is labelled."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.noise.made_up import TYPES
from trustag.errors import InputError
from trustag.noise.additions import SPAN_LENGTHS, PrecisionGoal, add_spans
from trustag.noise.token_row import Mention, TokenRow
from trustag.seeded_random import SeededRandom
from trustag.text.labels import Label
from trustag.text.schemes import Scheme
from trustag.text.spans import Span

PERCENT = st.integers(1, 100)


@given(st.integers(0, 500), PERCENT)
def test_exact_additions_bring_precision_as_near_as_whole_entities_can(right: int, percent: int) -> None:
    precision = Fraction(percent, 100)
    wrong = PrecisionGoal(right, right, percent / 100).wrong(right)
    exact = right * (1 - precision) / precision
    assert abs(wrong - exact) <= Fraction(1, 2)


@given(st.integers(0, 500), PERCENT)
def test_a_share_of_additions_is_rounded_down(right: int, percent: int) -> None:
    assert PrecisionGoal(right, right, percent / 100, "share").wrong(right) == right * (100 - percent) // 100


ROWS = st.lists(
    st.lists(st.sampled_from(["O", "O", "O", "B-PER", None]), min_size=1, max_size=8), min_size=1, max_size=4
)


@given(ROWS, st.integers(0, 8), st.integers(0, 200))
def test_added_spans_lie_on_free_tokens_of_one_sentence_and_never_on_one_another(
    rows: list[list[Label]], right: int, seed: int
) -> None:
    goal = PrecisionGoal(right, right, 0.8)
    try:
        added = add_spans(TokenRow(rows, Scheme.IOB2), set(), TYPES, goal, SeededRandom(seed))
    except InputError:
        # Every free token can hold an entity of length one, so only a lack of free tokens is an excuse.
        assert sum(row.count("O") for row in rows) < SPAN_LENGTHS[-1] * goal.wrong(right)
        return
    assert len(added) == goal.wrong(right)
    tokens = [(mention.sentence, token) for mention in added for token in range(mention.span.start, mention.span.end)]
    assert len(tokens) == len(set(tokens))
    assert all(rows[sentence][token] == "O" for sentence, token in tokens)
    assert {mention.span.type for mention in added} <= {*TYPES}
    assert {mention.span.end - mention.span.start for mention in added} <= {*SPAN_LENGTHS}


@given(st.integers(0, 200), st.integers(0, 5))
def test_a_forgotten_entity_found_again_is_right_and_there_are_never_more_than_allowed(seed: int, spare: int) -> None:
    rows: list[list[Label]] = [["O"] * 6 for _ in range(12)]
    forgotten = {
        Mention(sentence, Span(start, start + length, "PER"))
        for sentence in range(12)
        for length in SPAN_LENGTHS
        for start in range(6 - length + 1)
    }
    goal = PrecisionGoal(10, 10 + spare, 0.6)
    added = add_spans(TokenRow(rows, Scheme.IOB2), forgotten, ("PER", "LOC"), goal, SeededRandom(seed))
    again = sum(mention in forgotten for mention in added)
    assert again <= spare
    assert len(added) - again == goal.wrong(10 + again)


def test_where_no_further_span_fits_the_reachable_precision_is_named() -> None:
    with pytest.raises(InputError, match="precision"):
        add_spans(TokenRow([["O", "B-PER"]], Scheme.IOB2), set(), TYPES, PrecisionGoal(10, 10, 0.5), SeededRandom(1))


@given(ROWS, st.integers(0, 200))
def test_in_a_scheme_without_borders_nothing_is_added_beside_an_entity(rows: list[list[Label]], seed: int) -> None:
    assume(any(label == "O" for row in rows for label in row))
    row = TokenRow(rows, Scheme.IO)
    try:
        added = add_spans(row, set(), TYPES, PrecisionGoal(4, 4, 0.8), SeededRandom(seed))
    except InputError:
        return
    labelled = {(number, token) for number, labels in enumerate(rows) for token, x in enumerate(labels) if x == "B-PER"}
    for mention in added:
        sentence, (start, end, _) = mention
        assert not {(sentence, start - 1), (sentence, end)} & labelled
        labelled |= {(sentence, token) for token in range(start, end)}

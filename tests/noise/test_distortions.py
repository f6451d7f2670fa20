"""Flipped types and moved borders: as many as asked for, each by one step, on legal ground."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from tests.noise.made_up import TYPES, random_corpus
from trustag.noise.distortions import flip_types, shift_boundaries
from trustag.noise.token_row import Mention, TokenRow
from trustag.seeded_random import SeededRandom
from trustag.text.labels import Label
from trustag.text.schemes import Scheme
from trustag.text.spans import Span, read_spans

RATES = st.sampled_from([0.0, 0.1, 0.5, 1.0])


def prepared(
    seed: int, scheme: Scheme = Scheme.IOB2
) -> tuple[TokenRow, dict[Mention, Mention], list[tuple[Label, ...]]]:
    """Some sentences as a row of tokens, and each entity in them, labelled as it is in gold."""
    rows = [sentence.labels for sentence in random_corpus(seed, 6)]
    mentions = [Mention(number, span) for number, labels in enumerate(rows) for span in read_spans(labels)]
    return TokenRow(rows, scheme), {mention: mention for mention in mentions}, rows


def covered(mentions: Mapping[Mention, Mention]) -> list[tuple[int, int]]:
    return [(now.sentence, token) for now in mentions.values() for token in range(now.span.start, now.span.end)]


@given(st.integers(0, 500), RATES)
def test_flips_change_the_type_alone_of_as_many_as_asked_for(seed: int, rate: float) -> None:
    row, labelled, _ = prepared(seed)
    flipped = flip_types(row, labelled, TYPES, rate, SeededRandom(seed))
    assert len(flipped) == round(rate * len(labelled))
    for gold, now in flipped.items():
        assert gold in labelled
        assert (now.sentence, now.span[:2]) == (gold.sentence, gold.span[:2])
        assert now.span.type != gold.span.type
        assert now.span.type in TYPES


@given(st.integers(0, 500))
def test_in_a_scheme_without_borders_only_entities_that_stand_alone_are_flipped(seed: int) -> None:
    row, labelled, rows = prepared(seed, Scheme.IO)
    flipped = flip_types(row, labelled, TYPES, 1.0, SeededRandom(seed))
    alone = set()
    for mention in labelled:
        labels, (start, end, _) = rows[mention.sentence], mention.span
        if {*labels[max(start - 1, 0) : start], *labels[end : end + 1]} <= {"O"}:
            alone.add(mention)
    assert set(flipped) == alone


@given(st.integers(0, 500), RATES)
def test_a_moved_border_moves_by_one_token_and_entities_never_overlap_nor_meet_anew(seed: int, rate: float) -> None:
    row, labelled, rows = prepared(seed)
    shifted = shift_boundaries(row, labelled, rate, SeededRandom(seed))
    assert len(shifted) <= round(rate * len(labelled))
    for gold, now in shifted.items():
        moved = sorted((abs(now.span.start - gold.span.start), abs(now.span.end - gold.span.end)))
        assert moved == [0, 1]
        assert 0 <= now.span.start < now.span.end <= len(rows[now.sentence])
        assert now.span.type == gold.span.type
    after = labelled | shifted
    tokens = covered(after)
    assert len(tokens) == len(set(tokens))
    assert {place for place in tokens if row.is_labelled(row.index_of(Mention(place[0], single(place[1]))))} == set(
        tokens
    )
    met_before = meetings(labelled)
    assert meetings(after) <= met_before


def single(token: int) -> Span:
    return Span(token, token + 1, "X")


def meetings(mentions: Mapping[Mention, Mention]) -> set[tuple[Mention, Mention]]:
    """The pairs of gold entities that stand side by side as they are labelled now."""
    return {
        (first, second)
        for first, left in mentions.items()
        for second, right in mentions.items()
        if left.sentence == right.sentence and left.span.end == right.span.start
    }


def test_an_entity_with_no_way_to_move_is_passed_over() -> None:
    rows: list[tuple[Label, ...]] = [("B-PER",), (None, "B-PER", "B-LOC"), ("B-LOC", "O", "B-LOC")]
    mentions = [Mention(number, span) for number, labels in enumerate(rows) for span in read_spans(labels)]
    found = shift_boundaries(TokenRow(rows, Scheme.IOB2), {m: m for m in mentions}, 1.0, SeededRandom(1))
    assert found == {}

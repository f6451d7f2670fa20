"""The row of tokens, against sentences and labels looked at one by one."""

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import labellings
from trustag.noise.token_row import Mention, TokenRow
from trustag.text.labels import Label
from trustag.text.schemes import Scheme
from trustag.text.spans import Span

LABELLINGS = st.lists(st.integers(0, 5).flatmap(labellings), max_size=4)


def tokens_of(rows: list[tuple[Label, ...]]) -> list[tuple[int, int]]:
    return [(sentence, token) for sentence, labels in enumerate(rows) for token in range(len(labels))]


def index_of(row: TokenRow, sentence: int, token: int) -> int:
    return row.index_of(Mention(sentence, Span(token, token + 1, "X")))


@given(LABELLINGS)
def test_every_token_is_free_labelled_or_neither_as_its_label_says(rows: list[tuple[Label, ...]]) -> None:
    row = TokenRow(rows, Scheme.IOB2)
    for sentence, token in tokens_of(rows):
        label, index = rows[sentence][token], index_of(row, sentence, token)
        assert row.is_free(index) == (label == "O")
        assert row.is_labelled(index) == (label not in {"O", None})
    assert row.free_indices() == [index_of(row, *place) for place in tokens_of(rows) if rows[place[0]][place[1]] == "O"]


@given(LABELLINGS, st.integers(1, 3), st.booleans())
def test_a_span_fits_where_its_tokens_are_free_in_one_sentence_and_apart_if_the_scheme_needs_it(
    rows: list[tuple[Label, ...]], length: int, joins: bool
) -> None:
    row = TokenRow(rows, Scheme.IO if joins else Scheme.IOB2)
    for sentence, token in tokens_of(rows):
        labels = rows[sentence]
        inside = labels[token : token + length]
        beside = [labels[other] for other in (token - 1, token + length) if 0 <= other < len(labels)]
        free = len(inside) == length and all(label == "O" for label in inside)
        apart = not joins or all(label in {"O", None} for label in beside)
        assert row.fits(index_of(row, sentence, token), length) == (free and apart)


@given(LABELLINGS, st.data())
def test_mentions_and_indices_are_two_names_of_one_thing(rows: list[tuple[Label, ...]], data: st.DataObject) -> None:
    row = TokenRow(rows, Scheme.IOB2)
    for sentence, token in tokens_of(rows):
        length = data.draw(st.integers(1, len(rows[sentence]) - token))
        mention = Mention(sentence, Span(token, token + length, "LOC"))
        assert row.mention(row.index_of(mention), length, "LOC") == mention


@given(LABELLINGS, st.data())
def test_labelling_and_freeing_touch_the_tokens_of_the_mention_only(
    rows: list[tuple[Label, ...]], data: st.DataObject
) -> None:
    places = tokens_of(rows)
    if not places:
        return
    row = TokenRow(rows, Scheme.IOB2)
    sentence, token = data.draw(st.sampled_from(places))
    end = data.draw(st.integers(token + 1, len(rows[sentence])))
    own = {(sentence, other) for other in range(token, end)}
    before = {place: (row.is_free(i), row.is_labelled(i)) for place in places for i in [index_of(row, *place)]}
    for change, expected in ((row.label, (False, True)), (row.free, (True, False))):
        change(Mention(sentence, Span(token, end, "PER")))
        after = {place: (row.is_free(i), row.is_labelled(i)) for place in places for i in [index_of(row, *place)]}
        assert after == {place: expected if place in own else was for place, was in before.items()}

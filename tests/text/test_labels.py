import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.errors import InputError
from trustag.text.label_sets import LabelSet
from trustag.text.labels import (
    UNKNOWN_MARKS,
    canonical_position,
    entity_types,
    is_label,
    is_positive,
    join_label,
    parse_label,
    split_label,
)

positions = st.sampled_from("BIESLUM")
kinds = st.text(min_size=1, max_size=8)


@given(positions, kinds)
def test_split_is_the_inverse_of_join_for_any_type_at_all(position: str, kind: str) -> None:
    label = join_label(position, kind)
    assert split_label(label) == (position, kind)
    assert parse_label(label) == label


@given(st.text(max_size=5) | st.sampled_from([*UNKNOWN_MARKS, "O", "B", "B-", "B--", "-B", "O-PER", "b-PER", "B_PER"]))
def test_a_text_is_a_label_exactly_when_it_parses(text: str) -> None:
    if is_label(text):
        assert parse_label(text) == (None if text in UNKNOWN_MARKS else text)
    else:
        with pytest.raises(InputError, match="unknown tag"):
            parse_label(text)


@pytest.mark.parametrize("text", ["", "o", "PER", "B-", "X-PER", "O-PER", "b-PER", " O", "O "])
def test_what_is_no_tag_is_refused(text: str) -> None:
    assert not is_label(text)
    with pytest.raises(InputError) as caught:
        parse_label(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("mark", sorted(UNKNOWN_MARKS))
def test_unknown_marks_are_neither_outside_nor_positive(mark: str) -> None:
    label = parse_label(mark)
    assert label is None
    assert not is_positive(label)


def test_only_entity_labels_are_positive() -> None:
    assert [is_positive(label) for label in ("O", None, "B", "I-O", "S-PER")] == [False, False, True, True, True]


def test_the_first_hyphen_parts_position_and_type() -> None:
    assert split_label("B-geo-loc") == ("B", "geo-loc")
    assert split_label("B--x") == ("B", "-x")


def test_a_bare_position_has_the_untyped_type() -> None:
    assert split_label("B") == split_label("B-_") == ("B", "_")
    assert join_label("B", "_") == "B"


def test_positions_of_other_schemes_have_a_canonical_letter() -> None:
    assert "".join(map(canonical_position, "BIESLUM")) == "BIESESI"


def test_entity_types_are_sorted_and_distinct() -> None:
    assert entity_types(["B-b", "I-b", None, "O", "U-a", "I"]) == ["_", "a", "b"]
    assert entity_types([None, "O"]) == []


def test_a_label_set_contains_outside_and_every_position_of_every_type() -> None:
    labels = LabelSet(("PER", "geo-loc"), "BIES")
    assert labels.labels[0] == "O"
    assert len(labels) == len(set(labels)) == 1 + 2 * 4
    assert [labels.index[label] for label in labels] == list(range(9))
    assert {split_label(label) for label in labels.labels[1:]} == {(p, t) for p in "BIES" for t in ("PER", "geo-loc")}

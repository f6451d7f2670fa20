"""Names and tokens are compared in pieces, so that tokens do not matter."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.labelling.word_pieces import folded, hash_of, hash_of_form, pieces_of, pieces_of_form


@given(st.text(st.characters(exclude_categories=["Z", "C", "M"]), min_size=1))
def test_pieces_do_not_depend_on_where_punctuation_is_split(text: str) -> None:
    pieces = pieces_of(text)
    again = [piece for part in pieces for piece in pieces_of(part)]
    assert again == list(pieces)
    assert pieces_of_form(" ".join(pieces)) == list(pieces)


def test_composed_and_decomposed_letters_are_one() -> None:
    assert pieces_of("Zu\u0308rich") == pieces_of("Zürich") == ("Zürich",)


def test_case_is_folded_only_to_compare() -> None:
    assert pieces_of("McDonald") == ("McDonald",)
    assert folded("STRASSE") == folded("Straße")


def test_hashes_are_the_same_everywhere_and_keep_borders() -> None:
    assert hash_of("name") == 15739679558528647255
    assert hash_of_form(["a", "bc"]) != hash_of_form(["ab", "c"])

"""Forms and places in turn: nothing is lost, and neither waits longer than it must."""

from hypothesis import given
from hypothesis import strategies as st

from tests.review.small_run import ISSUES, SENTENCES
from trustag.issues.filtering import in_order
from trustag.issues.forms import find_forms
from trustag.issues.mixing import alternating, mixed


def test_the_mixed_order_takes_frequent_forms_and_uncertain_places_in_turn() -> None:
    forms = find_forms(SENTENCES, ISSUES)
    unsure = in_order(ISSUES, "unsure")
    assert mixed(forms, ISSUES) == [next(form for form in forms if form.text == "Reuters"), *unsure]


@given(st.lists(st.none() | st.integers()), st.lists(st.text(max_size=1)))
def test_both_sequences_come_whole_and_in_turn_while_both_last(numbers: list[int | None], texts: list[str]) -> None:
    found = list(alternating(numbers, texts))
    assert [value for value in found if not isinstance(value, str)] == numbers
    assert [value for value in found if isinstance(value, str)] == texts
    shared = 2 * min(len(numbers), len(texts))
    assert [isinstance(value, str) for value in found[:shared]] == [False, True] * (shared // 2)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import TYPES
from trustag.errors import InputError
from trustag.text.labels import join_label
from trustag.text.soft_labels import read_probabilities, write_probabilities

LABELS = ("O", *(join_label(position, kind) for kind in (*TYPES, "a|b=c d%") for position in "BIES"))


@given(st.lists(st.floats(0, 1), min_size=len(LABELS), max_size=len(LABELS)).filter(lambda values: sum(values) > 0.1))
def test_what_is_written_is_read(values: list[float]) -> None:
    total = sum(values)
    shares = [value / total for value in values]
    text = write_probabilities(LABELS, shares)
    assert not set(text) & set(" \t\n")
    found = read_probabilities(text)
    assert sum(found.values()) == pytest.approx(1)
    for label, share in zip(LABELS, shares, strict=True):
        assert found.get(label, 0.0) == pytest.approx(share, abs=0.02)


@pytest.mark.parametrize("text", ["", "O", "O=", "O=1.5", "O=nan", "O=-1", "O=0", "X=0.5", "O=0.5|"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_probabilities(text)


def test_a_dash_says_nothing() -> None:
    assert read_probabilities("-") == {}

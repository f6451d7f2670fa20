"""One row of a text file: word and values, against numbers that were written out."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trustag.vectors.vector_rows import first_wrong_value, parse_rows, split_vector_row

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: float(np.float32(value)))
WORDS = st.text(st.characters(categories=["L", "P"]), min_size=1, max_size=5)
BLANKS = st.sampled_from([b" ", b"  ", b"\t", b" \t"])


@given(st.lists(st.lists(NUMBERS, min_size=3, max_size=3), min_size=1, max_size=5), st.booleans())
def test_written_numbers_are_parsed_to_themselves(table: list[list[float]], short: bool) -> None:
    def written(value: float) -> bytes:
        text = repr(value)
        # ".5" is no JSON; such numbers take another way through the parser and must come out the same.
        return (
            text.replace("0.", ".", 1) if short and text.startswith(("0.", "-0.")) and text != "0.0" else text
        ).encode()

    found = parse_rows([b" ".join(map(written, row)) for row in table], 3)
    assert found is not None
    assert found.dtype == np.float32
    assert found.tolist() == table


@given(st.lists(st.lists(NUMBERS, max_size=4), min_size=1, max_size=4), st.integers(1, 4))
def test_a_wrong_number_of_values_in_all_is_refused(table: list[list[float]], width: int) -> None:
    rows = [b" ".join(repr(value).encode() for value in row) for row in table if row]
    count = sum(map(len, table))
    if rows and count != len(rows) * width:
        assert parse_rows(rows, width) is None


def test_what_is_no_number_is_refused_and_named_with_its_position() -> None:
    for text, position in ((b"1 x 3", 2), (b"1_0 2 3", 1), (b"1 2 nan", 3), (b"1 1e999 3", 2), (b"true 2 3", 1)):
        parsed = parse_rows([text], 3)
        assert parsed is None or not np.isfinite(parsed).all()
        described = first_wrong_value(text)
        assert text.split()[position - 1].decode() in described
        assert str(position) in described


@given(st.lists(WORDS, min_size=1, max_size=3), st.lists(NUMBERS, min_size=1, max_size=4), st.data())
def test_a_row_is_split_behind_its_word_whatever_blanks_are_used(
    words: list[str], values: list[float], data: st.DataObject
) -> None:
    try:
        float(words[-1])
    except ValueError:
        pass
    else:
        return  # "Infinity" is a word and a number
    word = " ".join(words).encode()
    fields = [repr(value).encode() for value in values]
    line = word + b"".join(data.draw(BLANKS) + field for field in fields) + data.draw(st.sampled_from([b"", b" "]))
    assert split_vector_row(line, len(values)) == (word, b" ".join(fields))


@given(WORDS, st.lists(NUMBERS, min_size=1, max_size=4))
def test_too_few_and_too_many_values_are_not_a_row(word: str, values: list[float]) -> None:
    line = b" ".join([word.encode(), *(repr(value).encode() for value in values)])
    assert split_vector_row(line, len(values) + 1) is None
    if len(values) > 1:
        assert split_vector_row(line, len(values) - 1) is None
    assert split_vector_row(b" " + line, len(values)) is None

"""Nothing unseen gets through, nothing seen is changed, and the text can be put together again."""

import re
import unicodedata
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from trustag.text.control_characters import DisplayRun, code_point, direction, display_runs, is_unseen

TEXTS = st.text(st.characters() | st.sampled_from("ab \u200b\u202e\u00a0\u3164\n\ud800אب1"), max_size=12)


@given(TEXTS)
def test_pieces_put_together_are_the_text(text: str) -> None:
    found = list(display_runs(text))
    assert "".join(chr(int(own.partition("+")[2], 16)) if unseen else own for own, unseen in found) == text
    assert all(own for own, _ in found)


@given(TEXTS)
def test_no_piece_shows_what_cannot_be_seen_and_seen_runs_are_whole(text: str) -> None:
    found = list(display_runs(text))
    for own, unseen in found:
        assert not any(map(is_unseen, own))
        assert not unseen or re.fullmatch("U[+][0-9A-F]{4,6}", own)
    assert not any(not left.is_unseen and not right.is_unseen for left, right in pairwise(found))


def test_every_character_of_unicode_is_seen_or_not_by_its_category() -> None:
    blank = set("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
    for number in range(0x110000):
        character = chr(number)
        category = unicodedata.category(character)
        expected = character != " " and (category[0] == "C" or category[0] == "Z" or character in blank)
        assert is_unseen(character) == expected, hex(number)


def test_what_looks_alike_is_told_apart() -> None:
    shown = {
        "".join(own for own, _ in display_runs(text)) for text in ("PER", "PER\u200b", "P\u00adER", "\u202ePER", "PER ")
    }
    assert len(shown) == 5
    assert list(display_runs("a b")) == [DisplayRun("a b", False)]
    assert code_point("\U000e0001") == "U+E0001"


@given(st.text("12 .-", max_size=4), st.sampled_from("aé中אب"), TEXTS)
def test_the_first_letter_with_a_direction_decides(before: str, letter: str, after: str) -> None:
    assert direction(before + letter + after) == ("rtl" if letter in "אب" else "ltr")
    assert direction(before) == "ltr"

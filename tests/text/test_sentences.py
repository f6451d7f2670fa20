from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.errors import InputError
from trustag.text.sentences import Sentence, Source


@given(st.lists(st.text(max_size=4), max_size=6), st.lists(st.text(" \n\ta", max_size=2), min_size=7, max_size=7))
def test_offsets_point_at_the_tokens_in_the_text(tokens: list[str], gaps: list[str]) -> None:
    labels = ("O",) * len(tokens)
    joined = Sentence(tuple(tokens), labels)
    spread = Sentence(tuple(tokens), labels, gaps=tuple(gaps[: len(tokens) + 1]))
    for sentence in (joined, spread):
        assert [sentence.text[start:end] for start, end in sentence.offsets] == tokens
    borders = [0, *(border for offset in spread.offsets for border in offset), len(spread.text)]
    between = zip(borders[0::2], borders[1::2], strict=True)
    assert [spread.text[start:end] for start, end in between] == gaps[: len(tokens) + 1]


def test_without_gaps_tokens_are_joined_by_single_spaces() -> None:
    sentence = Sentence(("New", "York", "."), ("O", "O", "O"))
    assert sentence.text == "New York ."
    assert sentence.offsets == [(0, 3), (4, 8), (9, 10)]


def test_with_gaps_the_text_is_exact() -> None:
    sentence = Sentence(("New", "York", "."), ("O", "O", "O"), gaps=(" ", "  ", "", "\n"))
    assert sentence.text == " New  York.\n"
    assert sentence.offsets == [(1, 4), (6, 10), (10, 11)]


def test_offsets_count_code_points() -> None:
    assert Sentence(("😀", "é", "x"), ("O", "O", "O")).offsets == [(0, 1), (2, 3), (4, 5)]


def test_a_sentence_may_be_empty() -> None:
    for sentence in (Sentence((), ()), Sentence((), (), gaps=("  ",))):
        assert len(sentence) == 0
        assert sentence.offsets == []
    assert Sentence((), (), gaps=("  ",)).text == "  "


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"labels": ("O",)}, "1 labels for 2 tokens; give exactly 2"),
        ({"labels": ("O", "O", "O")}, "3 labels for 2 tokens; give exactly 2"),
        ({"gold": ()}, "0 gold labels for 2 tokens; give exactly 2"),
        ({"token_sources": ("a",)}, "1 token sources for 2 tokens; give exactly 2"),
        ({"gaps": ("", "")}, "2 gaps for 2 tokens; give exactly 3"),
        ({"columns": {"pos": ("N",)}}, "1 values in column 'pos' for 2 tokens; give exactly 2"),
    ],
)
def test_a_wrong_count_is_an_error_that_names_its_location(change: dict[str, Any], what: str) -> None:
    values: dict[str, Any] = {"tokens": ("a", "b"), "labels": ("O", "O"), "source": Source("x.conll", 7)} | change
    with pytest.raises(InputError) as caught:
        Sentence(**values)
    assert str(caught.value) == f"x.conll:7: {what}"


def test_each_token_has_its_own_line_where_the_file_has_one_token_a_line() -> None:
    labels = ("O", "O")
    assert str(Sentence(("a", "b"), labels, source=Source("x.conll", 7, token_lines=True)).line_of(1)) == "x.conll:8"
    assert str(Sentence(("a", "b"), labels, source=Source("x.jsonl", 7)).line_of(1)) == "x.jsonl:7"
    assert str(Sentence(("a", "b"), labels, source=Source("x.json")).line_of(1)) == "x.json"
    assert str(Sentence(("a", "b"), labels).line_of(1)) == "token 2"

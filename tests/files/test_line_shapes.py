"""What lines without a known format are: columns, tokens or text, or a question to the user."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import sentences
from trustag.errors import InputError
from trustag.files.line_shapes import is_conll, looks_like_json
from trustag.text.sentences import Sentence

WORDS = st.text(st.sampled_from("abcXYZ"), min_size=1, max_size=5)


@given(st.lists(sentences(words=WORDS, unknown=False, gold=False, min_size=2), min_size=2, max_size=4))
def test_columns_with_tags_are_conll(found: list[Sentence]) -> None:
    blocks = (zip(sentence.tokens, sentence.labels, strict=True) for sentence in found)
    lines = "\n\n".join("\n".join(f"{token} {label}" for token, label in block) for block in blocks)
    assert is_conll(lines + "\n", "a.txt")


@given(st.lists(st.lists(WORDS, min_size=2, max_size=4), min_size=2, max_size=4))
def test_one_token_a_line_with_blank_lines_is_conll(sentences_of_words: list[list[str]]) -> None:
    assert is_conll("\n\n".join("\n".join(words) for words in sentences_of_words) + "\n", "a.txt")


@given(
    st.lists(st.lists(WORDS, min_size=1, max_size=9), min_size=1, max_size=6).filter(
        lambda ws: len({*map(len, ws)}) > 2
    )
)
def test_lines_of_different_lengths_are_text(lines: list[list[str]]) -> None:
    assert not is_conll("\n".join(map(" ".join, lines)) + "\n", "a.txt")


@pytest.mark.parametrize(
    ("head", "finding"),
    [
        ("Ann\nlives\nhere\n", r"^a\.txt:1: one word on every line: .*; choose with --from conll or --from text"),
        ("Ann NNP x\n. . y\n", r"^a\.txt:1: 3 columns on every line, but no column contains tags; .*token,_,_"),
    ],
)
def test_what_can_be_read_in_two_ways_is_a_question(head: str, finding: str) -> None:
    with pytest.raises(InputError, match=finding):
        is_conll(head, "a.txt")


@pytest.mark.parametrize(
    "head",
    [
        "",
        "one line\n",
        "I am\nI see\nI go\n",
        "Hello there\nGood morning\n",
        "东京是日本的首都,人口很多。\n北京是中国的首都,历史悠久。\n",
        "Ann\n\nBob\n\nCyd\n",
    ],
)
def test_plain_text_is_not_taken_for_columns(head: str) -> None:
    assert not is_conll(head, "a.txt")


RECORDS = st.dictionaries(st.text(max_size=3), st.none() | st.text(max_size=3) | st.lists(st.integers()), max_size=3)


@given(st.lists(RECORDS, min_size=1) | RECORDS, st.none() | st.integers(0, 2))
def test_json_looks_like_json_even_cut(value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    assert looks_like_json(text)
    assert looks_like_json(text[: max(6, len(text) // 2)])


@pytest.mark.parametrize("text", ["", "Ann [x] met", "[1] a note", "{city} is here", "Ann B-PER\n"])
def test_brackets_in_text_are_not_json(text: str) -> None:
    assert not looks_like_json(text)

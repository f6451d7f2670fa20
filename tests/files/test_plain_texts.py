"""Plain text and lines of tokens: every line is one sentence with its place, and nothing of it is lost."""

from hypothesis import given
from hypothesis import strategies as st

from tests.files.scratch import scratch_file
from tests.strategies import tokens
from trustag.files.formats import ReadOptions
from trustag.files.plain_texts import read_texts, read_tokens, single_text, single_tokens
from trustag.notes import unwatched
from trustag.text.sentences import Source

LINES = st.lists(st.lists(tokens(), max_size=5), max_size=5)


@given(LINES)
def test_tokens_are_what_stands_between_whitespace(lines: list[list[str]]) -> None:
    content = "".join(" \t ".join(line) + "\n" for line in lines)
    with scratch_file(content, "a.txt") as file:
        found = list(read_tokens(file, ReadOptions(), unwatched))
    assert [list(sentence.tokens) for sentence in found] == lines
    assert [sentence.source for sentence in found] == [Source("a.txt", 1 + number) for number in range(len(lines))]
    for line in lines:
        assert [list(sentence.tokens) for sentence in single_tokens(" ".join(line))] == [line]


@given(LINES)
def test_every_line_of_text_is_a_sentence_whose_text_is_the_line(lines: list[list[str]]) -> None:
    texts = ["  ".join(line) for line in lines]
    with scratch_file("".join(f"{text}\n" for text in texts), "a.txt") as file:
        found = list(read_texts(file, ReadOptions(), unwatched))
    assert [sentence.text for sentence in found] == texts
    assert [sentence.source for sentence in found] == [Source("a.txt", 1 + number) for number in range(len(lines))]
    assert all(label is None for sentence in found for label in sentence.labels)


def test_a_text_that_is_in_no_file_is_read_like_a_line() -> None:
    (sentence,) = single_text("Ann lives in Rome.", ReadOptions(), unwatched)
    assert sentence.tokens == ("Ann", "lives", "in", "Rome", ".")
    (sentence,) = single_text("Ann lives.", ReadOptions(tokenizer="whitespace"), unwatched)
    assert sentence.tokens == ("Ann", "lives.")

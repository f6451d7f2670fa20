"""Raw texts: stored tokens are found again, and lines become sentences without losing a token or cutting an entity."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import sentences, tokens, tokens_with_spaces
from trustag.errors import InputError
from trustag.files.formats import ReadOptions
from trustag.files.raw_texts import (
    LINE_BREAK,
    RawText,
    gaps_between,
    locate_tokens,
    sentences_of,
    split_at_lines,
    stored_tokens,
)
from trustag.files.text_spans import TextSpan
from trustag.files.tokenizers import cut_by_regex
from trustag.text.sentences import Sentence, Source
from trustag.text.spans import read_spans

WHERE = Source("f", 3)
GAPPED = sentences(min_size=0, words=tokens() | tokens_with_spaces(), gaps=st.text(" \r\n", max_size=3))


@given(GAPPED | sentences(min_size=0, words=tokens_with_spaces() | st.just("")))
def test_stored_tokens_are_found_again(sentence: Sentence) -> None:
    assert locate_tokens(sentence.text, stored_tokens(sentence), WHERE) == sentence.offsets


@given(st.text("ab. \n", max_size=20))
def test_gaps_and_tokens_make_up_the_text(text: str) -> None:
    offsets = cut_by_regex(text)
    found = Sentence(tuple(text[a:b] for a, b in offsets), ("O",) * len(offsets), gaps=gaps_between(text, offsets))
    assert found.text == text
    assert found.offsets == offsets


@given(GAPPED)
def test_lines_keep_every_token_and_every_entity(sentence: Sentence) -> None:
    pieces = list(split_at_lines(sentence))
    assert [token for piece in pieces for token in piece.tokens] == list(sentence.tokens)
    assert [label for piece in pieces for label in piece.labels] == list(sentence.labels)
    assert sum(len(read_spans(piece.labels)) for piece in pieces) == len(read_spans(sentence.labels))
    assert sum(len(read_spans(piece.gold or ())) for piece in pieces) == len(read_spans(sentence.gold or ()))


@given(sentences(gold=False, unknown=False, gaps=st.text(" \r\n", max_size=3)))
def test_lines_end_exactly_where_the_text_does_outside_entities(sentence: Sentence) -> None:
    text = sentence.text
    covered = [False] * len(text)
    for entity in read_spans(sentence.labels):
        for position in range(sentence.offsets[entity.start][0], sentence.offsets[entity.end - 1][1]):
            covered[position] = True
    # Oracle: join lines inside entities by a sign of their own, split, and keep the lines with anything in them.
    marked = "".join("\x00" if c in "\r\n" and inside else c for c, inside in zip(text, covered, strict=True))
    expected = [line for line in marked.replace("\r", "\n").split("\n") if line.strip(" \x00")]
    found = ["".join("\x00" if c in "\r\n" else c for c in piece.text) for piece in split_at_lines(sentence)]
    assert found == expected


def test_lines_have_their_own_line_number() -> None:
    text = "\n\na\r\nb c\rd\n\n\ne"
    raw = RawText(text, [TextSpan(text.index("c"), text.index("d") + 1, "X")], Source("f", 1), is_file=True)
    found = list(sentences_of(raw, ReadOptions(split_lines=True), print))
    assert [(s.text, s.source) for s in found] == [
        ("a", Source("f", 3)),
        ("b c\rd", Source("f", 4)),
        ("e", Source("f", 8)),
    ]


def test_lines_without_a_document_are_named_after_their_location() -> None:
    found = list(sentences_of(RawText("a\nb", [], WHERE), ReadOptions(split_lines=True), print))
    assert [(s.document, s.id) for s in found] == [("f:3", None), ("f:3", None)]
    (alone,) = sentences_of(RawText("a\n", [], WHERE, id="7"), ReadOptions(split_lines=True), print)
    assert (alone.document, alone.id, alone.text) == (None, "7", "a")


def test_a_text_without_tokens_has_no_lines() -> None:
    assert list(sentences_of(RawText(" \n ", [], WHERE), ReadOptions(split_lines=True), print)) == []


def test_line_breaks_are_those_of_files() -> None:
    assert LINE_BREAK.split("a\r\nb\nc\rd\u2028e\x0bf") == ["a", "b", "c", "d\u2028e\x0bf"]


def test_wrong_tokens_are_refused() -> None:
    with pytest.raises(InputError, match=r"^f:3: token 'c' is not next in the text; .*--tokenizer regex"):
        locate_tokens("a b", ["a", "c"], WHERE)

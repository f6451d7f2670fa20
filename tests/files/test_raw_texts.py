"""Raw texts: stored tokens are found again, and lines become sentences without losing a token or cutting an entity."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import sentences, tokens, tokens_with_spaces
from trustag.errors import InputError
from trustag.files.formats import ReadOptions
from trustag.files.raw_texts import (
    LINE_BREAK,
    RawText,
    TextReader,
    gaps_between,
    locate_tokens,
    split_at_lines,
    stored_tokens,
)
from trustag.files.text_spans import TextSpan
from trustag.files.tokenizers import cut_by_regex
from trustag.notes import Note
from trustag.text.sentences import Sentence, Source
from trustag.text.spans import read_spans

WHERE = Source("f", 3)
BY_LINE = TextReader(ReadOptions(split_lines=True), print)
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
    found = list(BY_LINE.sentences(raw))
    assert [(s.text, s.source) for s in found] == [
        ("a", Source("f", 3)),
        ("b c\rd", Source("f", 4)),
        ("e", Source("f", 8)),
    ]


def test_lines_without_a_document_are_named_after_their_location() -> None:
    found = list(BY_LINE.sentences(RawText("a\nb", [], WHERE)))
    assert [(s.document, s.id) for s in found] == [("f:3", None), ("f:3", None)]
    (alone,) = BY_LINE.sentences(RawText("a\n", [], WHERE, id="7"))
    assert (alone.document, alone.id, alone.text) == (None, "7", "a")


def test_a_text_without_tokens_has_no_lines() -> None:
    assert list(BY_LINE.sentences(RawText(" \n ", [], WHERE))) == []


def test_line_breaks_are_those_of_files() -> None:
    assert LINE_BREAK.split("a\r\nb\nc\rd\u2028e\x0bf") == ["a", "b", "c", "d\u2028e\x0bf"]


def test_wrong_tokens_are_refused() -> None:
    with pytest.raises(InputError, match=r"^f:3: token 'c' is not next in the text; .*--tokenizer regex"):
        locate_tokens("a b", ["a", "c"], WHERE)


def labelled(text: str, spans: list[TextSpan], tokenizer: str = "auto", **more: Any) -> tuple[Sentence, list[str]]:
    notes: list[Note] = []
    reader = TextReader(ReadOptions(tokenizer=tokenizer), notes.append)
    (sentence,) = reader.sentences(RawText(text, spans, WHERE, **more))
    return sentence, [str(note) for note in notes]


@pytest.mark.parametrize(
    ("text", "entities", "script"),
    [
        ("王小明住在北京。", [(0, 3, "PER"), (5, 7, "LOC")], "Chinese"),
        ("田中さんはトヨタで働く", [(0, 2, "PER"), (5, 8, "ORG")], "Japanese"),
        ("สมชายอยู่ที่กรุงเทพ", [(0, 5, "PER"), (12, 19, "LOC")], "Thai"),
    ],
)
def test_entities_of_a_script_without_spaces_are_kept_and_the_tokenizer_is_told(
    text: str, entities: list[tuple[int, int, str]], script: str
) -> None:
    sentence, notes = labelled(text, [TextSpan(*entity) for entity in entities])
    found = [
        (sentence.offsets[e.start][0], sentence.offsets[e.end - 1][1], e.type) for e in read_spans(sentence.labels)
    ]
    assert found == entities
    (note,) = notes
    assert note.startswith(f"f: info: tokenizer: {script} has no spaces between words, so every character is a token;")
    assert "--tokenizer" in note


def test_the_tokenizer_is_told_once_for_a_file_and_not_if_it_was_chosen_or_tokens_are_there() -> None:
    notes: list[Note] = []
    reader = TextReader(ReadOptions(), notes.append)
    for text in ("北京", "Ann", "上海", "東京です"):
        list(reader.sentences(RawText(text, [], WHERE)))
    assert [note.detail.split()[0] for note in notes] == ["Chinese", "Japanese"]
    assert labelled("北京", [], "regex")[1] == labelled("北京", [], tokens=[(0, 2)])[1] == []


@pytest.mark.parametrize("tokenizer", ["regex", "whitespace", "tests.files.test_raw_texts:in_threes"])
@given(st.data())
def test_a_span_that_falls_inside_a_token_splits_it_and_is_reported(tokenizer: str, data: st.DataObject) -> None:
    text = data.draw(st.text("ab 京서", min_size=1, max_size=12))
    border = st.integers(0, len(text))
    spans = data.draw(st.lists(st.builds(TextSpan, border, border, st.sampled_from(["PER", "LOC"])), max_size=3))
    gold = data.draw(st.none() | st.lists(st.builds(TextSpan, border, border, st.just("PER")), max_size=2))
    sentence, _ = labelled(text, spans, tokenizer, gold=gold)
    assert sentence.text == text
    for labels, given_spans in ((sentence.labels, spans), (sentence.gold or (), gold or [])):
        found = [(sentence.offsets[e.start][0], sentence.offsets[e.end - 1][1]) for e in read_spans(labels)]
        assert found == kept_characters(text, given_spans)


def kept_characters(text: str, spans: list[TextSpan]) -> list[tuple[int, int]]:
    """The characters of the entities to keep, worked out without any tokens."""
    visible = [[place for place in range(span.start, span.end) if not text[place].isspace()] for span in spans]
    trimmed = sorted((places[0], -places[-1] - 1) for places in visible if places)
    kept: list[tuple[int, int]] = []
    for start, negative_end in trimmed:
        if all(end <= start for _, end in kept):
            kept.append((start, -negative_end))
    return kept


def in_threes(text: str) -> list[str]:
    return [word[place : place + 3] for word in text.split() for place in range(0, len(word), 3)]


def test_what_is_split_and_why_is_told() -> None:
    sentence, notes = labelled("서울에서 살다", [TextSpan(0, 2, "LOC")])
    assert (sentence.tokens, sentence.labels) == (("서울", "에서", "살다"), ("B-LOC", "O", "O"))
    assert notes == ["f:3: repaired: token split at the border of an entity: LOC '서울' at 0-2 is part of '서울에서'"]


def test_tokens_in_the_file_are_never_split() -> None:
    sentence, notes = labelled("서울에서", [TextSpan(0, 2, "LOC")], tokens=[(0, 4)])
    assert (sentence.tokens, sentence.labels) == (("서울에서",), ("O",))
    assert notes[0].startswith("f:3: dropped: does not align with tokens")


def test_spans_that_are_dropped_anyway_split_nothing() -> None:
    spans = [
        TextSpan(0, 9, "PER"),
        TextSpan(1, 6, "LOC"),
        TextSpan(2, 3, ""),
        TextSpan(2, 99, "X"),
        TextSpan(1, 2, "-"),
    ]
    sentence, notes = labelled("Ann Smith", spans)
    assert sentence.tokens == ("Ann", "Smith")
    assert sum("dropped" in note for note in notes) == 4


def test_offsets_that_fit_as_javascript_counts_them_split_nothing() -> None:
    sentence, notes = labelled("💩 in York now", [TextSpan(6, 10, "LOC")])
    assert "York" in sentence.tokens
    assert notes[0].endswith("it fits if the offsets count UTF-16 units instead of characters")

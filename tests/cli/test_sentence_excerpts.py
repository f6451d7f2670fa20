"""Excerpts of sentences: they contain the words of the issue and fit."""

import pytest

from trustag.cli.sentence_excerpts import excerpt, label_pair_text, reading_texts
from trustag.issues.issue import Issue
from trustag.text.spans import Span


@pytest.mark.parametrize("width", [20, 30, 60, 200])
@pytest.mark.parametrize("place", [(0, 1), (3, 5), (9, 10), (0, 10)])
def test_context_holds_the_words_at_issue_and_fits(width: int, place: tuple[int, int]) -> None:
    words = ["The", "bank", "of", "Nova", "Scotia", "opened", "in", "1832", "with\tjoy", "."]
    text = excerpt(words, *place, width)
    marked = "[" + " ".join(words[place[0] : place[1]]).replace("\t", "\\t") + "]"
    assert marked in text or "...]" in text
    assert len(text) <= width
    assert text.startswith("...") or text.removeprefix("[").startswith("The")
    assert text.endswith("...") or text.removesuffix("]").endswith(".")


def test_wide_characters_count_twice() -> None:
    words = ["東京", "の", "大学", "は", "古い"]
    assert excerpt(words, 2, 3, 30) == "東京の [大学] は古い"
    assert excerpt(words, 2, 3, 22) == "... の [大学] は ..."
    assert excerpt(["東京大学"], 0, 1, 20) == "[東京大学]"
    assert excerpt(["東京大学"], 0, 1, 17) == "[東京...]"


def test_labels_are_told_apart_by_type_or_in_full() -> None:
    assert label_pair_text("B-LOC", "O") == ("LOC", "O")
    assert label_pair_text("B-LOC", "I-LOC") == ("B-LOC", "I-LOC")
    assert label_pair_text(None, "B-A\tB") == ("?", "A\\tB")


def test_of_many_entities_the_first_are_named() -> None:
    given = tuple(Span(token, token + 1, "PER") for token in range(9))
    issue = Issue(0, 0, 10, "boundary", given, (Span(0, 10, "ORG"),), 0.9, 0.1, 0.8)
    one, other = reading_texts(issue, list("abcdefghij"))
    assert one == "PER `a` + PER `b` + PER `c` + PER `d` + 5 more"
    assert other == "ORG"

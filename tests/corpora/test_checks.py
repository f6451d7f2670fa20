"""Every check finds what was planted, where it was planted, and finds nothing where nothing is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import sentences
from trustag.corpora.checks import (
    LONG_SENTENCE,
    SHORT_SENTENCE,
    Characters,
    Duplicates,
    IllegalLabels,
    Lengths,
    LongerNames,
    SentenceStarts,
    SurfaceForms,
)
from trustag.text.schemes import Scheme, illegal_labels
from trustag.text.sentences import Sentence, Source


def said(words: str, labels: str, line: int = 1) -> Sentence:
    return Sentence(tuple(words.split()), tuple(labels.split()), source=Source("file", line, token_lines=True))


@given(st.lists(sentences(), max_size=4))
def test_legal_labels_have_no_findings_and_a_stray_one_has_its_line(corpus: list[Sentence]) -> None:
    check = IllegalLabels(Scheme.IOB2)
    for sentence in corpus:
        check.add(sentence)
    assert list(check.findings()) == []
    stray = Sentence(("a", "b"), ("O", "I-X"), ("I-X", "O"), source=Source("file", 7, token_lines=True))
    check.add(stray)
    (finding,) = check.findings()
    assert (finding.severity, finding.count) == ("wrong", 2)
    assert [str(source) for source, _ in finding.places] == ["file:8", "file:7"]
    assert len(illegal_labels(stray.labels, Scheme.IOB2)) == 1


@given(st.lists(st.sampled_from([0, 1, LONG_SENTENCE, LONG_SENTENCE + 1]), max_size=5))
def test_lengths_are_wrong_at_nothing_and_worth_a_look_beyond_the_limit(lengths: list[int]) -> None:
    check = Lengths()
    for line, length in enumerate(lengths):
        check.add(Sentence(("w",) * length, ("O",) * length, source=Source("file", line)))
    found = {finding.severity: [source.line for source, _ in finding.places if source] for finding in check.findings()}
    expected = {
        "wrong": [line for line, length in enumerate(lengths) if length == 0],
        "look": [line for line, length in enumerate(lengths) if length > LONG_SENTENCE],
    }
    assert found == {severity: lines for severity, lines in expected.items() if lines}


@pytest.mark.parametrize(
    ("token", "severity"),
    [
        ("caf\u00e9", None),
        ("plain", None),
        ("\u4e2d\u0928\u093f", None),
        ("Caf\u00c3\u00a9", "wrong"),
        ("it\u00e2\u20ac\u2122s", "wrong"),
        ("a\ufffdb", "wrong"),
        ("a\x07b", "wrong"),
        ("a\u200bb", "look"),
        ("a\u00a0b", "look"),
    ],
)
def test_signs_of_a_wrong_encoding_are_wrong_and_invisible_characters_worth_a_look(
    token: str, severity: str | None
) -> None:
    check = Characters()
    for _ in range(2):  # the second time from memory
        check.add(Sentence(("x", token), ("O", "O"), source=Source("file", 4, token_lines=True)))
    findings = list(check.findings())
    assert [(finding.severity, finding.count) for finding in findings] == ([(severity, 2)] if severity else [])
    assert all(str(source) == "file:5" for finding in findings for source, _ in finding.places)


LONG = "one two three four five six"


@given(st.lists(st.tuples(st.sampled_from(["train", "test"]), st.sampled_from(["A", "B"]), st.booleans()), max_size=6))
def test_repeats_are_told_apart_by_split_and_labels(copies: list[tuple[str, str, bool]]) -> None:
    check = Duplicates()
    first: dict[str, tuple[str, bool]] = {}
    leaked, contradicting, repeated = list[int](), list[int](), list[int]()
    for line, (split, word, is_entity) in enumerate(copies, start=1):
        check.add(said(f"{LONG} {word}", "O O O O O O " + ("B-X" if is_entity else "O"), line), split)
        if word in first:
            same_split, same_labels = first[word][0] == split, first[word][1] == is_entity
            (leaked if not same_split else repeated if same_labels else contradicting).append(line)
        first.setdefault(word, (split, is_entity))
    found = [
        (finding.severity, [source.line for source, _ in finding.places if source]) for finding in check.findings()
    ]
    expected = [("wrong", leaked), ("wrong", contradicting), ("look", repeated)]
    assert found == [(severity, lines) for severity, lines in expected if lines]


@pytest.mark.parametrize("length", [1, SHORT_SENTENCE - 1])
def test_short_sentences_may_be_repeated_within_a_split_but_not_across_splits(length: int) -> None:
    check = Duplicates()
    for line, split in enumerate(("train", "train", "test"), start=1):
        check.add(said(" ".join("abcdefgh"[:length]), " ".join("O" * length), line), split)
    (finding,) = check.findings()
    assert (finding.check, finding.severity) == ("sentences that occur in two splits", "wrong")
    assert [source.line for source, _ in finding.places if source] == [3]


def test_forms_with_several_labels_are_counted_the_most_contradicting_first() -> None:
    corpus = [
        said("Ajax won", "B-ORG O"),
        said("Ajax won", "B-PER O"),
        said("Ajax won", "B-PER O"),
        said("New York", "B-LOC I-LOC"),
        said("in New York", "O O O"),
        said("New", "O"),
        said("Rome", "B-LOC"),
        said("Rome", "B-LOC"),
    ]
    check = SurfaceForms()
    for sentence in corpus:
        check.collect(sentence)
    for sentence in corpus:
        check.add(sentence)
    several, sometimes = check.findings()
    for finding, words in ((several, ("Ajax", "PER 2", "ORG 1")), (sometimes, ("New York", "LOC 1", "O 1"))):
        ((_, detail),) = finding.places
        assert all(word in detail for word in words)


@pytest.mark.parametrize("check_type", [SentenceStarts, LongerNames])
def test_checks_of_names_find_nothing_in_lower_case(check_type: type[SentenceStarts] | type[LongerNames]) -> None:
    corpus = [said("he saw ann in rome", "O O B-PER O B-LOC")] * 5
    check = check_type()
    for sentence in corpus:
        check.collect(sentence)
    for sentence in corpus:
        check.add(sentence)
    assert list(check.findings()) == []


def test_a_common_word_with_a_capital_from_its_sentence_is_found_and_a_name_is_not() -> None:
    common = [said("we ran and then slept", "O O O O O")] * 10
    corpus = [*common, said("Then Ann slept", "B-PER B-PER O", 50), said("Ann slept", "B-PER O", 60)]
    check = SentenceStarts()
    for sentence in corpus:
        check.collect(sentence)
    for sentence in corpus:
        check.add(sentence)
    (finding,) = check.findings()
    assert [(str(source), "Then" in detail) for source, detail in finding.places] == [("file:50", True)]

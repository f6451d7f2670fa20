"""One pass over a corpus: sizes, pairs and tags as a plain count finds them."""

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import sentences
from trustag.corpora.survey import Survey
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.sentences import Sentence

CORPORA = st.lists(sentences(min_size=0), max_size=5)


@given(CORPORA)
def test_sizes_and_pairs_are_those_of_a_plain_count(corpus: list[Sentence]) -> None:
    survey = Survey().add(corpus)
    assert survey.sentences == len(corpus)
    assert survey.tokens == sum(len(sentence.tokens) for sentence in corpus)
    expected: Counter[tuple[str | None, str | None]] = Counter()
    for sentence in corpus:
        for labels in filter(lambda own: own is not None, (sentence.labels, sentence.gold)):
            before: str | None = "O"
            for label in (*(labels or ()), "O"):
                expected[before, label] += 1
                before = label
    assert survey.pairs == expected


@given(CORPORA)
def test_tags_are_every_label_once_with_outside_first_and_types_together(corpus: list[Sentence]) -> None:
    tags = Survey().add(corpus).tags
    used = {label for own in corpus for labels in (own.labels, own.gold or ()) for label in labels if label}
    assert tags[0] == "O"
    assert len(set(tags)) == len(tags)
    assert set(tags) == used | {"O"}
    kinds = [tag[2:] for tag in tags[1:]]
    assert kinds == sorted(kinds)
    assert all(first < second for first, second in pairwise(tags[1:]) if first[2:] == second[2:])


@given(CORPORA, CORPORA)
def test_two_parts_are_surveyed_as_one(first: list[Sentence], second: list[Sentence]) -> None:
    assert Survey().add(first).add(second) == Survey().add([*first, *second])


def test_the_scheme_is_that_of_the_labels() -> None:
    labels = ("B-PER", "I-PER", "B-PER", "O", "B-LOC", "I-LOC", "I-LOC")
    for scheme in (Scheme.IOB2, Scheme.IOBES, Scheme.IOE2, Scheme.BILOU):
        own = Sentence(("w",) * len(labels), tuple(convert_labels(labels, scheme)))
        assert Survey().add([own]).scheme.scheme is scheme

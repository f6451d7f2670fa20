"""Which sentences are good: the shares against a count by hand, and what the limits leave."""

from collections.abc import Sequence

import pytest

from tests.methods.test_laws import REVIEWED_SENTENCES, corpus
from tests.training.small import small_recipe, small_task
from trustag.data.encoded_corpus import EncodedCorpus, encode
from trustag.methods.lrnt.sentence_selection import good_sentences, label_consistency
from trustag.methods.lrnt.settings import LRNTSettings
from trustag.text.label_sets import LabelSet
from trustag.text.sentences import REVIEWED, Sentence

ROWS = (
    (("New", "York", "and", "Ann"), ("B-LOC", "I-LOC", "O", "B-PER")),
    (("New", "York", "slept"), ("B-PER", "I-PER", "O")),
    (("New", "York"), ("O", "O")),
    (("Ann", "left", "New", "York"), ("B-PER", "O", "B-LOC", "I-LOC")),
    (("Ann", "stayed", "here"), ("O", "O", "O")),
)


def encoded(reviewed: Sequence[int] = ()) -> EncodedCorpus:
    rows = [
        Sentence(tokens, labels, token_sources=(REVIEWED,) * len(tokens) if number in reviewed else None)
        for number, (tokens, labels) in enumerate(ROWS)
    ]
    return encode(rows, LabelSet.of(["LOC", "PER"]))


def test_consistency_is_the_share_of_the_same_words_with_the_same_type() -> None:
    york_place, york_person, ann = 2 / 4, 1 / 4, 2 / 3
    mixed = (2 * york_place + ann) / 3
    assert label_consistency(encoded()) == pytest.approx([mixed, york_person, 0, mixed, 0])


def test_the_densest_consistent_sentences_are_good() -> None:
    assert good_sentences(encoded(), LRNTSettings(consistency=0.5, good_sentences=1)) == [0, 3]
    assert good_sentences(encoded(), LRNTSettings(consistency=0.2, good_sentences=1)) == [0, 1, 3]
    # Of equals the earlier one: both have three entity tokens of four.
    assert good_sentences(encoded(), LRNTSettings(consistency=0.5, good_sentences=0.2)) == [0]
    assert good_sentences(encoded(), LRNTSettings(consistency=0, good_sentences=1)) == [0, 1, 2, 3, 4]


def test_reviewed_sentences_are_always_good() -> None:
    assert good_sentences(encoded([1, 4]), LRNTSettings(consistency=1, good_sentences=0.2)) == [1, 4]
    own = small_task(small_recipe(), corpus()).corpus
    assert set(REVIEWED_SENTENCES) <= set(good_sentences(own, LRNTSettings(good_sentences=0.01)))


def test_where_no_good_sentence_has_an_entity_all_are_good() -> None:
    assert good_sentences(encoded(), LRNTSettings(consistency=1)) == [0, 1, 2, 3, 4]
    assert good_sentences(encoded([4]), LRNTSettings(consistency=1, good_sentences=0.2)) == [0, 1, 2, 3, 4]

"""Noise rates measured on gold labels, against counting them one by one."""

import pytest
import torch

from trustag.data.encoded_corpus import encode
from trustag.errors import InputError
from trustag.noise_rates.gold_rates import RatesPer, gold_rates
from trustag.text.label_sets import LabelSet
from trustag.text.sentences import GIVEN, REVIEWED, Sentence

LABELS = LabelSet.of(["LOC", "PER"])
SENTENCES = [
    Sentence(("a", "b", "c", "d"), ("B-PER", "O", "B-LOC", "O"), gold=("O", "B-PER", "B-LOC", "O")),
    Sentence(("e", "f", "g"), ("B-PER", "O", None), gold=("B-PER", None, "B-PER")),
    Sentence(("h", "i"), ("B-PER", "I-PER"), gold=("B-LOC", "I-LOC")),
    Sentence(("j",), ("O",)),
]


@pytest.mark.parametrize(
    ("rates_per", "by_group"),
    [
        ("none", {}),
        ("type", {"LOC": 0.0, "PER": 3 / 4}),
        ("label", {"S-PER": 1 / 2, "S-LOC": 0.0, "B-PER": 1.0, "E-PER": 1.0}),
    ],
)
def test_rates_are_shares_of_labels_that_differ_from_gold(rates_per: RatesPer, by_group: dict[str, float]) -> None:
    rates = gold_rates(encode(SENTENCES, LABELS), rates_per)
    assert rates.negative == pytest.approx(1 / 2)  # of two O labels with a known gold label one is wrong
    assert rates.positive == pytest.approx(3 / 5)
    assert {name: rate for name, rate in rates.by_group.items() if rate or name in by_group} == by_group


def test_reviewed_labels_do_not_count() -> None:
    sentence = Sentence(
        ("a", "b", "c", "d"),
        ("B-PER", "O", "B-PER", "O"),
        gold=("O", "B-PER", "B-PER", "B-PER"),
        token_sources=(REVIEWED, REVIEWED, GIVEN, GIVEN),
    )
    rates = gold_rates(encode([sentence], LabelSet(("PER",), "BIES")))
    assert (rates.negative, rates.positive) == (1.0, 0.0)


def test_a_gold_type_that_no_label_has_differs_from_all() -> None:
    corpus = encode([Sentence(("a", "b"), ("B-PER", "O"), gold=("B-ORG", "B-ORG"))], LABELS)
    assert corpus.gold_ids is not None
    assert torch.equal(corpus.gold_ids, torch.tensor([len(LABELS)] * 2))
    assert (gold_rates(corpus).negative, gold_rates(corpus).positive) == (1.0, 1.0)


def test_without_gold_there_is_nothing_to_measure() -> None:
    with pytest.raises(InputError, match="no gold column"):
        gold_rates(encode([Sentence(("a",), ("O",))], LABELS))

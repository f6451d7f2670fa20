from collections.abc import Iterable

import pytest

from tests.random_labels import batches, random_pairs
from trustag.errors import InputError
from trustag.noise.measures import NoiseMeasures, NoiseTally, WrongPositives, measure_noise
from trustag.text.labels import Label
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.scoring import Counts, LabelPair, score_labels
from trustag.text.sentences import Sentence, Source


def measured(pairs: Iterable[LabelPair], scheme: Scheme | None = None) -> NoiseMeasures:
    tally = NoiseTally(scheme)
    for gold, predicted in pairs:
        tally.add(gold, predicted)
    return tally.result()


def noisy(labels: str, gold: str) -> Sentence:
    rows: list[tuple[Label, ...]] = [tuple(None if t == "?" else t for t in side.split()) for side in (labels, gold)]
    return Sentence(("w",) * len(rows[0]), rows[0], rows[1])


def test_rates_equal_their_definition_on_any_labels() -> None:
    for pairs in batches(random_pairs(41, 2000, "BIES", kinds=("-PER", "-LOC")), 10):
        tokens = [(label, true) for gold, labels in pairs for true, label in zip(gold, labels, strict=True)]
        positive = [(label, true) for label, true in tokens if label != "O"]
        negative = [(label, true) for label, true in tokens if label == "O"]
        noise = measured(pairs)
        assert noise.tokens == len(tokens)
        assert noise.positives == len(positive)
        assert noise.negatives == len(negative)
        assert noise.tau_p == sum(label != true for label, true in positive) / len(positive)
        assert noise.tau_n == sum(true != "O" for _, true in negative) / len(negative)
        assert noise.wrong_positives == WrongPositives(
            gold_outside=sum(true == "O" for _, true in positive),
            wrong_type=sum(true != "O" and label[0] == true[0] and label[1:] != true[1:] for label, true in positive),
            wrong_position=sum(label[0] != true[0] and label[1:] == true[1:] for label, true in positive),
            both_wrong=sum(true != "O" and label[0] != true[0] and label[1:] != true[1:] for label, true in positive),
        )


def test_entity_measures_are_the_entity_scores_in_every_scheme() -> None:
    pairs = list(random_pairs(42, 500, "BIES"))
    for scheme in (None, Scheme.IOB2, Scheme.IOBES):
        assert measured(pairs, scheme).entities == score_labels(pairs).micro


@pytest.mark.parametrize("scheme", [Scheme.IOB2, Scheme.IOBES, Scheme.BILOU])
def test_measuring_in_a_scheme_is_measuring_converted_labels(scheme: Scheme) -> None:
    pairs = list(random_pairs(43, 500, "BIES"))
    converted = [(convert_labels(a, scheme), convert_labels(b, scheme)) for a, b in pairs]
    in_scheme, as_written = measured(pairs, scheme), measured(converted)
    assert in_scheme.wrong_positives == as_written.wrong_positives
    assert (in_scheme.tau_p, in_scheme.tau_n) == (as_written.tau_p, as_written.tau_n)


def test_iobes_finds_more_wrong_positions_than_iob2() -> None:
    sentences = [noisy(labels="B-PER I-PER O", gold="B-PER I-PER I-PER")]
    assert measure_noise(sentences).wrong_positives.total == 0
    assert measure_noise(sentences, Scheme.IOBES).wrong_positives == WrongPositives(0, 0, 1, 0)


def test_each_kind_of_wrong_label_is_counted_separately() -> None:
    noise = measure_noise([noisy(labels="B-PER B-LOC I-LOC B-ORG I-ORG O O", gold="O B-PER B-LOC I-PER I-ORG B-PER O")])
    assert noise.wrong_positives == WrongPositives(gold_outside=1, wrong_type=1, wrong_position=1, both_wrong=1)
    assert (noise.positives, noise.negatives, noise.wrong_negatives) == (5, 2, 1)
    assert (noise.tau_p, noise.tau_n) == (0.8, 0.5)


def test_letters_of_two_schemes_for_one_position_are_the_same() -> None:
    noise = measure_noise([noisy(labels="B-PER L-PER U-LOC B-_", gold="B-PER E-PER S-LOC B")])
    assert (noise.positives, noise.wrong_positives.total) == (4, 0)


def test_unknown_labels_belong_to_neither_group_and_are_counted() -> None:
    noise = measure_noise([noisy(labels="? B-PER O ? O", gold="B-PER ? ? ? O")])
    assert (noise.positives, noise.negatives, noise.wrong_negatives) == (0, 1, 0)
    assert (noise.unknown_labels, noise.unknown_gold, noise.tokens) == (2, 3, 5)


def test_without_labels_every_rate_is_zero() -> None:
    for noise in (measure_noise([]), measure_noise([noisy("?", "?")])):
        assert noise.entities == Counts(0, 0, 0)
        assert (noise.tau_p, noise.tau_n) == (0.0, 0.0)


def test_perfect_labels_have_no_noise() -> None:
    pairs = [(gold, gold) for gold, _ in random_pairs(44, 300, "BIES")]
    noise = measured(pairs, Scheme.IOBES)
    assert (noise.tau_p, noise.tau_n, noise.entities.precision, noise.entities.recall) == (0.0, 0.0, 1.0, 1.0)


def test_a_sentence_without_gold_is_an_error_that_names_its_line() -> None:
    with pytest.raises(InputError, match=r"^a.conll:3: no gold labels"):
        measure_noise([Sentence(("w",), ("O",), source=Source("a.conll", 3))])

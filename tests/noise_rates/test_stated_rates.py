from dataclasses import replace

import pytest

from tests.aggregation.simulated import three_sources
from trustag.aggregation.merging import merge
from trustag.data.encoded_corpus import EncodedCorpus, encode
from trustag.noise_rates.gold_rates import gold_rates
from trustag.noise_rates.stated_rates import stated_rates
from trustag.notes import unwatched
from trustag.text.label_sets import LabelSet


@pytest.fixture(scope="module")
def merged() -> EncodedCorpus:
    sentences = merge(three_sources(1200), "hmm", 0.0, unwatched).sentences
    return encode(sentences, LabelSet.of(("LOC", "MISC", "ORG", "PER")))


def test_the_noise_of_merged_labels_is_known_without_gold_labels(merged: EncodedCorpus) -> None:
    rates, true = stated_rates(merged), gold_rates(merged)
    assert rates is not None
    assert rates.positive.estimate == pytest.approx(true.positive, abs=0.03)
    assert rates.negative.estimate == pytest.approx(true.negative, abs=0.02)
    assert true.positive > 0.05


def test_labels_without_probabilities_state_no_rates(merged: EncodedCorpus) -> None:
    assert stated_rates(merged.with_labels(merged.label_ids)) is None


def test_reviewed_labels_do_not_count(merged: EncodedCorpus) -> None:
    assert merged.probabilities is not None
    doubtful = merged.probabilities.gather(1, merged.label_ids[:, None])[:, 0] < 0.9
    rates = stated_rates(replace(merged, is_reviewed=doubtful))
    assert rates is not None
    assert rates.positive.estimate < 0.05

import pytest
from seqeval.metrics import precision_score, recall_score

from tests.aggregation.simulated import three_sources
from trustag.aggregation.sequence_model import fit_sequences
from trustag.aggregation.source_labels import encode_sources
from trustag.aggregation.source_quality import Quality, summarise


def test_estimates_without_gold_labels_are_near_the_truth() -> None:
    labellings = three_sources(1500)
    sources = encode_sources(labellings.names, labellings.types, labellings.given)
    gold = [sentence.gold or () for sentence in labellings.sentences]
    for summary in summarise(sources, fit_sequences(sources)[1], gold):
        assert summary.measured is not None
        assert summary.estimated.precision == pytest.approx(summary.measured.precision, abs=0.03)
        assert summary.estimated.recall == pytest.approx(summary.measured.recall, abs=0.03)
        assert summary.estimated.f1 == pytest.approx(summary.measured.f1, abs=0.03)


def test_what_is_measured_is_seqevals() -> None:
    labellings = three_sources(80)
    sources = encode_sources(labellings.names, labellings.types, labellings.given)
    gold = [sentence.gold or () for sentence in labellings.sentences]
    found = summarise(sources, fit_sequences(sources)[1], gold)[1].measured
    given = [list(row[1]) for row in labellings.given]
    true = [list(labels) for labels in gold]
    assert found == Quality(precision_score(true, given), recall_score(true, given))


def test_a_source_is_measured_on_what_it_labels() -> None:
    rows = [(("B-PER",), ("B-PER",)), ((None,), ("O",))]
    sources = encode_sources(["a", "b"], ["PER"], rows)
    found = summarise(sources, fit_sequences(sources)[1], [("B-PER",), ("B-PER",)])
    assert found[0].measured == Quality(1.0, 1.0)
    assert found[1].measured == Quality(1.0, 0.5)
    assert [summary.tokens for summary in found] == [1, 2]

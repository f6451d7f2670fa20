import krippendorff
import numpy as np
import pytest
from hypothesis import given
from seqeval.metrics import f1_score

from tests.aggregation.simulated import three_sources
from tests.aggregation.test_source_labels import TYPES, Rows, rows
from trustag.aggregation.agreement import krippendorff_alpha, pairwise_f1
from trustag.aggregation.source_labels import encode_sources


@given(rows())
def test_alpha_is_that_of_a_well_kept_library(sentences: Rows) -> None:
    sources = encode_sources(["a", "b", "c"], TYPES, sentences)
    table = np.where(sources.indices < 0, np.nan, sources.indices).T
    found = krippendorff_alpha(sources)
    try:
        expected = krippendorff.alpha(reliability_data=table, level_of_measurement="nominal")
    except (ValueError, AssertionError, RuntimeWarning):
        assert found is None
        return
    assert found is None if np.isnan(expected) else found == pytest.approx(expected)


def test_f1_of_two_sources_is_seqevals() -> None:
    labellings = three_sources(60)
    sources = encode_sources(labellings.names, labellings.types, labellings.given)
    by_source = [[list(row[number]) for row in labellings.given] for number in range(3)]
    pairs = pairwise_f1(sources)
    assert pairs["anna", "carla"] == pytest.approx(f1_score(by_source[0], by_source[2]))
    assert pairs["ben", "carla"] == pytest.approx(f1_score(by_source[1], by_source[2]))


def test_sentences_that_a_source_did_not_label_do_not_count() -> None:
    both = (("B-PER",), ("B-PER",))
    sources = encode_sources(["a", "b"], ["PER"], [both, (("B-PER",), (None,))])
    assert pairwise_f1(sources) == {("a", "b"): 1.0}

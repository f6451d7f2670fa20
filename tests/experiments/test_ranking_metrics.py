"""Average precision and detection, compared with scikit-learn's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from trustag.experiments.ranking_metrics import detection_quality, ranking_quality


@given(st.lists(st.booleans(), min_size=1, max_size=30).filter(any), st.data())
def test_average_precision_is_scikit_learns(errors: list[bool], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(errors))))
    scores = np.array(order, dtype=np.float64)
    found = ranking_quality(np.array(errors), scores)["average_precision"]
    assert found == pytest.approx(average_precision_score(errors, scores))
    with_unranked = ranking_quality(np.array(errors), scores, unranked=sum(errors))["average_precision"]
    assert found is not None
    assert with_unranked == pytest.approx(found / 2)


def test_precision_at_the_top_needs_as_many_items() -> None:
    found = ranking_quality(np.arange(100) < 25, -np.arange(100.0))
    assert (found["precision_at_100"], found["precision_at_500"]) == (0.25, None)


def test_without_errors_there_is_no_average_precision() -> None:
    assert ranking_quality(np.zeros(3, np.bool_), np.arange(3.0))["average_precision"] is None


def test_detection_counts_errors_that_are_not_ranked() -> None:
    found = detection_quality(np.array([True, True, False]), np.array([True, False, True]), unranked=2)
    assert found == {"precision": 0.5, "recall": 0.25, "f1": pytest.approx(1 / 3)}

"""cleanlab's ranking of all labels: what it takes for issues comes first, in its own order."""

import sys

import numpy as np
import pytest

from trustag.errors import InputError
from trustag.experiments.cleanlab_ranking import cleanlab_ranking

LABELS = [np.array([0, 1, 0, 1]) for _ in range(20)]
SURE = np.array([[0.9, 0.1], [0.1, 0.9], [0.9, 0.1], [0.1, 0.9]])


def test_flagged_labels_come_first() -> None:
    pytest.importorskip("cleanlab")
    tables = [SURE.copy() for _ in LABELS]
    tables[3][1] = [0.95, 0.05]
    scores, flagged = cleanlab_ranking(LABELS, tables)
    assert flagged.nonzero()[0].tolist() == [13]
    assert scores.argmax() == 13
    assert (scores[~flagged] <= 1).all()


def test_without_cleanlab_the_error_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cleanlab.token_classification.filter", None)
    with pytest.raises(InputError, match="cleanlab is not installed"):
        cleanlab_ranking(LABELS, [SURE] * len(LABELS))

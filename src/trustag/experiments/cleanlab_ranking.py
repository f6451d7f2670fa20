"""How cleanlab ranks the labels of a corpus; the library is loaded when asked for."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from trustag.errors import InputError
from trustag.experiments.ranking_metrics import Marks, Numbers


def cleanlab_ranking(
    labels: Sequence[npt.NDArray[np.integer[Any]]], probabilities: Sequence[Numbers]
) -> tuple[npt.NDArray[np.float64], Marks]:
    """Return scores of all labels (tokens,), those that cleanlab takes for issues first, and which these are (tokens,).

    ``labels`` holds (tokens,) label indices, ``probabilities`` out-of-fold ones (tokens, labels), for each sentence.
    """
    try:
        from cleanlab.token_classification.filter import find_label_issues  # noqa: PLC0415 - an optional package
        from cleanlab.token_classification.rank import get_label_quality_scores  # noqa: PLC0415
    except ImportError:
        raise InputError("cleanlab is not installed", remedy="pip install cleanlab") from None
    rows = [list(map(int, row)) for row in labels]
    found = find_label_issues(rows, list(probabilities), n_jobs=1)  # no forks of a process with threads
    _, by_token = get_label_quality_scores(rows, list(probabilities))
    scores = [1.0 - np.asarray(row, dtype=np.float64) for row in by_token]
    flagged = [np.zeros(len(row), dtype=np.bool_) for row in rows]
    for rank, (sentence, token) in enumerate(found):
        scores[sentence][token] = 2.0 - rank / len(found)  # in its own order, before all others
        flagged[sentence][token] = True
    return np.concatenate(scores), np.concatenate(flagged)

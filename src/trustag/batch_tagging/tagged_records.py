"""The record of a prediction, as JSON Lines and tables have it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from trustag.models.prediction import Prediction


def record_of_prediction(
    prediction: Prediction, labels: Sequence[str] = (), marginals: npt.NDArray[np.float32] | None = None
) -> dict[str, Any]:
    """Return text, tokens, tags and entities, and if there are any the probabilities of ``labels`` at each token."""
    record: dict[str, Any] = {
        "text": prediction.sentence.text,
        "tokens": prediction.sentence.tokens,
        "ner_tags": prediction.labels,
        "entities": prediction.entities,
    }
    if marginals is not None:
        record["marginals"] = [dict(zip(labels, map(float, row), strict=True)) for row in marginals]
    return record

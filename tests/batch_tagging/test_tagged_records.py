"""A record has what the prediction has, and probabilities by label."""

import numpy as np

from trustag.batch_tagging.tagged_records import record_of_prediction
from trustag.models.prediction import Entity, Prediction
from trustag.text.sentences import Sentence


def test_a_record_holds_text_tokens_tags_entities_and_marginals() -> None:
    entity = Entity(0, 1, "a", "X", 0.5)
    prediction = Prediction(Sentence(("a", "b"), (None, None)), ("B-X", "O"), (entity,))
    record = record_of_prediction(prediction)
    assert record == {"text": "a b", "tokens": ("a", "b"), "ner_tags": ("B-X", "O"), "entities": (entity,)}
    table = np.array([[0.25, 0.75], [1, 0]], dtype=np.float32)
    whole = record_of_prediction(prediction, ("O", "B-X"), table)
    assert whole["marginals"] == [{"O": 0.25, "B-X": 0.75}, {"O": 1.0, "B-X": 0.0}]

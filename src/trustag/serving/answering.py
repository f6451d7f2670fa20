"""The answers of a model to requests, as JSON."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from trustag.errors import TrustagError
from trustag.models.prediction import Prediction, Predictor
from trustag.serving.limits import Limits
from trustag.serving.queries import Query, RefusedError, Text, parse_query, refusal
from trustag.serving.worker_messages import Answer
from trustag.text.sentences import Sentence

_encode: Final = msgspec.json.Encoder().encode


def answer_all(predictor: Predictor, bodies: Sequence[bytes], limits: Limits) -> list[Answer]:
    """Return the answers to requests, in their order; their texts are read together."""
    queries: list[Query | Answer] = [_parsed(body, limits) for body in bodies]
    sound = [query for query in queries if isinstance(query, Query)]
    try:
        found = iter(_answers(predictor, sound))
        return [next(found) if isinstance(query, Query) else query for query in queries]
    except Exception:  # noqa: BLE001 - found again below, for the request that it belongs to
        return [_alone(predictor, query) if isinstance(query, Query) else query for query in queries]


def _parsed(body: bytes, limits: Limits) -> Query | Answer:
    try:
        return parse_query(body, limits)
    except RefusedError as refused:
        return _refused(refused)


def _refused(refused: RefusedError) -> Answer:
    return Answer(refused.status, refusal(refused))


def _alone(predictor: Predictor, query: Query) -> Answer:
    try:
        return _answers(predictor, [query])[0]
    except TrustagError as error:
        return _refused(RefusedError(422, str(error)))
    except Exception as error:  # noqa: BLE001 - one request must not end the worker
        # Its message may hold words of the text, so only its kind is told.
        return _refused(RefusedError(500, f"the model failed on this request ({type(error).__name__})"))


def _answers(predictor: Predictor, queries: Sequence[Query]) -> list[Answer]:
    """Return the answers to queries that are sound."""
    found: dict[int, Answer] = {}
    for least in {query.min_score for query in queries}:
        own = [number for number, query in enumerate(queries) if query.min_score == least]
        texts = (_sentence(predictor, text) for number in own for text in queries[number].texts)
        predictions = predictor.stream(texts, least)
        for number in own:
            found[number] = _answer(queries[number], predictions)
    return [found[number] for number in range(len(queries))]


def _answer(query: Query, predictions: Iterator[Prediction]) -> Answer:
    texts = query.texts
    records = [_record(next(predictions), text) for text in texts]
    return Answer(200, _encode(records[0] if query.inputs is None else {"results": records}), len(texts))


def _sentence(predictor: Predictor, text: Text) -> Sentence:
    return predictor.sentence(text) if isinstance(text, str) else Sentence(tuple(text), (None,) * len(text))


def _record(prediction: Prediction, text: Text) -> dict[str, object]:
    """Return the answer to one text; one given as tokens also gets their labels."""
    if isinstance(text, str):
        return {"entities": prediction.entities}
    return {"entities": prediction.entities, "ner_tags": prediction.labels}

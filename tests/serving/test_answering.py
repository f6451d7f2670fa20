"""Answers to requests read together are those to each alone, and one that fails does not harm the others."""

import json
from pathlib import Path

import pytest

from tests.serving.small_model import TEXTS, TOKENS, expected, loaded, same
from trustag.models.prediction import Predictor
from trustag.serving.answering import answer_all
from trustag.serving.limits import Limits
from trustag.text.sentences import Sentence


def test_each_request_gets_its_own_answer(model: Path) -> None:
    queries = [
        {"text": TEXTS[0]},
        {"text": 1},
        {"inputs": [TEXTS[1], TOKENS[2], ""]},
        {"tokens": TOKENS[3], "min_score": 0.4},
        {"inputs": []},
        {"text": TEXTS[4], "min_score": 0.4},
    ]
    answers = answer_all(loaded(model), [json.dumps(query).encode() for query in queries], Limits())
    found = [json.loads(answer.body) for answer in answers]
    assert [(answer.status, answer.texts) for answer in answers] == [
        (200, 1),
        (422, 0),
        (200, 3),
        (200, 1),
        (200, 0),
        (200, 1),
    ]
    assert same(found[0]["entities"], expected(model, TEXTS[0])[0])
    for result, entities in zip(found[2]["results"], expected(model, TEXTS[1], TOKENS[2], ""), strict=True):
        assert same(result["entities"], entities)
    assert found[4] == {"results": []}
    for place, text in ((3, TOKENS[3]), (5, TEXTS[4])):
        sure = [entity for entity in expected(model, text)[0] if entity["score"] >= 0.4]
        assert same(found[place]["entities"], sure)
    tags = found[3]["ner_tags"]
    assert len(tags) == len(TOKENS[3])
    assert sum(tag.startswith("B-") for tag in tags) == len(found[3]["entities"])


def test_a_request_on_which_the_model_fails_is_the_only_one_refused(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Predictor.sentence

    def sentence(self: Predictor, text: str) -> Sentence:
        if text == "bad":
            raise ValueError("secret words")
        return whole(self, text)

    monkeypatch.setattr(Predictor, "sentence", sentence)
    bodies = [json.dumps({"text": text}).encode() for text in (TEXTS[0], "bad", TEXTS[1])]
    good, bad, also_good = answer_all(loaded(model), bodies, Limits())
    assert (good.status, bad.status, also_good.status) == (200, 500, 200)
    assert same(json.loads(also_good.body)["entities"], expected(model, TEXTS[1])[0])
    assert b"secret" not in bad.body

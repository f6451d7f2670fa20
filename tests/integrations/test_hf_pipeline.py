"""The pipeline has the shape of the one of transformers, and the entities of the model."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import trustag
from trustag.errors import InputError

TEXTS = ["Ada slept of the new Unheard.", "", "the new"]


@pytest.mark.slow
def test_results_have_the_shape_of_transformers(model: Path, tmp_path: Path) -> None:
    import torch
    import transformers

    from tests.models.tiny_transformers import SIZES, word_piece

    torch.manual_seed(1)
    tokenizer = word_piece()
    names = {0: "O", 1: "B-PER", 2: "I-PER"}
    library: Any = transformers
    config = library.BertConfig(vocab_size=len(tokenizer), num_labels=3, id2label=names, **SIZES)
    network = library.BertForTokenClassification(config).eval()
    with torch.no_grad():
        network.classifier.bias.copy_(torch.tensor([-1.0, 1.0, 1.0]))
    theirs = library.pipeline("ner", model=network, tokenizer=tokenizer, aggregation_strategy="simple")
    ours = trustag.pipeline(model, aggregation_strategy="simple")
    text = "Ada Lovelace wrote the first program"
    single, double = theirs(text), theirs([text, text])
    assert single
    mine, both = ours(text), ours([text, text])
    assert mine
    assert type(mine) is type(single)
    assert type(both) is type(double)
    assert type(both[0]) is type(double[0])
    assert [[group["word"] for group in own] for own in both] == [[group["word"] for group in mine]] * 2
    for found, expected in ((mine[0], single[0]), (both[0][0], double[0][0])):
        assert list(found) == list(expected)
        assert 0 < found["score"] <= 1
        assert type(found["start"]) is type(expected["start"])
        assert type(found["word"]) is type(expected["word"])
        assert float(expected["score"]) <= 1
    # Iterables other than lists are read as they come, there and here.
    streams = [iter(theirs(one for one in [text, text])), ours(one for one in [text, text])]
    assert [len(list(stream)) for stream in streams] == [2, 2]


def test_entities_are_those_of_the_model(model: Path, exported: Path) -> None:
    predictor = trustag.load(model)
    pipe = trustag.pipeline(exported)
    assert pipe([]) == []
    expected = [[(e.label, e.text, e.start, e.end) for e in found] for found in predictor.predict(TEXTS)]
    found = pipe(TEXTS)
    assert [[(g["entity_group"], g["word"], g["start"], g["end"]) for g in own] for own in found] == expected
    assert json.loads(json.dumps(found)) == found
    stream = pipe(iter(TEXTS))
    assert isinstance(stream, Iterator)
    assert [len(own) for own in stream] == [len(own) for own in found]


def test_the_package_that_trains_can_be_called_as_well(model: Path) -> None:
    for begin in ("import trustag.pipeline, trustag", "import trustag"):
        code = f"{begin}; print(len(trustag.pipeline({str(model)!r})('Ada slept of the new Unheard.')) > 0)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
        assert done.stdout.strip() == "True"


def test_what_it_cannot_do_is_refused(model: Path) -> None:
    with pytest.raises(InputError, match="no task 'translation'"):
        trustag.pipeline(model, "translation")
    with pytest.raises(InputError, match="predict_tokens"):
        trustag.pipeline(model, aggregation_strategy="none")
    with pytest.raises(InputError, match="where a text is expected"):
        trustag.pipeline(model)([["Ada"]])  # type: ignore[list-item]

"""A saved model tags the same in a fresh process; a folder that lies, or carries code, is refused untouched."""

import json
import operator
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from tests.training.small import small_corpus, small_network, small_recipe, small_spec
from trustag.errors import InputError
from trustag.models.bilstm import BiLSTMEncoder
from trustag.models.building import new_network
from trustag.models.saving import load_model, save_model
from trustag.models.tagger import Tagger
from trustag.notes import unwatched
from trustag.text.label_sets import LabelSet

SENTENCES = [sentence.tokens for sentence in small_corpus().test]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    recipe, labels = small_recipe(), LabelSet.of(["PER", "geo-loc"])
    network = small_network(labels, [*SENTENCES, ("Ünï", "😀")], recipe)
    with torch.no_grad():
        for weight in network.parameters():
            weight.uniform_(-1, 1)
    save_model(network, small_spec(recipe), tmp_path / "model")
    expected = Tagger(network)
    (tmp_path / "expected.json").write_text(json.dumps(_answers(expected)))
    return tmp_path / "model"


def _answers(tagger: Tagger) -> object:
    return [list(tagger.tag(SENTENCES)), [table.tolist() for table in tagger.marginals(SENTENCES)]]


@pytest.mark.slow
def test_a_fresh_process_gives_the_same_answers(model: Path) -> None:
    script = """
import json, sys
from pathlib import Path
from tests.models.test_saving import _answers
from trustag.models.saving import load_model
print(json.dumps(_answers(load_model(Path(sys.argv[1])))))
"""
    done = subprocess.run([sys.executable, "-c", script, str(model)], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == json.loads((model.parent / "expected.json").read_text())


class Trap:
    """Creates a file when unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return Path.touch, (self.path,)


@pytest.mark.parametrize("name", ["weights.pt", "pytorch_model.bin", "sub/extra.PKL"])
def test_a_pickle_in_the_folder_is_refused_and_not_run(model: Path, name: str) -> None:
    (model / name).parent.mkdir(exist_ok=True)
    (model / name).write_bytes(pickle.dumps(Trap(model.parent / "sprung")))
    with pytest.raises(InputError, match="may run code when it is loaded"):
        load_model(model)
    shutil.copy(model / name, model / "weights.safetensors")
    (model / name).unlink()
    with pytest.raises(InputError, match="broken weights"):
        load_model(model)
    assert not (model.parent / "sprung").exists()


FIRST_NAMES = {
    "head.transitions": "transitions",
    "head.start": "start",
    "head.end": "end",
    "head.projection.weight": "projection.weight",
    "head.projection.bias": "projection.bias",
}


def in_first_form(model: Path, **bilstm: object) -> None:
    """Rewrite a model as the first version wrote it."""
    weights = load_file(model / "weights.safetensors")
    save_file({FIRST_NAMES.get(name, name): weight for name, weight in weights.items()}, model / "weights.safetensors")

    def change(facts: Any) -> None:
        facts["format"] = 1
        recipe = facts["recipe"]
        recipe["model"] = {"encoder": "bilstm", "chain": True, "constraints": "decoding", "chain_start": "zero"}
        recipe["bilstm"]["vectors_learn"] = recipe["bilstm"].pop("finetune_vectors")
        recipe["bilstm"].update({"word_dropout": 0.0, "case_fallback": True, "fold_digits": True, **bilstm})

    edit(model, change)


def test_a_model_of_the_first_version_tags_as_ever(model: Path) -> None:
    in_first_form(model)
    assert json.loads(json.dumps(_answers(load_model(model)))) == json.loads(
        (model.parent / "expected.json").read_text()
    )


@pytest.mark.parametrize("name", ["case_fallback", "fold_digits"])
def test_a_model_of_the_first_version_looks_words_up_as_it_did(model: Path, name: str) -> None:
    in_first_form(model, **{name: False})
    encoder = load_model(model).network.encoder
    assert isinstance(encoder, BiLSTMEncoder)
    assert not getattr(encoder.vocabulary.lookup, name)


def test_word_dropout_of_the_first_version_does_not_matter_to_a_trained_model(model: Path) -> None:
    in_first_form(model, word_dropout=0.3)
    assert json.loads(json.dumps(_answers(load_model(model)))) == json.loads(
        (model.parent / "expected.json").read_text()
    )


@pytest.mark.parametrize("is_finetuned", [True, False])
def test_a_model_remembers_whether_its_own_vectors_were_finetuned(is_finetuned: bool, tmp_path: Path) -> None:
    spec = replace(small_spec(), finetune_vectors=is_finetuned)
    network = new_network(SENTENCES, LabelSet.of(["PER"]), spec, unwatched)
    save_model(network, spec, tmp_path / "model")
    loaded = load_model(tmp_path / "model").network.state_dict()
    assert loaded.keys() == network.state_dict().keys()
    assert ("encoder.table.rows" in loaded) == is_finetuned


def edit(model: Path, change: Callable[[dict[str, object]], object]) -> None:
    facts = json.loads((model / "model.json").read_text())
    change(facts)
    (model / "model.json").write_text(json.dumps(facts))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda facts: facts.update(format=3), "model format 3, this version reads 2"),
        (
            lambda facts: facts["recipe"]["bilstm"].update(hidden=10**9),
            "bilstm.hidden = 1000000000: input should be less",
        ),
        (lambda facts: facts["recipe"]["bilstm"].update(hidden=10**6), "has the shape"),
        (lambda facts: facts.update(format=[2]), r"model format \[2\], this version reads 2"),
        (
            lambda facts: facts["vocabulary"].update(vector_width=0),
            r"not a sound model description \(vectors that are 0 wide",
        ),
        (lambda facts: facts["vocabulary"].update(vector_width=10**12), "vectors that are 1000000000000 wide"),
        (lambda facts: facts["vocabulary"].pop("learned"), "not a sound model description"),
        (lambda facts: facts["vocabulary"].update(learned=[1, 2]), "not a sound model description"),
        (lambda facts: facts["vocabulary"]["learned"].append("one more"), "has the shape"),
        (lambda facts: facts.update(types=["PER"]), "has the shape"),
        (lambda facts: facts.update(positions="None"), "no tagging scheme has the positions 'None'"),
        (lambda facts: facts["recipe"].update(surprise={}), "there is no setting 'surprise'"),
        (lambda facts: facts.update(recipe=None), "not a sound model|model.json"),
    ],
)
def test_a_description_that_does_not_fit_the_weights_is_refused(
    model: Path, change: Callable[[dict[str, object]], object], message: str
) -> None:
    edit(model, change)
    with pytest.raises(InputError, match=message):
        load_model(model)


def places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the way to everything in a JSON value that is neither an object nor a list."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inner is None:
        yield path
    for key, part in inner or ():
        yield from places(part, (*path, key))


def test_any_value_in_a_description_may_be_wrong(model: Path) -> None:
    facts = json.loads((model / "model.json").read_text())
    facts["temperature"] = 1.5
    seen = 0
    for path in list(places(facts)):
        for value in ("0", "-1", "2.5", "1e308", "1e400", "NaN", "1" * 40, '""', "null", "[]", "{}", "true"):
            wrong = json.loads(json.dumps(facts))
            parent = reduce(operator.getitem, path[:-1], wrong)
            parent[path[-1]] = "here"
            (model / "model.json").write_text(json.dumps(wrong).replace('"here"', value, 1))
            try:
                list(load_model(model).tag(SENTENCES[:1]))
            except InputError:
                seen += 1
    assert seen > 100


def test_weights_that_do_not_fit_are_refused(model: Path) -> None:
    weights = load_file(model / "weights.safetensors")
    path = model / "weights.safetensors"
    save_file({**weights, "extra": torch.zeros(1)}, path)
    with pytest.raises(InputError, match="differ in 'extra'"):
        load_model(model)
    save_file({**weights, "head.start": weights["head.start"].double()}, path)
    with pytest.raises(InputError, match="head.start is torch.float64"):
        load_model(model)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(InputError, match="broken weights"):
        load_model(model)
    path.write_bytes((2**60).to_bytes(8, "little") + b"{}")
    with pytest.raises(InputError, match="broken weights"):
        load_model(model)
    path.unlink()
    with pytest.raises(InputError, match="broken weights"):
        load_model(model)


def test_links_out_of_the_folder_are_refused(model: Path) -> None:
    target = model.parent / "elsewhere.safetensors"
    (model / "weights.safetensors").rename(target)
    (model / "weights.safetensors").symlink_to(target)
    with pytest.raises(InputError, match="a link that may lead elsewhere"):
        load_model(model)


def test_a_folder_without_a_model_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no model here"):
        load_model(tmp_path)


def test_order_is_kept_and_empty_sentences_stay_empty(model: Path) -> None:
    tagger = load_model(model)
    mixed = [(), *SENTENCES, (), SENTENCES[0] * 40]
    together = list(tagger.tag(mixed))
    assert [len(labels) for labels in together] == [len(tokens) for tokens in mixed]
    assert together == [labels for tokens in mixed for labels in tagger.tag([tokens])]

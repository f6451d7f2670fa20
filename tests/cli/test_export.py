"""``trustag export``: what it writes predicts the same from a shell, without torch."""

import json
from pathlib import Path

from tests.cli.test_commands import run
from tests.export.models import MODELS, random_network
from trustag.export.writing import export_model
from trustag.models.network_spec import NetworkSpec
from trustag.models.saving import save_model
from trustag.recipes.network_settings import NetworkSettings


def saved(folder: Path) -> Path:
    sizes = {"words": 4, "hidden": 3, "characters": 3, "character_hidden": 2}
    network = random_network()
    own = network.encoder.sizes
    sizes = {name: getattr(own, name) for name in sizes}
    settings = NetworkSettings.model_validate({"bilstm": {**sizes, "random_vectors": True}})
    save_model(network, NetworkSpec(settings, None, None, finetune_vectors=False), folder)
    return folder


def test_an_exported_model_predicts_the_same_from_a_shell(tmp_path: Path) -> None:
    model = saved(tmp_path / "model")
    done = run("export", str(model), "-o", str(tmp_path / "small"), "--weights", "int8")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{tmp_path / 'small'}  ")
    assert run("export", str(model), "-o", str(tmp_path / "exported")).returncode == 0
    again = run("export", str(model), "-o", str(tmp_path / "exported"))
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    text = "Ada slept in the new Unheard."
    answers = [run("predict", str(place), text) for place in (model, tmp_path / "exported")]
    ours, theirs = (json.loads(answer.stdout) for answer in answers)
    assert ours["ner_tags"] == theirs["ner_tags"]
    assert [e["start"] for e in ours["entities"]] == [e["start"] for e in theirs["entities"]]


def test_a_model_exported_in_python_is_the_same(tmp_path: Path) -> None:
    export_model(MODELS["usual"], tmp_path / "first")
    export_model(MODELS["usual"], tmp_path / "second")
    for file in (tmp_path / "first").iterdir():
        assert file.read_bytes() == (tmp_path / "second" / file.name).read_bytes()

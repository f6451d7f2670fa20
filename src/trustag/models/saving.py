"""Models on disk: weights as safetensors, everything else as JSON, nothing that could run.

What a folder says of itself is checked against what its weights really are before anything is allocated.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from trustag._version import __version__
from trustag.errors import InputError
from trustag.files.outputs import new_file, new_folder
from trustag.models.bilstm_building import lookup_of
from trustag.models.building import network_of
from trustag.models.context import Context
from trustag.models.encoder_kinds import StoredEncoder, find_encoder, stored_strings
from trustag.models.model_place import MODEL_FILE, is_exported, model_folder
from trustag.models.network import Network
from trustag.models.network_spec import NetworkSpec
from trustag.models.tagger import Tagger
from trustag.models.tensor_files import load_weights, save_tensors
from trustag.models.weightless import weightless
from trustag.recipes.first_form import upgraded
from trustag.recipes.loading import checked
from trustag.recipes.network_settings import NetworkSettings
from trustag.text.label_sets import LabelSet
from trustag.vectors.word_vectors import Lookup

FORMAT: Final = 2
_FIRST_FORMAT: Final = 1
_WEIGHTS: Final = "weights.safetensors"
# Weights that the first version called otherwise.
_FIRST_NAMES: Final = {
    "transitions": "head.transitions",
    "start": "head.start",
    "end": "head.end",
    "projection.weight": "head.projection.weight",
    "projection.bias": "head.projection.bias",
}
_LARGEST_JSON: Final = 1 << 30
_HOTTEST: Final = 1e6
_CODE_CARRIERS: Final = {".pt", ".pth", ".bin", ".pkl", ".pickle", ".ckpt", ".joblib", ".npy"}


def save_model(network: Network, spec: NetworkSpec, folder: Path) -> None:
    """Write a model folder, all or nothing; an older one of that name is replaced."""
    with new_folder(folder, overwrite=True) as draft:
        labels, settings = network.labelling_head.labels, spec.settings.model_dump()
        settings["bilstm"]["finetune_vectors"] = spec.finetune_vectors
        facts: dict[str, Any] = {
            "format": FORMAT,
            "trustag": __version__,
            "types": labels.types,
            "positions": labels.positions,
            "recipe": settings,
        }
        facts |= find_encoder(spec.settings.model.encoder).save(network.encoder, draft)
        with new_file(draft / MODEL_FILE) as description:
            description.write(json.dumps(facts, ensure_ascii=False).encode())
        save_tensors(network.state_dict(), draft / _WEIGHTS)
        (draft / _WEIGHTS).chmod((draft / MODEL_FILE).stat().st_mode)


def load_model(folder: Path, context: Context | None = None) -> Tagger:
    """Return the tagger in ``folder``: a model folder, or a run with one inside.

    A ``context`` that is at hand already stands in for the model's own.
    """
    if is_exported(folder):
        remedy = "it only predicts; name the run it was made from"
        raise InputError("an exported model", where=folder, remedy=remedy)
    folder = model_folder(folder)
    _refuse_code(folder)
    facts = _read_facts(folder)
    try:
        settings, lookup = _settings(facts, folder)
        labels = LabelSet(stored_strings(facts["types"]), facts["positions"])
        _ = labels.scheme  # which there must be
        network = _empty_network(labels, StoredEncoder(folder, facts, settings, lookup, context))
    except (KeyError, TypeError, AttributeError, RuntimeError, ValueError, ArithmeticError) as error:
        raise InputError(f"not a sound model description ({_first_line(error)})", where=folder / MODEL_FILE) from None
    names = _FIRST_NAMES if facts["format"] == _FIRST_FORMAT else {}
    load_weights(network, folder / _WEIGHTS, names)
    legal_only = settings.model.constraints != "none"
    return Tagger(network, legal_only=legal_only, temperature=_temperature(facts, folder))


def _settings(facts: Mapping[str, Any], folder: Path) -> tuple[NetworkSettings, Lookup]:
    """Return the settings of the network, and how it looks words up."""
    values = facts["recipe"]
    forgiving = {}
    if facts["format"] == _FIRST_FORMAT:
        # The first version could be set not to look for a word in lower case, or with other digits.
        own = dict(values.get("bilstm", {}))
        own.pop("word_dropout", None)  # gone, and prediction never depended on it
        forgiving = {name: own.pop(name) for name in ("case_fallback", "fold_digits") if name in own}
        whole = upgraded({**values, "bilstm": own})
        values = {section: whole[section] for section in NetworkSettings.model_fields if section in whole}
    settings = checked(NetworkSettings, values, str(folder / MODEL_FILE))
    return settings, replace(lookup_of(settings.bilstm), **forgiving)


def set_temperature(folder: Path, temperature: float) -> None:
    """Note in a model folder by what its scores are to be divided before they become probabilities."""
    facts = {**_read_facts(folder), "temperature": temperature}
    with new_file(folder / MODEL_FILE, overwrite=True) as description:
        description.write(json.dumps(facts, ensure_ascii=False).encode())


def _temperature(facts: Mapping[str, Any], folder: Path) -> float:
    """Return the temperature of a model; those of older versions have none."""
    found = facts.get("temperature", 1.0)
    if not isinstance(found, int | float) or not 0.0 < found < _HOTTEST:
        raise InputError(f"a temperature of {found!r}", where=folder / MODEL_FILE, remedy="copy the model again")
    return float(found)


def _refuse_code(folder: Path) -> None:
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in _CODE_CARRIERS:
            raise InputError(
                "a file that may run code when it is loaded",
                where=path,
                remedy="Trustag models hold safetensors and JSON only",
            )
        if path.is_symlink():
            raise InputError("a link that may lead elsewhere", where=path, remedy="copy the file instead")


def _read_facts(folder: Path) -> Mapping[str, Any]:
    path = folder / MODEL_FILE
    if path.stat().st_size > _LARGEST_JSON:
        raise InputError("larger than any model description", where=path)
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"not valid JSON ({error})", where=path, remedy="copy the model again") from None
    found = facts.get("format") if isinstance(facts, dict) else None
    if found not in (_FIRST_FORMAT, FORMAT):  # which may be a list, and no set looks for that
        raise InputError(
            f"model format {found!r}, this version reads {FORMAT}", where=path, remedy="update Trustag or train again"
        )
    known: Mapping[str, Any] = facts
    return known


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _empty_network(labels: LabelSet, stored: StoredEncoder) -> Network:
    """Return the network that the description speaks of, without memory for its weights."""
    settings = stored.settings.model
    encoder = find_encoder(settings.encoder, imports=False).load(stored)
    with weightless():
        return network_of(encoder, labels, settings, imports=False)

"""Fitted estimators on disk: a model folder, the recipe, what was found as JSON and arrays; nothing that could run."""

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import tomli_w

from trustag._version import __version__
from trustag.errors import InputError
from trustag.estimator.fitted import FittedState, LearnedLabels, cut
from trustag.export.model_loading import load as load_predictor
from trustag.files.outputs import new_file, new_folder
from trustag.models.network_spec import NetworkSpec
from trustag.models.saving import save_model, set_temperature
from trustag.models.tagger import Tagger
from trustag.recipes.loading import build_recipe, read_values
from trustag.runs.folder import RunFolder

FORMAT: Final = 1
_ESTIMATOR: Final = "estimator.json"
_NEW_NAMES: Final = {"apart": "by_group", "cut_names": "truncated_entities"}


@dataclass(frozen=True, slots=True)
class _Saved:
    """The content of ``estimator.json``."""

    format: int
    trustag: str
    parameters: dict[str, Any]
    learned: LearnedLabels


def save_fitted(fitted: FittedState, parameters: Mapping[str, object], path: Path, *, overwrite: bool) -> None:
    """Write a folder from which :func:`load_fitted` gets the same back, all or nothing.

    It has the names of a run, so whatever takes the model of a run takes the folder too.
    """
    tagger = fitted.model.tagger
    if not isinstance(tagger, Tagger):
        raise TypeError(f"not a tagger that was trained here: {type(tagger)}")
    with new_folder(path, overwrite=overwrite) as draft:
        place = RunFolder(draft)
        network = NetworkSpec(fitted.recipe.network, None, None, fitted.recipe.bilstm.finetune_vectors)
        save_model(tagger.network, network, place.best)
        set_temperature(place.best, tagger.temperature)
        with new_file(place.recipe) as stream:
            stream.write(tomli_w.dumps(fitted.recipe.model_dump()).encode())
        with new_file(draft / _ESTIMATOR) as stream:
            saved = _Saved(FORMAT, __version__, dict(parameters), fitted.learned)
            stream.write(msgspec.json.encode(saved, enc_hook=_plain))
        if fitted.confidence is not None and fitted.trusted is not None:
            with new_file(place.confidence) as stream:
                scores, trusted = (np.concatenate(list(rows)) for rows in (fitted.confidence, fitted.trusted))
                np.savez_compressed(stream, score=scores, trusted=trusted)


def load_fitted(path: Path) -> tuple[dict[str, Any], FittedState]:
    """Return the parameters and everything else that :func:`save_fitted` left in ``path``."""
    place = RunFolder(path)
    saved = _read(path / _ESTIMATOR)
    # The method is not looked up: a folder of data must not decide which code is loaded.
    recipe = build_recipe(read_values(str(place.recipe), to_train=False), where=str(place.recipe))
    fitted = FittedState(load_predictor(path), recipe, saved.learned)
    if not place.confidence.exists():
        return saved.parameters, fitted
    lengths = [len(labels) for labels in saved.learned.relabelled]
    try:
        with place.confidence.open("rb") as stream, np.load(stream) as columns:
            scores, trusted = columns["score"], columns["trusted"]
    except (ValueError, KeyError, OSError, zipfile.BadZipFile) as error:
        raise InputError(f"cannot be read ({error})", where=place.confidence, remedy="copy the folder again") from None
    if len(scores) != sum(lengths) or len(trusted) != sum(lengths):
        finding = f"{len(scores)} confidences for {sum(lengths)} labels"
        raise InputError(finding, where=place.confidence, remedy="copy the folder again")
    rows = cut(scores, lengths), cut(trusted, lengths)
    return saved.parameters, FittedState(fitted.model, fitted.recipe, fitted.learned, *rows)


def _read(file: Path) -> _Saved:
    if not file.is_file():
        remedy = "name a folder that NoisyNER.save wrote; trustag.load takes the models of runs"
        raise InputError("no saved estimator here", where=file.parent, remedy=remedy)
    try:
        content = file.read_bytes()
        found = msgspec.json.decode(content, type=dict[str, msgspec.Raw]).get("format", msgspec.Raw(b"null"))
        if bytes(found) != str(FORMAT).encode():
            finding = f"estimator format {bytes(found).decode()}, this version reads {FORMAT}"
            raise InputError(finding, where=file, remedy="update Trustag or fit again")
        return msgspec.convert(_with_new_names(msgspec.json.decode(content)), type=_Saved)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"not a sound estimator ({error})", where=file, remedy="copy the folder again") from None


def _with_new_names(value: Any) -> Any:
    """Return JSON values with today's names for what the first version called otherwise."""
    if isinstance(value, dict):
        return {_NEW_NAMES.get(name, name): _with_new_names(part) for name, part in value.items()}
    return [_with_new_names(part) for part in value] if isinstance(value, list) else value


def _plain(value: object) -> object:
    """Return a parameter as JSON has it: paths as text, numbers of numpy as numbers."""
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, np.generic):
        return value.item()
    raise InputError(
        f"the parameter {value!r} cannot be saved", remedy="use strings, numbers, lists of strings or None"
    )

"""Recipes in the form of the first version: saved models, estimators, runs and users' files keep being readable.

In that form the settings of the method stood in three sections of their own, ``[confidence]``, ``[rates]`` and
``[rounds]``, and settings that were left out had other defaults than today.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from trustag.errors import InputError

_METHOD_SECTIONS: Final = {"confidence", "rates", "rounds"}

_DEFAULTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "model": {"chain": True, "chain_start": "zero"},
    "bilstm": {"vectors_learn": False, "vectors_rate": 1.0},
    "training": {
        "epochs": 8,
        "least_steps": 0,
        "batch_size": 32,
        "learning_rate": 6e-3,
        "average": 0.0,
        "patience": 5,
    },
    "confidence": {
        "scoring": "global",
        "passes": "training",
        "idle_labels": False,
        "memory": 0.5,
        "ranking": "epoch",
        "schedule": "stepped",
        "ramp": 5,
        "rounding": "nearest",
        "calibration": True,
        "part_score": "sum",
        "part_outside": True,
        "common_words": "believed",
        "cut_names": "believed",
        "tellings": 0,
    },
    "rates": {
        "source": "auto",
        "negative": 0.0,
        "positive": 0.0,
        "apart": "none",
        "estimate_epochs": 4,
        "later": "same",
        "later_negative": 0.005,
        "later_positive": 0.15,
        "search": "separate",
        "search_from": 0.0,
        "search_to": 0.2,
        "search_step": 0.01,
        "search_positive_to": 0.0,
        "search_positive_step": 0.0,
    },
    "rounds": {
        "count": 1,
        "folds": 2,
        "fold_epochs": 0,
        "fold_vectors_learn": False,
        "reannotate": "untrusted",
        "relabel": "soft",
        "reshuffle": 2,
        "baseline": True,
        "final_confidence": False,
        "report": "best",
    },
}

_NAMES: Final[Mapping[str, str]] = {
    "model.chain": "model.head",
    "model.chain_start": "model.transition_init",
    "bilstm.vectors_learn": "bilstm.finetune_vectors",
    "confidence.scoring": "method.scoring",
    "confidence.memory": "method.ema_decay",
    "confidence.ramp": "method.ramp_epochs",
    "confidence.calibration": "method.calibration",
    "confidence.common_words": "method.sentence_initial_words",
    "confidence.cut_names": "method.truncated_entities",
    "confidence.tellings": "method.negatives_per_name",
    "confidence.passes": "method.parity.scoring_pass",
    "confidence.idle_labels": "method.parity.untrained_labels",
    "confidence.ranking": "method.parity.ranking",
    "confidence.schedule": "method.parity.schedule",
    "confidence.rounding": "method.parity.rounding",
    "confidence.part_score": "method.parity.part_score",
    "confidence.part_outside": "method.parity.part_outside",
    "rates.source": "method.rates.source",
    "rates.negative": "method.rates.negative",
    "rates.positive": "method.rates.positive",
    "rates.apart": "method.rates.rates_per",
    "rates.estimate_epochs": "method.rates.estimate_epochs",
    "rates.later": "method.parity.later_rates",
    "rates.later_negative": "method.parity.later_negative",
    "rates.later_positive": "method.parity.later_positive",
    "rates.search": "method.rates.grid",
    "rates.search_from": "method.rates.grid",
    "rates.search_to": "method.rates.grid",
    "rates.search_step": "method.rates.grid",
    "rates.search_positive_to": "method.rates.grid",
    "rates.search_positive_step": "method.rates.grid",
    "rounds.count": "method.rounds.count",
    "rounds.folds": "method.rounds.folds",
    "rounds.fold_epochs": "method.rounds.fold_epochs",
    "rounds.fold_vectors_learn": "method.rounds.fold_finetune_vectors",
    "rounds.reannotate": "method.rounds.reannotate",
    "rounds.relabel": "method.rounds.relabel",
    "rounds.baseline": "method.rounds.baseline",
    "rounds.reshuffle": "method.parity.reshuffle",
    "rounds.final_confidence": "method.parity.final_confidence",
    "rounds.report": "method.parity.kept_round",
}

_VALUES: Final[Mapping[str, Mapping[Any, Any]]] = {
    "model.chain": {True: "crf", False: "softmax"},
    "model.chain_start": {"zero": "zero", "drawn": "random"},
    "confidence.passes": {"training": "training", "clean": "without dropout"},
    "confidence.common_words": {"believed": "visible", "doubted": "as O"},
    "confidence.cut_names": {"believed": "visible", "doubted": "hidden", "judged": "auto"},
}

# What is gone, with the values that did nothing.
_GONE: Final[Mapping[str, tuple[Any, ...]]] = {
    "bilstm.word_dropout": (0.0,),
    "bilstm.case_fallback": (True,),
    "bilstm.fold_digits": (True,),
    "training.momentum": (0.0,),
    "confidence.prior": (0.0,),
    "confidence.token_loss": (0.0,),
    "rates.margin": (1.0,),
    "rounds.hide": ("sentences",),
    "rounds.members": (1,),
}

_SINCE: Final[Mapping[str, str | bool]] = {
    "bilstm.context_mix": "concatenate",
    "method.parity.kept_model": "new labels",
    "method.parity.starts": "fresh",
    "method.rounds.dev_as_trusted": False,
}
"""What the first version always did, where there is a choice today."""


def is_first_form(values: Mapping[str, Any]) -> bool:
    """Tell whether nested settings are of the first version: by a section or a setting that only that one has."""
    return any(section in values for section in _METHOD_SECTIONS) or any(
        f"{section}.{key}" in only_there for only_there in (_NAMES, _GONE) for section, key in _keys(values)
    )


def renamed(name: str) -> str | None:
    """Return what a setting of the first version is called today, None where it has no other name.

    >>> renamed("rounds.count"), renamed("training.epochs")
    ('method.rounds.count', None)
    """
    return _NAMES.get(name)


def upgraded(values: Mapping[str, Any], *, to_train: bool = True) -> dict[str, Any]:
    """Return nested settings in today's form; those that are in it already stay as they are.

    A setting that is gone is an error where it would have done something: a training could not be repeated. What is
    trained already is read without it (``to_train=False``).
    """
    if not is_first_form(values):
        return {section: dict(own) if isinstance(own, Mapping) else own for section, own in values.items()}
    for section, own in values.items():
        if not isinstance(own, Mapping):
            raise InputError(f"{section} = {own!r} is no table of settings", remedy=f"write [{section}] above settings")
    whole = {section: {**_DEFAULTS.get(section, {}), **values.get(section, {})} for section in {**_DEFAULTS, **values}}
    found: dict[str, Any] = {}
    for section, own in whole.items():
        for key, value in own.items():
            name = f"{section}.{key}"
            if name in _GONE:
                if to_train:
                    _refuse_unless_idle(name, value)
            elif _NAMES.get(name) != "method.rates.grid":
                _put(found, _NAMES.get(name, name), _new_value(name, value))
    _put(found, "method.rates.grid", _grid(whole["rates"]))
    for name, value in _SINCE.items():
        _put(found, name, value)
    return _with_method(found, whole)


def _keys(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the section and the key of every setting; what is no table has none."""
    for section, own in values.items():
        if isinstance(own, Mapping):
            yield from ((section, key) for key in own)


def _new_value(name: str, value: Any) -> Any:
    """Return what a value is called today; lists and tables are never renamed."""
    return value if isinstance(value, list | dict) else _VALUES.get(name, {}).get(value, value)


def _with_method(found: dict[str, Any], whole: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Name the method, which the first version told by its settings alone."""
    if not whole["rounds"]["count"]:
        return {**found, "method": {"name": "bilstm-crf"}}
    return {**found, "method": {"name": "confidence", **found["method"]}}


def _grid(rates: Mapping[str, Any]) -> dict[str, Any]:
    lowest, highest, step = rates["search_from"], rates["search_to"], rates["search_step"]
    of_entities = rates["search_positive_to"] or highest, rates["search_positive_step"] or step
    return {
        "negative": [lowest, highest, step],
        "positive": [lowest, *of_entities],
        "pairs": rates["search"] == "full",
    }


def _refuse_unless_idle(name: str, value: Any) -> None:
    if value not in _GONE[name]:
        raise InputError(
            f"the setting {name} = {value!r} no longer exists", remedy="leave it out; the result will differ"
        )


def _put(values: dict[str, Any], name: str, value: Any) -> None:
    *sections, key = name.split(".")
    for section in sections:
        values = values.setdefault(section, {})
    values[key] = value

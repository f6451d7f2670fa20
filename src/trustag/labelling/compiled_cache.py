"""Compiled gazetteers in files: read at once, and kept in the cache under a digest of what they were compiled from."""

import json
import os
import shutil
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from trustag.errors import InputError
from trustag.files.outputs import new_folder
from trustag.labelling.gazetteers import CompiledGazetteer, CompiledList, compile_lists
from trustag.labelling.list_sources import LocatedList, read_list, report_lists
from trustag.labelling.phrase_index import PhraseArrays
from trustag.notes import Note, Watch
from trustag.text.sentences import Source
from trustag.vectors.cache import cache_folder, disk_errors_on_one_line

_FORMAT: Final = 1
_ARRAYS: Final = "arrays.safetensors"
_LISTS: Final = "lists.json"
_KEPT: Final = 20
_TYPES: Final = {
    "words": np.uint64,
    "edges": np.uint64,
    "first_entries": np.uint32,
    "entry_lists": np.uint32,
    "entry_types": np.uint32,
    "entry_weights": np.float32,
    "entry_hashes": np.uint64,
}


def gazetteer_of(lists: tuple[LocatedList, ...], watch: Watch) -> CompiledGazetteer:
    """Return the gazetteer of ``lists``, from the cache if it was compiled before from the same contents."""
    folder = gazetteers_folder() / _digest(lists)
    found = _stored(folder, watch)
    if found is None:
        found = compile_lists([read_list(one) for one in lists])
        with disk_errors_on_one_line(folder.parent):
            folder.parent.mkdir(parents=True, exist_ok=True)
        save_gazetteer(found, folder)
        _forget_oldest(folder.parent)
    report_lists(found, lists, watch)
    return found


def gazetteers_folder() -> Path:
    """Return the folder of compiled gazetteers, which need not exist yet."""
    return cache_folder(os.environ) / "gazetteers"


def save_gazetteer(gazetteer: CompiledGazetteer, folder: Path) -> None:
    """Write a compiled gazetteer to ``folder``."""
    facts = {
        "format": _FORMAT,
        "types": gazetteer.types,
        "lists": [
            {"name": one.name, "case": one.case, "forms": one.forms, "left_out": dict(one.left_out)}
            for one in gazetteer.lists
        ],
    }
    with new_folder(folder, overwrite=True) as draft:
        save_file({name: getattr(gazetteer.arrays, name) for name in _TYPES}, draft / _ARRAYS)
        (draft / _LISTS).write_text(json.dumps(facts, ensure_ascii=False), encoding="utf-8")


def load_gazetteer(folder: Path) -> CompiledGazetteer:
    """Return the compiled gazetteer in ``folder``; a damaged one is an error."""
    try:
        facts = json.loads((folder / _LISTS).read_text(encoding="utf-8"))
        with safe_open(folder / _ARRAYS, framework="np") as stored:
            arrays = PhraseArrays(**{name: stored.get_tensor(name) for name in _TYPES})
        lists = tuple(CompiledList(**one) for one in facts["lists"])
        gazetteer = CompiledGazetteer(arrays, lists, tuple(facts["types"]))
        _check(facts, gazetteer)
    except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
        finding = f"not a compiled gazetteer ({error})"
        raise InputError(finding, where=folder, remedy="remove it; it is compiled again") from None
    return gazetteer


def _check(facts: dict[str, Any], gazetteer: CompiledGazetteer) -> None:
    """Raise an error if the arrays do not belong together; a number out of range would end the process later."""
    arrays, count = gazetteer.arrays, len(gazetteer)
    right = facts["format"] == _FORMAT and all(getattr(arrays, name).dtype == kind for name, kind in _TYPES.items())
    lengths = {len(arrays.entry_types), len(arrays.entry_weights), len(arrays.entry_hashes), count}
    if not right or len(lengths) > 1 or len(arrays.first_entries) != len(arrays.edges) + 2:
        raise ValueError("wrong shapes")
    bounds = (
        (arrays.entry_lists, len(gazetteer.lists)),
        (arrays.entry_types, len(gazetteer.types)),
        (arrays.first_entries, count + 1),
    )
    if any(len(numbers) and int(numbers.max()) >= bound for numbers, bound in bounds):
        raise ValueError("numbers out of range")


def _stored(folder: Path, watch: Watch) -> CompiledGazetteer | None:
    if not folder.is_dir():
        return None
    try:
        found = load_gazetteer(folder)
        os.utime(folder)
    except InputError as error:
        watch(Note("repaired", "damaged compiled gazetteer", f"compiled again: {error.finding}", Source(str(folder))))
        return None
    except OSError:  # a cache that only others may write
        pass
    return found


def _digest(lists: tuple[LocatedList, ...]) -> str:
    """Return a name that changes with the contents of the lists and how they are compiled."""
    digest = blake2b(f"{_FORMAT}".encode(), digest_size=16)
    for one in lists:
        options = one.options
        stop_words = sorted(options.stop_words)
        facts = [
            one.name,
            one.type,
            one.path.suffixes,
            options.case,
            options.weight,
            options.minimum_length,
            stop_words,
        ]
        digest.update(json.dumps(facts).encode())
        digest.update(one.content_digest())
    return digest.hexdigest()


def _forget_oldest(folder: Path) -> None:
    """Keep the gazetteers that were used last."""
    try:
        kept = sorted((path for path in folder.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime)
    except OSError:
        return
    for path in kept[:-_KEPT]:
        shutil.rmtree(path, ignore_errors=True)

"""Where a Hugging Face model lies on disk, fetched only when asked for by name, and whether its weights are safe."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from trustag.errors import InputError
from trustag.notes import Note, Watch
from trustag.vectors.encoder_fetching import stored_encoder
from trustag.vectors.encoder_sources import ENCODERS
from trustag.vectors.sources import SOURCES

CONFIG_FILE: Final = "config.json"
_WEIGHTS: Final = "model.safetensors"
_WEIGHTS_INDEX: Final = "model.safetensors.index.json"
_PICKLED: Final = frozenset({".bin", ".pt", ".pth", ".ckpt", ".pkl"})
_FETCHED: Final = (
    CONFIG_FILE,
    "model*.safetensors",
    _WEIGHTS_INDEX,
    "*token*.json",
    "vocab.*",
    "merges.txt",
    "*.model",
)


def locate_model(name: str, watch: Watch) -> Path:
    """Return the folder of a model: one on disk, a downloaded encoder by name, or one of the Hugging Face hub."""
    if not name:
        raise InputError("no transformer named", remedy="set transformer.name to a folder or a Hugging Face name")
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    if name in ENCODERS:
        return stored_encoder(ENCODERS[name])
    if name in SOURCES:
        raise InputError("word vectors, not an encoder", where=name, remedy=f"use them with --vectors {name}")
    looks_like_path = name.startswith((".", "~", "/")) or name.count("/") > 1 or (os.sep != "/" and os.sep in name)
    if folder.exists() or looks_like_path:
        raise InputError("no such folder", where=name, remedy="name the folder of a Hugging Face encoder")
    watch(Note("info", "fetching a model", f"{name} from the Hugging Face hub, or from its cache on this machine"))
    return _fetch(name)


def check_weights(folder: Path) -> None:
    """Refuse a folder whose weights are not plain numbers in safetensors."""
    names = sorted(entry.name for entry in folder.iterdir())
    if "adapter_config.json" in names:
        raise InputError("holds an adapter", where=folder, remedy="merge it into its model and save that")
    if _WEIGHTS in names:
        return
    pickled = [name for name in names if Path(name).suffix in _PICKLED]
    if _WEIGHTS_INDEX in names:
        shards = read_object(folder / _WEIGHTS_INDEX).get("weight_map")
        files = sorted(map(str, shards.values())) if isinstance(shards, dict) else []
        pickled = [file for file in files if Path(file).suffix != ".safetensors"] or ([] if files else pickled)
        if files and not pickled:
            return
    convert = "convert them where you trust the file: AutoModel.from_pretrained(...).save_pretrained(...)"
    if pickled:
        raise InputError(f"its weights are in {pickled[0]}, which can hold code", where=folder, remedy=convert)
    raise InputError(f"holds no weights ({_WEIGHTS})", where=folder, remedy=f"if they are in another file, {convert}")


def read_object(file: Path) -> dict[str, Any]:
    """Return the JSON object in ``file``."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
    except OSError:
        raise InputError("cannot be read", where=file, remedy="save the model again") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"not a JSON object ({error})", where=file, remedy="save the model again") from None


def _fetch(name: str) -> Path:
    from huggingface_hub import snapshot_download  # noqa: PLC0415
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError  # noqa: PLC0415

    try:
        with without_bars():
            return Path(snapshot_download(name, allow_patterns=list(_FETCHED)))
    except (HfHubHTTPError, HFValidationError, OSError, ValueError) as error:
        finding = str(error).strip().partition("\n")[0]
        raise InputError(
            f"neither a folder nor to be had from the Hugging Face hub ({finding})",
            where=name,
            remedy="check the name and the network, or give a folder",
        ) from None


@contextmanager
def without_bars() -> Iterator[None]:
    """Keep the hub's library from drawing progress bars."""
    from huggingface_hub.utils import (  # type: ignore[attr-defined]  # noqa: PLC0415
        are_progress_bars_disabled,
        disable_progress_bars,
        enable_progress_bars,
    )

    if are_progress_bars_disabled():
        yield
        return
    disable_progress_bars()
    try:
        yield
    finally:
        enable_progress_bars()

"""Models on the Hugging Face hub: a folder with its card, written and read through ``huggingface_hub``."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from trustag.errors import InputError, MissingExtraError
from trustag.integrations.model_card import CARD
from trustag.models.model_folders import without_bars
from trustag.vectors.cache import cache_folder

_PATTERNS: Final = ("*.json", "*.safetensors", "*.onnx", "context/*", CARD)


def upload(folder: Path, card: str, repository: str, *, private: bool = False, **connection: str | None) -> str:
    """Write the model in ``folder`` with its ``card`` to ``repository`` (``owner/name``) and return its address.

    ``connection`` may name a ``token`` and an ``endpoint``.
    """
    hub = _hub()
    with _one_line(repository), tempfile.TemporaryDirectory(prefix="trustag-") as place:
        draft = Path(place) / "model"
        shutil.copytree(folder, draft)
        (draft / CARD).write_text(card, encoding="utf-8")
        api = hub.HfApi(endpoint=connection.get("endpoint"), token=connection.get("token"))
        address = api.create_repo(repository, private=private, exist_ok=True)
        api.upload_folder(repo_id=address.repo_id, folder_path=draft, commit_message="Add a model of Trustag")
        return str(address)


def download(repository: str, revision: str | None = None, **connection: str | None) -> Path:
    """Return the folder of the model in ``repository``, downloaded or from the cache of the hub's library.

    Its files are checked when it is loaded: safetensors, JSON and ONNX graphs hold no code.
    """
    hub = _hub()
    # Real files, not the links of the library's own cache, which a model must not contain.
    place = cache_folder(os.environ) / "hub" / repository.replace("/", "--") / (revision or "main").replace("/", "--")
    with _one_line(repository):
        found = hub.snapshot_download(
            repository,
            revision=revision,
            local_dir=place,
            allow_patterns=list(_PATTERNS),
            endpoint=connection.get("endpoint"),
            token=connection.get("token"),
        )
    return Path(found)


def _hub() -> Any:
    try:
        import huggingface_hub  # noqa: PLC0415 - only where a model is sent or fetched
    except ImportError:
        raise MissingExtraError("the Hugging Face hub", "hub") from None
    return huggingface_hub


@contextmanager
def _one_line(repository: str) -> Iterator[None]:
    """Turn what the library raises about the hub into one line, and keep its bars from the screen."""
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError  # noqa: PLC0415

    try:
        with without_bars():
            yield
    except (HfHubHTTPError, HFValidationError, OSError, ValueError) as error:
        finding = str(error).strip().partition("\n")[0]
        remedy = "check the name, the network and the token (huggingface-cli login)"
        raise InputError(f"the hub refuses ({finding})", where=repository, remedy=remedy) from None

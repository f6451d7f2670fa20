"""Frozen features computed once and read from disk ever after: by all trainings of a run, in whatever process."""

import hashlib
import json
import time
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from trustag.errors import InputError
from trustag.files.outputs import link_or_copy
from trustag.models.context import CONTEXT_FILES, FrozenContext, load_context
from trustag.models.encoders import Tokens
from trustag.models.tensor_files import save_tensors

_FEATURES: Final = "features-"
_DIGEST_BYTES: Final = 16


class StoredContext:
    """The context in a folder with the features of many sentences beside it, which stay on disk until they are read.

    The transformer itself is only loaded for a sentence that is not among them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[type["StoredContext"], tuple[Path]]:
        return StoredContext, (self.folder,)

    @property
    def width(self) -> int:
        """How many features a token has."""
        return self._parts[0].shape[1]

    def rows(self, sentences: Sequence[Tokens]) -> list[Tensor]:
        """Return the features of each sentence, (tokens, width), in half precision."""
        indices = [self._indices.get(_digest(tokens)) for tokens in sentences]
        missing = [tokens for tokens, index in zip(sentences, indices, strict=True) if index is None]
        computed = iter(self._context.rows(missing) if missing else ())
        return [next(computed) if index is None else self._parts[index[0]][index[1] : index[2]] for index in indices]

    def save(self, folder: Path) -> None:
        """Put into ``folder`` all that is needed to load the context; that is never written again, so it is linked."""
        for name in CONTEXT_FILES:
            link_or_copy(self.folder / name, folder / name)

    @cached_property
    def _context(self) -> FrozenContext:
        return load_context(self.folder)

    @cached_property
    def _parts(self) -> list[Tensor]:
        return [_tensor(file, "rows") for file in self._files]

    @cached_property
    def _indices(self) -> dict[bytes, tuple[int, int, int]]:
        """Which rows of which part are those of a sentence, by its digest."""
        indices = {}
        for part, file in enumerate(self._files):
            ends = _tensor(file, "ends").tolist()
            digests = _tensor(file, "digests").numpy()
            for digest, start, end in zip(digests, [0, *ends], ends, strict=False):
                indices[digest.tobytes()] = (part, start, end)
        return indices

    @property
    def _files(self) -> list[Path]:
        return sorted(self.folder.glob(f"{_FEATURES}*"))


def features_file(folder: Path, number: int) -> Path:
    """Return the file for the features of a part of the corpus."""
    return folder / f"{_FEATURES}{number:06d}.safetensors"


def write_features(encoder: Path, number: int, sentences: Sequence[Tokens], folder: Path) -> float:
    """Write the features of ``sentences``, the part called ``number``, by the context in ``encoder``, to ``folder``.

    Returns the processor seconds that it took.
    """
    begin = time.process_time()
    # Sums split among threads round differently.
    torch.set_num_threads(1)
    rows = load_context(encoder).rows(sentences)
    tensors = {
        "rows": torch.cat(rows),
        "ends": torch.tensor([len(part) for part in rows]).cumsum(0),
        "digests": torch.tensor([list(_digest(tokens)) for tokens in sentences], dtype=torch.uint8),
    }
    folder.mkdir(exist_ok=True)
    save_tensors(tensors, features_file(folder, number))
    return time.process_time() - begin


def _digest(tokens: Tokens) -> bytes:
    return hashlib.blake2b(json.dumps(list(tokens)).encode(), digest_size=_DIGEST_BYTES).digest()


def _tensor(file: Path, name: str) -> Tensor:
    """Return a tensor whose numbers are fetched from ``file`` as they are needed."""
    try:
        with safe_open(file, framework="pt") as stored:
            tensor: Tensor = stored.get_tensor(name)
            return tensor
    except (SafetensorError, OSError) as error:
        remedy = "remove the folder it lies in and continue with --resume"
        raise InputError(f"broken features ({error})", where=file, remedy=remedy) from None

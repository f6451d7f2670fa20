"""Tensors on disk, as safetensors: plain numbers, nothing that could run."""

import errno
import os
import re
from collections.abc import Mapping
from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor

_ERROR_NUMBER = re.compile(r"os error (\d+)")


def save_tensors(tensors: Mapping[str, Tensor], path: Path) -> None:
    """Write tensors to ``path``, on the disk itself before this returns; what goes wrong there is an ``OSError``."""
    try:
        save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, path)
    except SafetensorError as error:
        found = _ERROR_NUMBER.search(str(error))
        number = int(found[1]) if found else errno.EIO
        raise OSError(number, os.strerror(number) if found else str(error), str(path)) from None
    with path.open("rb") as stream:
        os.fsync(stream.fileno())

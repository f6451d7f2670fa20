"""Tensors on disk, as safetensors: plain numbers, nothing that could run."""

import errno
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from trustag.errors import InputError, is_out_of_memory

_ERROR_NUMBER = re.compile(r"os error (\d+)")
_ROOM: Final = 8 << 20


def save_tensors(tensors: Mapping[str, Tensor], path: Path) -> None:
    """Write tensors to ``path``, on the disk itself before this returns; what goes wrong there is an ``OSError``."""
    # safetensors ends the process where it gets no memory; Python says so.
    bytearray(_ROOM + 2 * sum(tensor.nbytes for tensor in tensors.values()))
    try:
        save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, path)
    except SafetensorError as error:
        found = _ERROR_NUMBER.search(str(error))
        number = int(found[1]) if found else errno.EIO
        raise OSError(number, os.strerror(number) if found else str(error), str(path)) from None
    with path.open("rb") as stream:
        os.fsync(stream.fileno())


def load_weights(network: nn.Module, path: Path, new_names: Mapping[str, str] | None = None) -> None:
    """Fill ``network`` from ``path`` once every tensor has the shape and type that the description promises.

    ``new_names`` says what tensors in the file are called in the network, where that differs.
    """
    old_names = {new: old for old, new in (new_names or {}).items()}
    expected = {name: (tuple(tensor.shape), tensor.dtype) for name, tensor in network.state_dict().items()}
    try:
        with safe_open(path, framework="pt") as stored:
            names = set(stored.keys())
            wanted = {old_names.get(name, name) for name in expected}
            if names != wanted:
                odd = min(names ^ wanted)
                raise InputError(
                    f"the weights and the description differ in {odd!r}", where=path, remedy="copy the model again"
                )
            for name, (shape, _) in expected.items():
                found = tuple(stored.get_slice(old_names.get(name, name)).get_shape())
                if found != shape:
                    raise InputError(
                        f"{name} has the shape {found}, described is {shape}", where=path, remedy="copy the model again"
                    )
            # Copies lie at aligned addresses; arithmetic on unaligned ones may round differently.
            state = {name: stored.get_tensor(old_names.get(name, name)).clone() for name in expected}
    except (SafetensorError, OSError) as error:
        if is_out_of_memory(error):
            raise
        raise InputError(f"broken weights ({error})", where=path, remedy="copy the model again") from None
    for name, (_, dtype) in expected.items():
        if state[name].dtype != dtype:
            raise InputError(
                f"{name} is {state[name].dtype}, expected {dtype}", where=path, remedy="copy the model again"
            )
    network.load_state_dict(state, assign=True)

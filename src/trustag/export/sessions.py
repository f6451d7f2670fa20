"""A graph in onnxruntime: on one thread, without reports on the screen."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy.typing as npt

from trustag.errors import InputError, MissingExtraError

_ERRORS_ONLY: Final = 3
Arrays = Mapping[str, npt.NDArray[Any]]


class GraphSession:
    """A loaded graph; several threads may run it at once."""

    def __init__(self, path: Path) -> None:
        runtime = _runtime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = _ERRORS_ONLY
        self._path = path
        try:
            self._session = runtime.InferenceSession(os.fspath(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # noqa: BLE001 - onnxruntime raises many kinds, all of them of its own
            finding = str(error).partition("\n")[0]
            raise InputError(f"not a usable graph ({finding})", where=path, remedy="export the model again") from None
        self.inputs = {found.name: found.shape for found in self._session.get_inputs()}

    def __reduce__(self) -> tuple[type["GraphSession"], tuple[Path]]:
        return GraphSession, (self._path,)

    def run(self, outputs: Sequence[str], inputs: Arrays) -> list[Any]:
        """Return the ``outputs`` for ``inputs``."""
        found: list[Any] = self._session.run(list(outputs), dict(inputs))
        return found


def _runtime() -> Any:
    try:
        import onnxruntime  # noqa: PLC0415 - only exported models need it
    except ImportError:
        raise MissingExtraError("an exported model", "onnx") from None
    return onnxruntime

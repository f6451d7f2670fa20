"""Arguments of a task in pieces, so that what many tasks share travels to a machine once.

Long tuples (the sentences of a corpus), long byte strings (the numbers of a tensor) and the contents of files become
pieces, named by the checksum of their content. The rest is a short message that names the pieces.

Messages are pickled, as all that worker processes and Ray itself exchange: they pass between the processes of one run,
which trust each other, and are never files that somebody could give to a user.
"""

import hashlib
import io
import pickle
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

_LONG_TUPLE: Final = 256
_LONG_BYTES: Final = 1 << 16
_CHUNK: Final = 1 << 25
# Protocol 5 would let arrays pass as buffers, which are never asked whether they are long.
_PROTOCOL: Final = 4

Pieces = Mapping[str, bytes]
Take = Callable[[bytes], str]
"""What receives the content of a piece and returns its name."""
Fetch = Callable[[str], bytes]
"""What returns the content of the piece of a name."""


class PackedFiles(NamedTuple):
    """A file or folder as pieces: for each file its path inside and its pieces, for a file of its own an empty path."""

    name: str
    files: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def checksum(self) -> str:
        """A name for the contents."""
        return checksum(repr(self).encode())


def checksum(content: bytes) -> str:
    """Return the name of a piece."""
    return hashlib.sha256(content).hexdigest()


def pack(value: object, take: Take, files: Callable[[Path], PackedFiles]) -> bytes:
    """Return the message for ``value``; its pieces are given to ``take``, and its paths to ``files``."""
    stream = io.BytesIO()
    _Packer(stream, take, files).dump(value)
    return stream.getvalue()


def unpack(message: bytes, fetch: Fetch, place: Callable[[PackedFiles], Path]) -> Any:
    """Return the value again: pieces come from ``fetch``, and ``place`` says where files are on this machine."""
    return _Unpacker(io.BytesIO(message), fetch, place).load()


def pack_files(path: Path, take: Take) -> PackedFiles:
    """Return a file or folder as pieces, which are given to ``take``."""
    if path.is_dir():
        inner = [(file.relative_to(path).as_posix(), file) for file in sorted(path.rglob("*")) if file.is_file()]
    else:
        inner = [("", path)]
    return PackedFiles(path.name, tuple((name, tuple(map(take, _chunks(file)))) for name, file in inner))


def write_files(packed: PackedFiles, fetch: Fetch, path: Path) -> None:
    """Write packed files to ``path``, which does not exist yet or is an empty folder."""
    for name, pieces in packed.files:
        target = path / name if name else path
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as stream:
            for piece in pieces:
                stream.write(fetch(piece))
    if not packed.files:
        path.mkdir(parents=True, exist_ok=True)


def _chunks(file: Path) -> list[bytes]:
    with file.open("rb") as stream:
        return list(iter(partial(stream.read, _CHUNK), b""))


class _Packer(pickle.Pickler):
    def __init__(self, stream: io.BytesIO, take: Take, files: Callable[[Path], PackedFiles]) -> None:
        super().__init__(stream, _PROTOCOL)
        self._take = take
        self._files = files

    def persistent_id(self, obj: object) -> tuple[str, object] | None:
        """Return what stands for ``obj`` in the message; None for what stands there itself."""
        if type(obj) is tuple and len(obj) >= _LONG_TUPLE:
            return "tuple", self._take(pack(list(obj), self._take, self._files))
        if type(obj) is bytes and len(obj) >= _LONG_BYTES:
            return "bytes", self._take(obj)
        if isinstance(obj, Path) and obj.exists():
            return "files", tuple(self._files(obj))
        return None


class _Unpacker(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, fetch: Fetch, place: Callable[[PackedFiles], Path]) -> None:
        super().__init__(stream)
        self._fetch = fetch
        self._place = place
        self._tuples: dict[str, tuple[object, ...]] = {}

    def persistent_load(self, pid: tuple[str, Any]) -> object:
        """Return what a piece or packed files stand for."""
        kind, named = pid
        if kind == "files":
            return self._place(PackedFiles(*named))
        if kind == "bytes":
            return self._fetch(named)
        if named not in self._tuples:  # what was one tuple is one again
            self._tuples[named] = tuple(unpack(self._fetch(named), self._fetch, self._place))
        return self._tuples[named]

"""A checksum of some files of a folder, kept in the folder itself, by which damage is noticed."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

CHECKSUM: Final = "sha256"


def write_checksum(folder: Path, names: Sequence[str]) -> None:
    """Record the checksum of the files ``names`` in ``folder``."""
    (folder / CHECKSUM).write_text(_checksum(folder, names), encoding="utf-8")


def check_checksum(folder: Path, names: Sequence[str]) -> None:
    """Raise a ``ValueError`` or an ``OSError`` if the files are not those that were recorded."""
    if (folder / CHECKSUM).read_bytes() != _checksum(folder, names).encode():
        raise ValueError("its files do not have the recorded checksum")


def _checksum(folder: Path, names: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for name in names:
        with (folder / name).open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()

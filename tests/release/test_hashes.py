"""Pinned versions with checksums: what pip reads, what fits the constraints, and that a changed file is refused."""

import hashlib
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

from release.hashes import ROOT, hashes_of, pins_of

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
A, B, C = ("a" * 64, "b" * 64, "c" * 64)
PAGE = "".join(
    f'<a href="https://files.example/{name}#sha256={digest}">{name}</a>'
    for name, digest in [
        ("some_thing-1.2-py3-none-any.whl", A),
        ("some-thing-1.2.tar.gz", B),
        ("some_thing-1.20-py3-none-any.whl", C),
    ]
)


def report(version: str) -> dict[str, object]:
    archive = {"archive_info": {"hashes": {"sha256": "d" * 64}}}
    return {
        "install": [
            {"metadata": {"name": "trustag", "version": "1"}, "download_info": {}},
            {"metadata": {"name": "Some_Thing", "version": version}, "download_info": archive},
        ]
    }


def test_all_files_of_the_version_and_no_others_are_pinned() -> None:
    assert set(hashes_of(PAGE, "some-thing", "1.2")) == {A, B}
    (pin,) = pins_of(report("1.2"), {"some-thing": PAGE})
    assert set(pin.hashes) == {A, B, "d" * 64}
    assert str(pin).splitlines()[0] == "some-thing==1.2 \\"


def test_of_a_build_that_has_a_name_no_other_build_is_pinned() -> None:
    (pin,) = pins_of(report("1.2+cpu"), {"some-thing": PAGE})
    assert (pin.version, set(pin.hashes)) == ("1.2+cpu", {"d" * 64})


def test_the_pins_are_those_of_the_constraints_and_every_dependency_has_one() -> None:
    pinned = dict(re.findall(r"^([a-z0-9-]+)==(\S+) \\$", LOCK, re.MULTILINE))
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    constraints = dict(line.split("==") for line in lines if "==" in line)
    known = {name.lower().replace("_", "-"): version for name, version in constraints.items()}
    public = {name: version.partition("+")[0] for name, version in pinned.items()}
    assert {name: known.get(name, version) for name, version in public.items()} == public
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[<>=~!\[]", entry)[0] for entry in project["dependencies"]}
    assert needed <= pinned.keys()
    assert all(len(re.findall("--hash=sha256:[0-9a-f]{64}", part)) > 0 for part in re.split(r"\n(?=\S)", LOCK)[1:])


def test_a_changed_file_is_not_installed(tmp_path: Path) -> None:
    wheel = tmp_path / "some_thing-1.2-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("some_thing.py", "")
        archive.writestr("some_thing-1.2.dist-info/METADATA", "Metadata-Version: 2.1\nName: some-thing\nVersion: 1.2\n")
        archive.writestr(
            "some_thing-1.2.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("some_thing-1.2.dist-info/RECORD", "")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    lock = tmp_path / "requirements.lock"
    lock.write_text(f"some-thing==1.2 --hash=sha256:{digest}\n")
    command = [sys.executable, "-m", "pip", "install", "--isolated", "--disable-pip-version-check", "--no-index"]
    command += ["--find-links", str(tmp_path), "--target", str(tmp_path / "there"), "--require-hashes", "-r", str(lock)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("more.py", "print('not what was pinned')")
    command[command.index(str(tmp_path / "there"))] = str(tmp_path / "elsewhere")
    refused = subprocess.run(command, capture_output=True, check=False, text=True)
    assert refused.returncode == 1
    assert "DO NOT MATCH THE HASHES" in refused.stderr
    assert not (tmp_path / "elsewhere").exists()

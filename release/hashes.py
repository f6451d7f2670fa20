"""Pin what an installation needs, with the checksums of every file that may be installed.

``python -m release.hashes --output requirements.lock`` asks pip which versions it would install under the constraints,
and the index for the checksums of all files of these versions. Then ``pip install --require-hashes -r
requirements.lock`` refuses every file that has been changed since.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parent.parent
_INDEX: Final = "https://pypi.org/simple"
_LINK: Final = re.compile(r'href="[^"#]*/([^"#/]+)#sha256=([0-9a-f]{64})"')
_OWN: Final = "trustag"
_HEAD: Final = "# Made by make requirements.lock: what the base installation needs, with the checksums of every file.\n"


@dataclass(frozen=True, slots=True)
class Pin:
    """A package in one version, and the checksums of its files."""

    name: str
    version: str
    hashes: frozenset[str]

    def __str__(self) -> str:
        """Return it as pip reads it."""
        lines = [f"{self.name}=={self.version}", *(f"    --hash=sha256:{digest}" for digest in sorted(self.hashes))]
        return " \\\n".join(lines)


def pins_of(report: Mapping[str, Any], listed: Mapping[str, str]) -> list[Pin]:
    """Return the pins of an installation report of pip; ``listed`` holds the page of the index on each package.

    Of a build that has a name, such as ``2.1+cpu``, that build alone is pinned: others need other packages.
    """
    pins = []
    for package in report["install"]:
        name, version = package["metadata"]["name"].lower().replace("_", "-"), package["metadata"]["version"]
        if name == _OWN:
            continue
        own = package["download_info"]["archive_info"]["hashes"]["sha256"]
        others = () if "+" in version else hashes_of(listed[name], name, version)
        pins.append(Pin(name, version, frozenset({own, *others})))
    return sorted(pins, key=lambda pin: pin.name)


def hashes_of(page: str, name: str, version: str) -> Iterable[str]:
    """Yield the checksums of all files of one version on the page of an index.

    >>> link = '<a href="https://x/aB_c-1.0-py3-none-any.whl#sha256=' + "0" * 64 + '">'
    >>> len(list(hashes_of(link, "ab-c", "1.0"))), len(list(hashes_of(link, "ab-c", "1")))
    (1, 0)
    """
    start = re.compile(
        rf"{re.sub(r'[-_.]+', '[-_.]+', name)}-{re.escape(version)}(-.*\.whl|\.tar\.gz|\.zip)", re.IGNORECASE
    )
    for file, digest in _LINK.findall(page):
        if start.fullmatch(file):
            yield digest


def _report(project: Path) -> dict[str, Any]:
    """Return what pip would install for a project, nothing of which needs to be there yet."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
        command += ["--report", str(target), "--constraint", str(project / "constraints.txt"), str(project)]
        subprocess.run(command, check=True)
        found: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
    return found


def _page(name: str) -> str:
    with urllib.request.urlopen(f"{_INDEX}/{name}/", timeout=60) as answer:
        text: str = answer.read().decode()
    return text


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True)
    chosen = parser.parse_args(arguments)
    report = _report(ROOT)
    names = [package["metadata"]["name"].lower().replace("_", "-") for package in report["install"]]
    pins = pins_of(report, {name: _page(name) for name in names if name != _OWN})
    chosen.output.write_text(_HEAD + "".join(f"{pin}\n" for pin in pins), encoding="utf-8")


if __name__ == "__main__":
    main()

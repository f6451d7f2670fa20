"""Where figures come from: the commit, the machine, the versions; and result files that carry them."""

import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).parent.parent


def origin(packages: Sequence[str] = (), seed: int | None = None) -> dict[str, object]:
    """Return what a result file says of its origin: commit, whether the tree was clean, time, machine, versions."""
    facts: dict[str, object] = {
        "commit": _git("rev-parse", "HEAD") or "unknown",
        "clean": _git("status", "--porcelain", "--untracked-files=no") == "",
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "versions": {name: _version(name) for name in ("trustag", *packages)},
    }
    return facts if seed is None else {**facts, "seed": seed}


def machine() -> dict[str, object]:
    """Return the processor, its cores, the memory and the system this runs on."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def write_result(path: Path, found: Mapping[str, object]) -> None:
    """Write a result file, whose folder is made where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def aligned(rows: Sequence[Sequence[object]]) -> str:
    """Return ``rows`` as text in columns: words to the left, numbers to the right."""
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    return "\n".join(
        "  ".join(
            text.rjust(width) if text[:1].isdigit() else text.ljust(width)
            for text, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in texts
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _git(*arguments: str) -> str | None:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None

"""Where a result comes from: the commit, the machine and the versions of packages."""

import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

_SOURCE: Final = Path(__file__).parents[2]


def provenance(packages: Sequence[str] = (), seed: int | None = None) -> dict[str, object]:
    """Return what a result file says of its origin: commit, whether the tree was clean, time, machine, versions."""
    facts: dict[str, object] = {
        "commit": commit(),
        "clean": _git("status", "--porcelain", "--untracked-files=no") == "",
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "versions": {name: _version(name) for name in ("trustag", *packages)},
    }
    return facts if seed is None else {**facts, "seed": seed}


def commit() -> str:
    """Return the commit of the source tree, or ``unknown`` for an installed package."""
    return _git("rev-parse", "HEAD") or "unknown"


def machine() -> dict[str, object]:
    """Return the processor, its cores, the memory and the operating system."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


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
    """Return what git says of the source tree; an installed package may lie in the repository of another project."""
    if _SOURCE.name != "src":
        return None
    try:
        done = subprocess.run(["git", *arguments], cwd=_SOURCE, capture_output=True, text=True, check=False)  # noqa: S603, S607
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None

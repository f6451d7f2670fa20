"""Fuzz one target in this process: ``python -m fuzz.worker NAME CRASHES [libFuzzer options]``.

Failures are recorded and fuzzing continues, so that one failure does not hide the next.
"""

import hashlib
import sys
import traceback
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["trustag"], enable_loader_override=False):
    from fuzz.targets import targets


class Recorder:
    """Stores one input and its traceback for every location in the code that failed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: set[str] = set()

    def record(self, data: bytes, error: BaseException) -> None:
        """Record one failure; only the first at each location is stored."""
        location = f"{type(error).__name__} at {traceback.extract_tb(error.__traceback__)[-1][:2]}"
        if location in self._known:
            return
        self._known.add(location)
        stem = hashlib.sha256(location.encode()).hexdigest()[:12]
        (self._folder / f"{stem}.input").write_bytes(data)
        (self._folder / f"{stem}.txt").write_text("".join(traceback.format_exception(error)), errors="replace")


def main(name: str, crashes: Path, options: list[str]) -> None:
    """Fuzz until libFuzzer stops."""
    target, recorder = targets()[name], Recorder(crashes)

    def check(data: bytes) -> None:
        try:
            target.check(data)
        except Exception as error:  # noqa: BLE001 - any of them is a finding
            recorder.record(data, error)

    for seed in target.seeds():
        check(seed)  # load lazy imports now, so that they do not count for any input
    atheris.Setup([sys.argv[0], *options], check)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])

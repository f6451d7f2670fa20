"""How far a batch job is: sentences, their rate, and the time left where the size of the input is known."""

import time
from dataclasses import dataclass
from pathlib import Path

from trustag.errors import InputError
from trustag.files.arrow_tables import import_pyarrow
from trustag.files.inputs import STANDARD_STREAM, InputFile


@dataclass(frozen=True, slots=True)
class JobProgress:
    """Sentences done, a second, and the seconds left; None where the size of the input is not known."""

    done: int
    rate: float
    share: float | None
    left: float | None


class Meter:
    """Turns what is done into progress; sentences of an earlier call count as done but not for the rate."""

    def __init__(self, total: int | None, before: int = 0) -> None:
        self._total = total
        self._before = before
        self._began = time.monotonic()

    def __call__(self, done: int, place: int | None) -> JobProgress:
        """Return the progress after ``done`` sentences, the last of them at line or record ``place`` of the input."""
        seconds = max(time.monotonic() - self._began, 1e-9)
        rate = (done - self._before) / seconds
        if self._total is None or place is None or not done:
            return JobProgress(done, rate, None, None)
        share = min(1.0, place / max(self._total, 1))
        left = (done / share - done) / rate if share and rate else None
        return JobProgress(done, rate, share, left)


def places_in(source: str) -> int | None:
    """Return how many lines or records a file has; None for what is no file, or cannot be counted."""
    path = Path(source)
    if path == STANDARD_STREAM or not path.is_file():
        return None
    try:
        if path.suffix == ".parquet":
            found: int = import_pyarrow().parquet.ParquetFile(path).metadata.num_rows
            return found
        with InputFile(path).open_bytes() as stream:
            return sum(block.count(b"\n") for block in iter(lambda: stream.read(1 << 20), b""))
    except (InputError, OSError, ValueError):
        return None  # whoever reads it says what is wrong

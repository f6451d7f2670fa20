"""Progress follows from the place in the input; where that is unknown, only the rate is told."""

import gzip
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from trustag.batch_tagging.meter import Meter, places_in


def test_lines_and_records_of_files_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"a\nb\n" * 100_000)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(b"a\nb\n"))
    parquet.write_table(pa.table({"text": ["a"] * 7}), tmp_path / "c.parquet")
    (tmp_path / "d.parquet").write_bytes(b"no table")
    found = [places_in(str(tmp_path / name)) for name in ("a.txt", "b.jsonl.gz", "c.parquet", "d.parquet", "none")]
    assert found == [200_000, 2, 7, None, None]
    assert places_in("-") is None


def test_the_time_left_is_that_of_the_rest_at_the_present_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("trustag.batch_tagging.meter.time.monotonic", lambda: now)
    meter = Meter(1000, before=100)
    now = 110.0
    progress = meter(300, 600)
    assert (progress.rate, progress.share) == (20.0, 0.6)
    assert progress.left == pytest.approx(10)  # 200 more sentences
    assert meter(300, None).left is None
    assert Meter(None)(5, 5).share is None

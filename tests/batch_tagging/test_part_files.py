"""An unfinished output keeps its whole lines and nothing else, for the same job only."""

from contextlib import suppress
from pathlib import Path

import pytest

from trustag.batch_tagging.part_files import discard, lines_so_far, part_of, resumed
from trustag.errors import InputError

JOB = {"model": "a"}


class KilledError(Exception):
    """Stands for the death of the process."""


def write(output: Path, content: bytes, job: dict[str, str] = JOB, *, overwrite: bool = False) -> int:
    """Write and be interrupted; return how many lines there were."""
    lines = -1
    with suppress(KilledError), resumed(output, job, overwrite=overwrite) as part:
        part.stream.write(content)
        lines = part.lines
        raise KilledError
    return lines


def test_half_a_line_is_removed_and_the_rest_is_kept(tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    assert lines_so_far(output) == 0
    assert write(output, b"one\ntwo\nthr") == 0
    assert lines_so_far(output) == 2
    assert write(output, b"three\n") == 2
    assert part_of(output).read_bytes() == b"one\ntwo\nthree\n"
    assert not output.exists()


def test_lines_of_another_job_are_refused_or_replaced(tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    write(output, b"one\n")
    with (
        pytest.raises(InputError, match="was begun with another model, input or options"),
        resumed(output, {"model": "b"}, overwrite=False),
    ):
        raise AssertionError
    assert part_of(output).read_bytes() == b"one\n"
    assert write(output, b"two\n", {"model": "b"}, overwrite=True) == 0
    assert part_of(output).read_bytes() == b"two\n"


def test_a_job_that_wrote_nothing_leaves_nothing(tmp_path: Path) -> None:
    write(tmp_path / "out.jsonl", b"")
    assert list(tmp_path.iterdir()) == []


def test_only_one_process_writes(tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    with resumed(output, JOB, overwrite=False) as part:
        part.stream.write(b"x\n")
        with pytest.raises(InputError, match="another process is writing it"), resumed(output, JOB, overwrite=False):
            raise AssertionError
    discard(output)
    assert list(tmp_path.iterdir()) == []


def test_an_output_that_exists_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out.jsonl").write_text("old")
    with pytest.raises(InputError, match="already exists"), resumed(tmp_path / "out.jsonl", JOB, overwrite=False):
        raise AssertionError
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]

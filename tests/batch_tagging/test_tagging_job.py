"""A job interrupted anywhere and continued writes what it would have written at once."""

import io
from dataclasses import replace
from pathlib import Path

import pytest

from tests.batch_tagging.made_sentences import made, records
from tests.serving.small_model import write_model
from trustag.batch_tagging import tagged_chunks, tagging_job
from trustag.batch_tagging.part_files import part_of
from trustag.batch_tagging.tagged_chunks import TaggingOptions
from trustag.batch_tagging.tagging_job import Running, TaggingJob, fingerprint, write_lines, write_resumable
from trustag.engines.in_process import InProcess
from trustag.notes import Note


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (tagging_job, tagged_chunks):
        monkeypatch.setattr(module, "SENTENCES", 8)


def job(model: Path, source: str = "made") -> TaggingJob:
    return TaggingJob(model, source, "reading", TaggingOptions(min_score=0.2))


@pytest.mark.parametrize("whole_lines", [0, 3, 8, 21, 30])
def test_a_job_goes_on_after_the_last_whole_line(model: Path, tmp_path: Path, whole_lines: int) -> None:
    running = Running(InProcess())
    expected = io.BytesIO()
    write_lines(job(model), running, made(30), expected)
    output = tmp_path / "out.jsonl"

    class StopError(Exception):
        pass

    def stop(done: int, place: int | None) -> None:
        raise StopError

    with pytest.raises(StopError):
        write_resumable(job(model), replace(running, report=stop), made(30), output, overwrite=False)
    begun = b"".join(expected.getvalue().splitlines(keepends=True)[:whole_lines]) + b'{"te'
    part_of(output).write_bytes(begun)
    assert write_resumable(job(model), running, made(30), output, overwrite=False) == whole_lines
    assert records(output.read_bytes()) == records(expected.getvalue())


def test_what_was_left_out_is_reported_and_progress_names_the_place(model: Path) -> None:
    notes: list[Note] = []
    places: list[tuple[int, int | None]] = []
    running = Running(InProcess(), watch=notes.append, report=lambda done, place: places.append((done, place)))
    write_lines(job(model), running, made(20), io.BytesIO())
    assert places == [(8, 8), (16, 16), (20, 20)]
    assert [note.reason for note in notes] == ["less probable than asked for"]


def test_another_model_input_or_option_is_another_job(model: Path, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("a")
    described = job(model, str(tmp_path / "in.txt")).described()
    assert described == job(model, str(tmp_path / "in.txt")).described()
    (tmp_path / "in.txt").write_text("ab")
    assert described != job(model, str(tmp_path / "in.txt")).described()
    other = write_model(tmp_path / "other", seed=2)
    assert fingerprint(other) != fingerprint(model)

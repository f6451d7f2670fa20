"""Notes: the first of each kind on the screen, all of them in a file."""

import json
from pathlib import Path

from tests.cli.test_commands import run


def test_notes_are_shown_in_part_and_written_in_full(tmp_path: Path) -> None:
    (tmp_path / "in.conll").write_text("Ann I-PER\nx O\nBob B-PER\n\n" * 12)
    args = ("convert", "in.conll", "out.conll", "--on-illegal", "repair", "--notes", "notes.jsonl")
    done = run(*args, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.count("I-PER -> B-PER") == 10
    assert "repaired: illegal in IOB2: 12 in total, 10 shown; all are in notes.jsonl" in done.stderr
    notes = [json.loads(line) for line in (tmp_path / "notes.jsonl").read_text().splitlines()]
    repairs = [note for note in notes if note["kind"] == "repaired"]
    assert [note["line"] for note in repairs] == list(range(1, 49, 4))
    assert repairs[0]["file"] == "in.conll"

"""A damaged decision log is noticed before anything is done with it; what is whole in it is saved on request."""

import random
import sqlite3
from pathlib import Path

import pytest

from tests.cli.test_commands import run
from tests.review.small_run import write_run
from trustag.errors import InputError
from trustag.review.decisions import DecisionLog
from trustag.review.entries import Entry, NewEntry, ReviewDecision
from trustag.review.recovery import recover
from trustag.review.reviewed_run import open_reviewed_run
from trustag.text.spans import Span


def decision(number: int) -> ReviewDecision:
    comment = "a comment of some length " * (number % 4)
    return ReviewDecision(f"{number}-0-2", "accepted", number, 0, 2, (Span(0, 2, "PER"),), comment, "Ann")


def filled(path: Path, fingerprint: str = "corpus", entries: int = 185) -> list[Entry]:
    """Write a log with decisions of all kinds, and return its entries."""
    log = DecisionLog(path, fingerprint)
    log.add([NewEntry(decision(number), 0) for number in range(entries)])
    found = list(log.entries())
    log.close()
    return found


def read_all(path: Path) -> list[Entry]:
    log = DecisionLog(path, "corpus")
    try:
        return list(log.entries())
    finally:
        log.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[Entry]]:
    path = tmp_path_factory.mktemp("log") / "decisions.sqlite"
    entries = filled(path)
    return path.read_bytes(), entries


@pytest.mark.parametrize("cut", [1, 100, 500, 1000, 2000, 4096, 5000, 9000, 20_000])
def test_a_log_cut_short_is_refused_and_what_is_whole_is_saved(
    cut: int, whole: tuple[bytes, list[Entry]], tmp_path: Path
) -> None:
    content, entries = whole
    path = tmp_path / "decisions.sqlite"
    path.write_bytes(content[:-cut])
    with pytest.raises(InputError, match=f"is damaged: .*; save what is whole with: trustag review {tmp_path} --rec"):
        read_all(path)
    assert path.read_bytes() == content[:-cut]
    saved = recover(path, "corpus")
    found = read_all(path)
    assert set(found) <= set(entries)
    assert (saved.saved, len(saved.lost)) == (len(found), len(entries) - len(found))
    assert len(found) > len(entries) - cut / 50 - 40
    assert saved.kept_as.read_bytes() == content[:-cut]
    log = DecisionLog(path, "corpus")
    assert log.add([NewEntry(ReviewDecision("new", "accepted", 0, 0, 1), 0)])[0].number > found[-1].number
    log.close()


def test_damage_anywhere_is_noticed_or_harmless(whole: tuple[bytes, list[Entry]], tmp_path: Path) -> None:
    content, entries = whole
    path, noticed = tmp_path / "decisions.sqlite", 0
    drawn = random.Random(1)
    for _ in range(150):
        broken = bytearray(content)
        start = drawn.randrange(100, len(content))
        for place in range(start, min(len(content), start + drawn.choice([1, 8, 300]))):
            broken[place] = drawn.choice([0, drawn.randrange(256)])
        path.write_bytes(broken)
        try:
            assert read_all(path) == entries
        except InputError:
            noticed += 1
            path.write_bytes(broken)
            try:
                recover(path, "corpus")
            except InputError as error:
                assert "no decision that is whole" in str(error)
            else:
                assert set(read_all(path)) <= set(entries)
        for rest in tmp_path.iterdir():
            rest.unlink()
    assert noticed > 50


def test_a_changed_row_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "decisions.sqlite"
    filled(path, entries=3)
    base = sqlite3.connect(path)
    base.execute("DROP TRIGGER decisions_are_final")
    base.execute("UPDATE decisions SET verdict = 'rejected' WHERE number = 2")
    base.commit()
    base.close()
    with pytest.raises(InputError, match="is damaged: decision 2 is not as it was written"):
        read_all(path)
    assert recover(path, "corpus").lost == (2,)


@pytest.mark.parametrize(
    "row", ["2, 2, '1', 'maybe', 0, 0, 1, '[]', '', '', ''", "2, 2, '1', 'accepted', 0, 0, 1, '[[1]]', '', '', ''"]
)
def test_rows_without_a_checksum_must_be_decisions(row: str, tmp_path: Path) -> None:
    path = tmp_path / "decisions.sqlite"
    filled(path, entries=1)
    base = sqlite3.connect(path)
    base.execute(f"INSERT INTO decisions VALUES ({row}, NULL, NULL)")
    base.commit()
    base.close()
    with pytest.raises(InputError, match="is damaged: decision 2 cannot be read"):
        read_all(path)


def test_every_command_says_it_in_one_line(tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    path = tmp_path / "run" / "decisions.sqlite"
    filled(path, open_reviewed_run(tmp_path / "run").fingerprint)
    path.write_bytes(path.read_bytes()[:-500])
    for command in (("apply", "run", "-o", "corrected.conll"), ("review", "run", "--no-browser")):
        done = run(*command, cwd=tmp_path)
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert line.startswith("trustag: run/decisions.sqlite: is damaged: ")
        assert line.endswith("; save what is whole with: trustag review run --recover")
    done = run("review", "run", "--recover", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first.startswith("run/decisions.sqlite: 1")
    assert "decisions saved; lost: " in first
    assert second == "the damaged file: run/decisions.sqlite.damaged"


def test_where_nothing_is_left_nothing_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "decisions.sqlite"
    with pytest.raises(InputError, match="no such file"):
        recover(path, "corpus")
    path.write_bytes(b"something else entirely" * 100)
    with pytest.raises(InputError, match="holds no decision that is whole"):
        recover(path, "corpus")
    assert path.read_bytes() == b"something else entirely" * 100

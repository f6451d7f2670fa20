"""Tasks done where only what travelled with them is at hand; no cluster is needed for that."""

import os
import tempfile
import time
from pathlib import Path

import pytest

from trustag.engines import remote_tasks
from trustag.engines.parcels import PackedFiles, checksum, pack_files
from trustag.engines.remote_tasks import Finished, RemoteTask, done, perform, placed


def write_two(content: str, folder: Path) -> int:
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "a").write_text(content)
    (folder / "b").write_text("b")
    return len(content)


def test_what_a_task_writes_comes_back_with_its_value_and_nothing_stays() -> None:
    folders: list[Path] = []

    def work(content: str, folder: Path) -> int:
        folders.append(folder)
        return write_two(content, folder)

    found = done(RemoteTask(work, ("text",), {}), writes=True)
    assert found == Finished(4, files=(("b", b"b"), ("inner/a", b"text")))
    assert not folders[0].parent.exists()


def test_a_task_that_writes_nothing_has_no_folder() -> None:
    assert done(RemoteTask(pow, (2,), {"exp": 3}), writes=False) == Finished(8)


def test_another_version_elsewhere_is_said() -> None:
    found = perform(b"", {}, "0.0.0", writes=False)
    assert "has version" in str(found.error)
    assert "install the same version everywhere" in str(found.error)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    return tmp_path / "temporary"


def packed_file(tmp_path: Path, content: str) -> tuple[PackedFiles, dict[str, bytes]]:
    (tmp_path / "file.txt").write_text(content)
    pieces: dict[str, bytes] = {}

    def take(piece: bytes) -> str:
        pieces[checksum(piece)] = piece
        return checksum(piece)

    return pack_files(tmp_path / "file.txt", take), pieces


def test_files_are_fetched_once_a_machine_and_old_ones_go(tmp_path: Path, temporary: Path) -> None:
    packed, pieces = packed_file(tmp_path, "first")
    fetched: list[str] = []

    def fetch(name: str) -> bytes:
        fetched.append(name)
        return pieces[name]

    places = {placed(packed, fetch) for _ in range(3)}
    assert len(places) == len(fetched) == 1
    (place,) = places
    assert (place.name, place.read_text()) == ("file.txt", "first")
    assert place.is_relative_to(temporary)
    long_ago = time.time() - 2 * remote_tasks._UNUSED_SECONDS
    os.utime(place.parent, (long_ago, long_ago))
    other, pieces = packed_file(tmp_path, "second")
    assert placed(other, pieces.__getitem__).read_text() == "second"
    assert not place.exists()


def test_the_folder_for_files_is_for_nobody_else(tmp_path: Path, temporary: Path) -> None:
    packed, pieces = packed_file(tmp_path, "content")
    place = placed(packed, pieces.__getitem__)
    assert place.parents[1].stat().st_mode & 0o077 == 0

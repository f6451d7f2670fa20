"""Files that came from another machine: the folder is replaced as a whole, or they are added to it."""

from pathlib import Path

from trustag.engines.received_files import write_received

FILES = (("a.txt", b"new"), ("inner/b.bin", b"\0\1"))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_is_replaced_with_all_that_an_earlier_try_left(tmp_path: Path) -> None:
    folder = tmp_path / "jobs" / "fold-1"
    write_received(folder, FILES, keep=False)
    (folder / "checkpoints").mkdir()
    (folder / "checkpoints" / "old").write_text("old")
    write_received(folder, FILES, keep=False)
    assert contents(folder) == dict(FILES)
    assert [path.name for path in folder.parent.iterdir()] == ["fold-1"]


def test_files_are_added_to_a_folder_that_is_kept(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("other")
    (tmp_path / "a.txt").write_text("old")
    write_received(tmp_path, FILES, keep=True)
    assert contents(tmp_path) == {**dict(FILES), "other": b"other"}

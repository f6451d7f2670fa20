"""Files are written atomically, and nothing is overwritten without being asked."""

import gzip
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from trustag.errors import InputError
from trustag.files.inputs import STANDARD_STREAM
from trustag.files.outputs import link_or_copy, new_file, new_folder, remove_drafts


class BodyError(Exception):
    pass


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def fill(path: Path, error: BaseException | None = None, *, overwrite: bool = False) -> None:
    """Write a file, meet an error if there is one to meet, and end."""
    with new_file(path, overwrite=overwrite) as stream:
        stream.write(b"new")
        if error is not None:
            raise error


def fill_folder(path: Path, error: BaseException | None = None, *, overwrite: bool = False) -> None:
    with new_folder(path, overwrite=overwrite) as folder:
        (folder / "new").touch()
        if error is not None:
            raise error


def failure(path: Path, *, folder: bool = False, overwrite: bool = False) -> str:
    with pytest.raises(InputError) as caught, (new_folder if folder else new_file)(path, overwrite=overwrite):
        pytest.fail("the block must not be entered")
    message = str(caught.value)
    assert "\n" not in message
    return message.removeprefix(f"{path.parent}/")


# Files


def test_a_file_appears_only_when_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with new_file(path) as stream:
        stream.write(b"whole")
        stream.flush()
        assert not path.exists()
    assert path.read_bytes() == b"whole"
    assert names(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("error", [BodyError, KeyboardInterrupt])
@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_nothing_is_left_behind_when_the_block_fails(tmp_path: Path, error: type[BaseException], name: str) -> None:
    with pytest.raises(error):
        fill(tmp_path / name, error())
    assert names(tmp_path) == []


def test_an_existing_file_survives_a_failing_block(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(BodyError):
        fill(path, BodyError(), overwrite=True)
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_an_existing_file_is_overwritten_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    assert failure(path) == "a.txt: already exists; choose another name or pass --overwrite"
    assert path.read_text() == "old"
    fill(path, overwrite=True)
    assert path.read_text() == "new"


def test_a_file_that_appears_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(InputError, match="already exists"), new_file(path):
        path.write_text("theirs")
    assert path.read_text() == "theirs"
    assert names(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o000])
def test_permissions_follow_the_umask(tmp_path: Path, mask: int) -> None:
    with umask(mask):
        with new_file(tmp_path / "a.txt"):
            pass
        with new_folder(tmp_path / "b"):
            pass
    assert mode(tmp_path / "a.txt") == 0o666 & ~mask
    assert mode(tmp_path / "b") == 0o777 & ~mask


def test_packed_files_are_the_same_for_the_same_content(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        with new_file(tmp_path / name) as stream:
            stream.write(b"content" * 100)
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"content" * 100
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to("target")
    assert failure(link).startswith("link: already exists")
    fill(link, overwrite=True)
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_device_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with new_file(pipe, overwrite=True) as stream:
        stream.write(b"through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert pipe.is_fifo()
    assert names(tmp_path) == ["pipe"]
    with new_file(Path(os.devnull)) as stream:
        stream.write(b"gone")
    assert Path(os.devnull).is_char_device()


def test_a_long_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("ä" * 125)
    with new_file(path):
        pass
    assert names(tmp_path) == [path.name]


def test_standard_output_is_written_to_and_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    class StandIn:
        buffer = io.BytesIO()

    monkeypatch.setattr(sys, "stdout", StandIn())
    with new_file(STANDARD_STREAM) as stream:
        stream.write(b"out")
    assert StandIn.buffer.getvalue() == b"out"


@pytest.mark.parametrize("folder", [False, True])
def test_a_folder_to_write_into_must_exist(tmp_path: Path, folder: bool) -> None:
    with pytest.raises(InputError, match="the folder to write into does not exist; create it first$"):
        (new_folder if folder else new_file)(tmp_path / "no" / "a").__enter__()


def test_a_folder_is_no_file_to_write(tmp_path: Path) -> None:
    folder = tmp_path / "b"
    folder.mkdir()
    assert failure(folder) == "b: is a folder, not a file; give the name of a file"
    (folder / "c").touch()
    assert failure(folder, overwrite=True) == "b: is a folder, not a file; give the name of a file"


@pytest.mark.parametrize("folder", [False, True])
def test_a_location_without_permission_is_an_error(tmp_path: Path, folder: bool) -> None:
    place = tmp_path / "locked"
    place.mkdir(mode=0o555)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        message = failure(place / "a", folder=folder)
    finally:
        os.seteuid(user)
    assert message == "a: cannot be written (Permission denied); choose another location"


# Folders


def test_a_folder_appears_only_when_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "b"
    with new_folder(path) as folder:
        (folder / "x").write_text("whole")
        assert not path.exists()
    assert (path / "x").read_text() == "whole"
    assert names(tmp_path) == ["b", "x"]


@pytest.mark.parametrize("error", [BodyError, KeyboardInterrupt])
def test_no_folder_is_left_behind_when_the_block_fails(tmp_path: Path, error: type[BaseException]) -> None:
    with pytest.raises(error):
        fill_folder(tmp_path / "b", error())
    assert names(tmp_path) == []


def test_a_full_folder_is_replaced_as_a_whole_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "b"
    path.mkdir()
    (path / "old").touch()
    assert failure(path, folder=True) == "b: already exists; choose another name or pass --overwrite"
    fill_folder(path, overwrite=True)
    assert names(tmp_path) == ["b", "new"]


def test_an_existing_folder_survives_a_failing_block(tmp_path: Path) -> None:
    path = tmp_path / "b"
    path.mkdir()
    (path / "old").touch()
    with pytest.raises(BodyError):
        fill_folder(path, BodyError(), overwrite=True)
    assert names(tmp_path) == ["b", "old"]


def test_an_empty_folder_may_be_filled_without_overwriting(tmp_path: Path) -> None:
    path = tmp_path / "b"
    path.mkdir()
    fill_folder(path)
    assert names(tmp_path) == ["b", "new"]


def test_a_file_is_replaced_by_a_folder_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "b"
    path.touch()
    assert failure(path, folder=True).startswith("b: already exists")
    with new_folder(path, overwrite=True):
        pass
    assert path.is_dir()


def test_a_folder_filled_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "b"
    with pytest.raises(InputError, match="already exists"), new_folder(path):
        (path / "theirs").mkdir(parents=True)
    assert names(tmp_path) == ["b", "theirs"]


def test_the_working_folder_is_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "b" / "c"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    for path in (inner, inner.parent, Path()):
        with pytest.raises(InputError, match="never overwritten"):
            new_folder(path, overwrite=True).__enter__()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(inner))
    with pytest.raises(InputError, match="never overwritten"):
        new_folder(inner.parent, overwrite=True).__enter__()
    assert inner.is_dir()


# What killed processes leave


def test_drafts_of_a_name_are_removed_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "m[1]"
    kept = [".m[1].txt", ".m1.a.part", ".other.b.part", "m[1]", "m[1].part"]
    for name in (*kept, ".m[1].c.part", ".m[1].d.old"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "inside").touch()
    (tmp_path / ".m[1].e.part").touch()
    remove_drafts(path)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted(kept)


def test_the_names_of_drafts_are_those_that_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "a"
    writers = new_file(path), new_folder(path)
    for writer in writers:
        writer.__enter__()
    assert len(list(tmp_path.iterdir())) == 2
    remove_drafts(path)
    assert list(tmp_path.iterdir()) == []


def test_a_second_name_costs_no_room_and_where_it_cannot_be_there_is_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"content")
    link_or_copy(source, tmp_path / "link")
    assert (tmp_path / "link").samefile(source)

    def refuse(target: Path, source: Path) -> None:
        raise OSError

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    link_or_copy(str(source), str(tmp_path / "copy"))
    assert not (tmp_path / "copy").samefile(source)
    assert (tmp_path / "copy").read_bytes() == b"content"

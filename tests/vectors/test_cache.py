"""Where fetched vectors are kept."""

import errno
import os
from pathlib import Path

import pytest

from trustag.errors import InputError
from trustag.vectors.cache import cache_folder, check_name, disk_errors_on_one_line, existing_vectors_folder


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({"TRUSTAG_CACHE": "/mine", "XDG_CACHE_HOME": "/xdg"}, "linux", "/mine"),
        ({"XDG_CACHE_HOME": "/xdg"}, "linux", "/xdg/trustag"),
        ({"XDG_CACHE_HOME": "relative"}, "linux", "~/.cache/trustag"),
        ({"TRUSTAG_CACHE": ""}, "linux", "~/.cache/trustag"),
        ({"XDG_CACHE_HOME": "/xdg"}, "darwin", "~/Library/Caches/trustag"),
        ({"LOCALAPPDATA": "/local"}, "win32", "/local/trustag/Cache"),
    ],
)
def test_the_cache_is_where_the_platform_keeps_such_things(
    environment: dict[str, str], platform: str, expected: str
) -> None:
    assert cache_folder(environment, platform) == Path(expected).expanduser()


@pytest.mark.parametrize("name", ["a", "my-german", "glove.6b_300"])
def test_plain_names_are_names(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize("name", ["", ".hidden", "../up", "a/b", "A", "a b", "-x", "x" * 101, "a\n"])
def test_what_could_leave_the_cache_is_no_name(name: str) -> None:
    with pytest.raises(InputError, match="is not a valid name for vectors"):
        check_name(name)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "no space is left; free some space"),
        (errno.EDQUOT, "no space is left"),
        (errno.EROFS, "cannot be written"),
    ],
)
def test_disk_errors_are_one_line_with_a_remedy(number: int, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught, disk_errors_on_one_line(Path("place")):
        raise OSError(number, os.strerror(number))
    assert "TRUSTAG_CACHE" in str(caught.value)


def test_other_trouble_is_not_disguised() -> None:
    with pytest.raises(OSError, match="odd"), disk_errors_on_one_line(Path("place")):
        raise OSError(errno.EIO, "odd")


def test_a_file_instead_of_the_folder_is_an_error(cache: Path) -> None:
    cache.write_text("in the way")
    with pytest.raises(InputError, match="cannot be written"):
        existing_vectors_folder()

"""Downloads from a real server on this machine: whole, broken off, gone on with, changed in between."""

import socket
from pathlib import Path

import pytest

from tests.vectors.made_up import files_under
from tests.vectors.web_server import Served, serving
from trustag.errors import InputError
from trustag.vectors.downloads import download

CONTENT = bytes(range(256)) * 4096


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


def silent(done: int, total: int | None) -> None:
    pass


def test_a_file_is_complete_and_progress_is_reported(tmp_path: Path) -> None:
    reported: list[tuple[int, int | None]] = []
    with serving(Served(CONTENT)) as served:
        download(served.url, tmp_path / "file", lambda done, total: reported.append((done, total)))
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert files_under(tmp_path) == {"file"}
    assert [done for done, _ in reported] == sorted({done for done, _ in reported})
    assert reported[-1] == (len(CONTENT), len(CONTENT))


def test_a_broken_download_is_resumed(tmp_path: Path) -> None:
    with serving(Served(CONTENT, break_after=300_000)) as served:
        for _ in range(2):
            with pytest.raises(InputError, match="run the command again to resume the download"):
                download(served.url, tmp_path / "file", silent)
            assert not (tmp_path / "file").exists()
        served.break_after = None
        download(served.url, tmp_path / "file", silent)
        assert served.asked == [None, "bytes=300000-", "bytes=600000-"]
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert files_under(tmp_path) == {"file"}


@pytest.mark.parametrize("tag", ['"v2"', None, 'W/"weak"'])
def test_a_file_that_may_have_changed_is_fetched_anew(tmp_path: Path, tag: str | None) -> None:
    first = '"v1"' if tag == '"v2"' else tag
    with serving(Served(CONTENT, tag=first, break_after=300_000)) as served:
        with pytest.raises(InputError):
            download(served.url, tmp_path / "file", silent)
        served.content, served.tag, served.break_after = CONTENT[::-1], tag, None
        download(served.url, tmp_path / "file", silent)
    assert (tmp_path / "file").read_bytes() == CONTENT[::-1]


def test_another_url_does_not_resume_the_first(tmp_path: Path) -> None:
    with serving(Served(CONTENT, break_after=1000)) as first, serving(Served(CONTENT[::-1])) as second:
        with pytest.raises(InputError):
            download(first.url, tmp_path / "file", silent)
        download(second.url, tmp_path / "file", silent)
    assert (tmp_path / "file").read_bytes() == CONTENT[::-1]


def test_what_is_complete_is_not_fetched_again(tmp_path: Path) -> None:
    with serving(Served(CONTENT, break_after=1000)) as served:
        with pytest.raises(InputError):
            download(served.url, tmp_path / "file", silent)
        (tmp_path / "file.part").write_bytes(CONTENT)
        download(served.url, tmp_path / "file", silent)
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_an_error_of_the_server_is_reported(tmp_path: Path) -> None:
    with (
        serving(Served(b"", status=404)) as served,
        pytest.raises(InputError, match="HTTP 404 Not Found; check the URL"),
    ):
        download(served.url, tmp_path / "file", silent)
    assert files_under(tmp_path) == set()


def test_a_missing_server_is_reported(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(InputError, match="cannot be reached"):
        download(f"http://127.0.0.1:{port}/file", tmp_path / "file", silent)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://example.org/x", "vectors.txt", "http://", "data:,x"])
def test_only_http_urls_are_accepted(tmp_path: Path, url: str) -> None:
    with pytest.raises(InputError, match="is not an http or https URL"):
        download(url, tmp_path / "file", silent)

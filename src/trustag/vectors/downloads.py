"""Download a file from a URL, and resume an interrupted download."""

import http.client
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from trustag.errors import InputError
from trustag.vectors.cache import disk_errors_on_one_line

DownloadProgress: TypeAlias = Callable[[int, int | None], None]

_SECONDS: Final = 60
_BLOCK_BYTES: Final = 1 << 18
_AGAIN: Final = "run the command again to resume the download"
_PARTIAL_CONTENT: Final = 206
_RANGE_NOT_SATISFIABLE: Final = 416


class _Attempt(msgspec.Struct, frozen=True):
    """The URL and the version of a partly downloaded file."""

    url: str
    version: str


def download(url: str, target: Path, progress: DownloadProgress) -> None:
    """Download ``url`` to ``target``; ``progress`` is called with the bytes so far and, if known, in total.

    A partial download is stored in the same folder and completed by the next call, if the server can confirm that the
    file has not changed.
    """
    check_url(url)
    part, note = target.with_name(f"{target.name}.part"), target.with_name(f"{target.name}.part.json")
    with disk_errors_on_one_line(target.parent):
        attempt = _earlier_attempt(part, note, url)
        done = part.stat().st_size if attempt is not None else 0
        answer = _opened(url, done, attempt)
        if answer is not None:
            with answer:
                done = _continued_from(answer, done, url)
                note.write_bytes(msgspec.json.encode(_Attempt(url, _version(answer))))
                _copy(answer, part, done, progress)
        part.replace(target)
        note.unlink(missing_ok=True)


def check_url(url: str) -> None:
    """Raise an error if ``url`` is not an http or https URL."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise InputError("is not an http or https URL", where=url, remedy="give the URL of a file")


def _opened(url: str, done: int, attempt: _Attempt | None) -> http.client.HTTPResponse | None:
    """Return the response of the server, or ``None`` if the download was already complete."""
    headers = {"User-Agent": "trustag", "Accept-Encoding": "identity"}
    if attempt is not None:
        headers |= {"Range": f"bytes={done}-", "If-Range": attempt.version}
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - the scheme is checked
    try:
        answer: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=_SECONDS)  # noqa: S310
    except urllib.error.HTTPError as error:
        if error.code == _RANGE_NOT_SATISFIABLE and error.headers.get("Content-Range") == f"bytes */{done}":
            return None
        raise InputError(f"HTTP {error.code} {error.reason}", where=url, remedy="check the URL") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _broken(url, error) from None
    return answer


def _continued_from(answer: http.client.HTTPResponse, done: int, url: str) -> int:
    """Return the offset in the file at which the response starts."""
    if answer.status != _PARTIAL_CONTENT:
        return 0
    if not answer.headers.get("Content-Range", "").startswith(f"bytes {done}-"):
        raise InputError("the server sent the wrong part of the file", where=url, remedy="choose another server")
    return done


def _version(answer: http.client.HTTPResponse) -> str:
    """Return an identifier of this version of the file; weak ETags are not reliable enough."""
    tag = answer.headers.get("ETag", "")
    return tag if tag and not tag.startswith("W/") else answer.headers.get("Last-Modified", "")


def _earlier_attempt(part: Path, note: Path, url: str) -> _Attempt | None:
    """Return the earlier attempt that wrote ``part``, if it can be completed."""
    try:
        attempt = msgspec.json.decode(note.read_bytes(), type=_Attempt)
    except (FileNotFoundError, msgspec.DecodeError):
        return None
    return attempt if attempt.url == url and attempt.version and part.is_file() and part.stat().st_size else None


def _copy(answer: http.client.HTTPResponse, part: Path, done: int, progress: DownloadProgress) -> None:
    length = answer.headers.get("Content-Length", "")
    total = done + int(length) if length.isdigit() else None
    with part.open("r+b" if done else "wb") as stream:
        stream.seek(done)
        while block := _read(answer):
            stream.write(block)
            done += len(block)
            progress(done, total)
    if total is not None and done < total:
        raise _broken(answer.url, f"{done:,} of {total:,} bytes")


def _read(answer: http.client.HTTPResponse) -> bytes:
    try:
        return answer.read(_BLOCK_BYTES)
    except (OSError, http.client.HTTPException) as error:
        raise _broken(answer.url, error) from None


def _broken(url: str, error: object) -> InputError:
    reason = getattr(error, "reason", None) or error
    return InputError(f"cannot be reached, or the connection was lost ({reason})", where=url, remedy=_AGAIN)

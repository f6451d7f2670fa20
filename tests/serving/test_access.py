"""The token opens everything; without it only pages that say nothing of the model; other sites open nothing."""

from pathlib import Path

import pytest

from tests.serving.in_process import HOST, JSON, Played
from trustag.errors import InputError
from trustag.serving.access import ClientLimit, TokenAccess, read_token
from trustag.serving.limits import Limits
from trustag.serving.queries import RefusedError

TOKEN = "0123456789abcdef"


@pytest.mark.parametrize(("path", "public"), [("/health", True), ("/", True), ("/model", False), ("/metrics", False)])
def test_a_token_is_needed_where_there_is_one(path: str, public: bool) -> None:
    door = Played(access=TokenAccess(TOKEN))
    assert door.get(path).status_code == (200 if public else 401)
    for wrong in ("", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer", f"Bearer {TOKEN[:-1]}"):
        assert door.get(path, Authorization=wrong).status_code == (200 if public else 401)
    assert door.get(path, Authorization=f"bearer {TOKEN}").status_code == 200


def test_predictions_need_the_token_and_the_refusal_says_how() -> None:
    door = Played(access=TokenAccess(TOKEN))
    refused = door.post(b"{}")
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert door.post(b"{}", {**JSON, "Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_other_host_names_and_pages_of_other_sites_are_refused() -> None:
    door = Played()
    assert door.post(b"{}", {**JSON, "Host": "evil.example"}).status_code == 421
    assert door.post(b"{}", {**JSON, "Origin": "http://evil.example"}).status_code == 403
    assert door.post(b"{}", {**JSON, "Origin": "null"}).status_code == 403
    assert door.post(b"{}", {**JSON, "Origin": f"http://{HOST}"}).status_code == 200


@pytest.mark.parametrize("content", ["", "short", "0123456789 abcdef", "0123456789abcdé"])
def test_a_file_without_a_good_token_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "token").write_text(content)
    with pytest.raises(InputError, match="no token of at least 16 visible ASCII characters; make one: openssl"):
        read_token(tmp_path / "token")


def test_a_token_is_read_without_its_line_end_and_a_missing_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    assert read_token(tmp_path / "token") == TOKEN
    with pytest.raises(InputError, match="cannot be read"):
        read_token(tmp_path / "none")


def test_a_client_has_its_share_and_no_more() -> None:
    limit = ClientLimit(2)
    one, other = ({"client": (address, 1)} for address in ("10.0.0.1", "10.0.0.2"))
    limit.enter(one)
    limit.enter(one)
    limit.enter(other)
    with pytest.raises(RefusedError) as refused:
        limit.enter(one)
    assert refused.value.status == 429
    limit.leave(one)
    limit.enter(one)
    assert Limits().per_client == 0  # nobody is limited unless asked for

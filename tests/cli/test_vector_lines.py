"""Facts on word vectors as text and as values."""

import click
import pytest

from trustag.cli.vector_lines import coverage_lines, megabytes, source_as_value, source_lines
from trustag.vectors.sources import SOURCES


@pytest.mark.parametrize("name", SOURCES)
def test_every_named_source_is_described(name: str) -> None:
    source = SOURCES[name]
    first, *rest = source_lines(source, None)
    assert first == f"{name}  [not downloaded]"
    assert f"licence: {source.licence}" in "\n".join(rest)
    value = source_as_value(source, None)
    assert (value["name"], value["stored_bytes"]) == (name, None)


def test_sizes_are_in_megabytes() -> None:
    assert [megabytes(size) for size in (0, 1_250_000, 34_000_000)] == ["0.0 MB", "1.2 MB", "34 MB"]


def test_without_a_corpus_there_is_no_table() -> None:
    assert click.unstyle("".join(coverage_lines({}))) == ""

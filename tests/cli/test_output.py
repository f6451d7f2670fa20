"""JSON and aligned columns."""

import json

import click

from trustag.cli.output import aligned, as_json
from trustag.text.schemes import Scheme


def test_json_has_plain_names_for_enums() -> None:
    assert json.loads(as_json({"scheme": Scheme.IOBES, "counts": (1, 2)})) == {"scheme": "IOBES", "counts": [1, 2]}


def test_columns_are_flush_left_then_flush_right() -> None:
    assert list(aligned([("name", "count"), ("a", "1"), ("long name", "1,000")])) == [
        "name       count",
        "a              1",
        "long name  1,000",
    ]
    assert list(aligned([("a", "what it is"), ("bcd", "")], left=2)) == ["a    what it is", "bcd"]


def test_wide_characters_take_two_cells() -> None:
    assert list(aligned([("東京", "1"), ("Ann", "22")])) == ["東京   1", "Ann   22"]


def test_only_the_header_is_styled() -> None:
    header, row = aligned([("name", "count"), ("a", "1")], header=True)
    assert header != click.unstyle(header) == "name  count"
    assert row == click.unstyle(row)

"""Changed files that keep their structure: of every format, the same for the same input, and many still accepted."""

import random

from fuzz.folders import MARK
from fuzz.structures import DrawnFrom, changed_lines, structured
from fuzz.targets import targets
from trustag.files.registry import FORMATS

INPUTS = [random.Random(seed).randbytes(40) for seed in range(400)]


def test_the_input_decides_everything_and_every_format_comes_up() -> None:
    made = [structured(data) for data in INPUTS]
    assert made == [structured(data) for data in INPUTS]
    assert {name for name, _ in made} == set(FORMATS)
    assert len(set(made)) > 350


def test_choices_are_those_of_the_bytes_as_long_as_there_are_any() -> None:
    assert [DrawnFrom(bytes([number])).getrandbits(8) for number in (0, 7, 255)] == [0, 7, 255]
    assert DrawnFrom(b"\x80").random() == 0.5
    drawn = DrawnFrom(b"\x01")
    assert drawn.getrandbits(8) == 1
    assert 0 <= drawn.randrange(10) < 10


def test_a_changed_line_leaves_the_others_alone() -> None:
    content = b"Ann B-PER\nmet O\nBob B-PER\n"
    for seed in range(200):
        kept = set(changed_lines(content, random.Random(seed)).split(b"\n")) & set(content.split(b"\n"))
        assert len(kept) >= 3


def test_many_of_them_are_still_read() -> None:
    check = targets()["structures"].check
    assert sum(check(data) for data in INPUTS) > 30
    assert MARK in structured(next(data for data in INPUTS if structured(data)[0] == "brat"))[1]

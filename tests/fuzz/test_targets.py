"""The fuzz targets without the fuzzer: seeds are valid, and randomly damaged seeds obey the rules too."""

import random
from pathlib import Path

import pytest

from fuzz.folders import packed_folder, unpack_folder
from fuzz.rules import RuleBroken, check_line, check_reading
from fuzz.targets import Target, targets
from trustag.files.registry import FORMATS
from trustag.text.sentences import Sentence

TARGETS = targets()
ODD = (
    b"",
    b"\0",
    b"\x00\n\n\n",
    b"\x00{}",
    b"\x00[]",
    b"\x00[[]]",
    b"\x00" + b"[" * 2000,
    b"\x00\xff\xfe",
    b"\x03a b\n",
)
EVERY_TARGET = pytest.mark.parametrize("target", TARGETS.values(), ids=list(TARGETS))


def damaged(seed: bytes, rng: random.Random) -> bytes:
    """Return ``seed`` with a few bytes changed, lost, or doubled."""
    data = bytearray(seed)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(data) + 1)
        length = rng.randint(0, 8)
        data[place : place + length] = rng.choice(
            [b"", rng.randbytes(length), bytes(data[place : place + length]) * 2, b'"', b"\n", b"-1", b"}", b"\xff"]
        )
    return bytes(data)


def test_every_format_has_a_target() -> None:
    assert set(TARGETS) >= {*FORMATS, "sniff", "schemes"}


@EVERY_TARGET
def test_seeds_are_accepted(target: Target) -> None:
    assert target.check(target.seeds()[0])


@EVERY_TARGET
def test_odd_and_damaged_inputs_obey_the_rules(target: Target) -> None:
    rng = random.Random(1)
    seeds = target.seeds()
    for data in (*seeds, *ODD, *(damaged(rng.choice(seeds), rng) for _ in range(40))):
        target.check(data)


def test_a_reader_that_breaks_the_rules_is_found(tmp_path: Path) -> None:
    with pytest.raises(RuleBroken, match="not one line"):
        check_line("error", "two\nlines")
    with pytest.raises(RuleBroken, match="changes when it is written"):
        check_reading(lambda _: iter([Sentence(("a",), ("B-_-",)), Sentence(("b",), ("?",))]), tmp_path)
    with pytest.raises(ZeroDivisionError):
        check_reading(lambda _: iter([Sentence((), ())] * (1 // 0)), tmp_path)


def test_folders_survive_as_bytes_and_cannot_be_left(tmp_path: Path) -> None:
    content = b"a.txt\nx\n//// sub/b.txt\n\n//// ../out.txt\nno\n//// a.txt/c\nno"
    unpack_folder(content, tmp_path / "in")
    assert packed_folder(tmp_path / "in") == b"a.txt\nx\n//// sub/b.txt\n"
    assert [path.name for path in tmp_path.iterdir()] == ["in"]

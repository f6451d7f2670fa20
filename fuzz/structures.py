"""Valid files with a few changes that keep their structure: other values, lost keys, cells in other places.

Most changes of bytes break a file at its first character. These get further: the fuzzer's input says which valid file
is taken and which changes are made to it.
"""

import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from attack.mutating import changed_bytes, changed_json
from fuzz.folders import MARK
from fuzz.seeds import seeds_of
from trustag.files.formats import FolderFormat
from trustag.files.registry import FORMATS

_MOST_CHANGES: Final = 4
_CELLS: Final = (
    *("", " ", "O", "B-", "-", "B-PER", "I-PER", "S-LOC", "#", "-DOCSTART-", '"', '""', ",", ";", "\t", "\u00a0", "0"),
    *(
        "\ufeff",
        "\x00",
        "\u2028",
        "_",
        "B-PER I-PER",
        "T1\tPER 0 3\tAda",
        "T2\tPER 3 0",
        "0 3;4 7",
        "A" * 3_000,
        "é",
        "e\u0301",
    ),
)
_BINARY: Final = frozenset({"spacy", "parquet", "hf"})
_LINES: Final = frozenset({"conll", "csv", "roster", "brat"})


class DrawnFrom(random.Random):
    """Choices that the bytes of an input make, as long as there are any; then those of a fixed seed."""

    def __init__(self, data: bytes) -> None:
        super().__init__(len(data))
        self._left = data

    def getrandbits(self, k: int, /) -> int:
        """Return the next ``k`` bits."""
        size = -(-k // 8)
        if len(self._left) < size:
            return super().getrandbits(k)
        taken, self._left = self._left[:size], self._left[size:]
        return int.from_bytes(taken, "little") >> (8 * size - k)

    def random(self) -> float:
        """Return a number from 0 up to 1 that one byte chooses."""
        return self.getrandbits(8) / 256


def changed_lines(content: bytes, rng: random.Random) -> bytes:
    """Return text in lines of cells with a cell, or a line, changed, lost, repeated or in another place."""
    lines = content.decode(errors="replace").split("\n")
    place = rng.randrange(len(lines))
    separator = next((one for one in ("\t", ";", ",", " ") if one in lines[place]), " ")
    cells = lines[place].split(separator)
    cell, way = rng.randrange(len(cells)), rng.randrange(8)
    if way < 3:
        cells[cell] = rng.choice(_CELLS)
    elif way == 3:
        del cells[cell]
    elif way == 4:
        cells.insert(cell, rng.choice(_CELLS))
    elif way == 5:
        cells.reverse()
    rest: Mapping[int, list[str]] = {6: [], 7: [lines[place]] * 2}
    return "\n".join([*lines[:place], *rest.get(way, [separator.join(cells)]), *lines[place + 1 :]]).encode()


def structured(data: bytes) -> tuple[str, bytes]:
    """Return the name of a format and a changed file, or packed folder, of it."""
    rng = DrawnFrom(data)
    name = rng.choice(list(FORMATS))
    known = FORMATS[name]
    content = rng.choice(_seeds(name))
    for _ in range(rng.randint(1, _MOST_CHANGES)):
        if isinstance(known, FolderFormat):
            parts = content.split(MARK)
            place = rng.randrange(len(parts))
            file, _, inner = parts[place].partition(b"\n")
            parts[place] = file + b"\n" + _changed(name, inner, rng)
            content = MARK.join(parts)
        else:
            content = _changed(name, content, rng)
    return name, content


@cache
def _seeds(name: str) -> list[bytes]:
    return seeds_of(FORMATS[name])


def _changed(name: str, content: bytes, rng: random.Random) -> bytes:
    """Return a file of a format with one change."""
    way: Callable[[bytes, random.Random], bytes] = changed_json
    if name in _BINARY or rng.random() < 0.1:
        way = changed_bytes
    elif name in _LINES:
        way = changed_lines
    try:
        return way(content, rng)
    except (ValueError, RecursionError):  # no JSON any more
        return changed_bytes(content, rng)

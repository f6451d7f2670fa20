"""What the page beside the real corpora says of them: sizes, types and noise, parsed so that nothing is typed twice."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trustag.errors import InputError
from trustag.files.splits import SPLITS

_SIZES: Final = re.compile(r"([\d,]+) / ([\d,]+) / ([\d,]+)")
_RATES: Final = re.compile(r"(\.\d+) / (\.\d+), (\.\d+) / (\.\d+)")
_REFERENCE: Final = re.compile(r"as `?([\w.]+)`?")


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much one split holds; the entities are the gold ones."""

    sentences: int
    tokens: int
    entities: int


@dataclass(frozen=True, slots=True)
class Rates:
    """How noisy training labels are, rounded to three digits: entities, then tokens in IOB2."""

    precision: float
    recall: float
    tau_p: float
    tau_n: float


@dataclass(frozen=True, slots=True)
class Described:
    """One row of the page: the sizes of each split, the number of entity types, the noise where there is any."""

    name: str
    splits: dict[str, Sizes]
    types: int
    noise: Rates | None


def read_descriptions(page: Path) -> dict[str, Described]:
    """Return what ``page`` says of each corpus, by name; those of which it does not count all entities are left out."""
    rows: dict[str, list[str]] = {}
    previous: list[str] = []
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| `") and len(cells) == len(SPLITS) + 3:
            name, *facts = cells
            previous = [_resolved(fact, column, previous, rows) for column, fact in enumerate(facts)]
            rows[name.strip("`")] = previous
    if not rows:
        raise InputError("no table of corpora", where=page, remedy="its rows begin with | `name`")
    counted = {name: facts for name, facts in rows.items() if all(_SIZES.match(fact) for fact in facts[:3])}
    return {name: _described(name, facts) for name, facts in counted.items()}


def _resolved(fact: str, column: int, previous: list[str], rows: dict[str, list[str]]) -> str:
    """Return a cell, or the one it refers to: that of the row above, or of a row it names."""
    if fact.startswith("same"):
        return previous[column]
    reference = _REFERENCE.fullmatch(fact)
    return rows[reference[1]][column] if reference else fact


def _described(name: str, facts: list[str]) -> Described:
    sizes = {split: _sizes(fact) for split, fact in zip(SPLITS, facts[:3], strict=True)}
    types, noise = facts[3:]
    counted = re.match(r"(\d+) types", types)
    rates = _RATES.match(noise)
    return Described(
        name,
        sizes,
        int(counted[1]) if counted else len(types.split()),
        Rates(*map(float, rates.groups())) if rates else None,
    )


def _sizes(fact: str) -> Sizes:
    found = _SIZES.match(fact)
    if found is None:
        raise InputError(f"{fact!r} is no triple of sizes", remedy="write sentences / tokens / entities")
    return Sizes(*(int(number.replace(",", "")) for number in found.groups()))

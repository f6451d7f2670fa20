"""The section of the results page on hostile tries."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from benchmarks.markdown import table

_PARTS: Final[dict[str, str]] = {
    "mutations": "mutated models, runs, logs of decisions, checkpoints and results of trainings, read by every command",
    "door": "requests at the door of the review page, by 200 clients at once",
    "kills": "kills of trainings by all methods, each followed by `--resume`; the end is compared byte for byte",
    "commands": "kills of every other command that writes, then the command again",
    "disk": "disks that are full at every file that trainings and commands write, then `--resume`",
    "memory": "memory that ends at drawn moments, then `--resume`",
    "inputs": "files and folders that change or vanish while they are read",
    "clock": "clocks that are wrong, or set back while a command works",
}


def section(found: dict[str, Any]) -> Iterator[str]:
    """Yield what was tried, how often, and what broke the law."""
    yield (
        "The law: exit code 0, 1 or 2; one line that says what is wrong; no traceback; nothing lost, nothing "
        "half-written. A part of the campaign can be run alone: `python -m attack.run --only door --output FILE`.\n"
    )
    rows = []
    for name, what in _PARTS.items():
        if name in found:
            facts = found[name]
            rows.append([what, f"{_tries(facts):,}", len(_broken(facts)), facts["commit"][:9]])
    yield from table(["what", "tries", "broke the law", "commit"], rows)
    if "kills" in found:
        yield from _kills(found["kills"])
    if "door" in found:
        yield from _door(found["door"])


def _tries(facts: Mapping[str, Any]) -> int:
    """Return how many tries a part made."""
    names = ("kills", "requests", "total")
    return _sum(facts, lambda one: int(next((one[name] for name in names if name in one), 0)))


def _sum(facts: Mapping[str, Any], number: Callable[[Mapping[str, Any]], int]) -> int:
    """Return the sum of a number over the kinds of a part, or that of a part without kinds."""
    if "total" in facts:
        return number(facts)
    return sum(number(one) for one in facts.values() if isinstance(one, dict) and "broken" in one)


def _broken(facts: object) -> list[str]:
    if not isinstance(facts, dict):
        return []
    return [*facts.get("broken", []), *(one for value in facts.values() for one in _broken(value))]


def _kills(facts: Mapping[str, Any]) -> Iterator[str]:
    rows = [
        [
            name,
            one["kills"],
            one["worker_kills"],
            one["half_written"],
            f"{one['runs'] - len(one['broken'])} of {one['runs']}",
        ]
        for name, one in facts.items()
        if isinstance(one, dict) and "worker_kills" in one
    ]
    yield "\nKills of trainings:\n"
    yield from table(
        ["training", "kills", "of a worker", "with a file half-written", "runs that end as if unbroken"], rows
    )


def _door(facts: Mapping[str, Any]) -> Iterator[str]:
    storms = [storm for storm in facts.values() if isinstance(storm, dict) and "duels" in storm]
    yield "\nStorms at the door, each on a server of the commit beside it; what one found was mended before the next:\n"
    rows = [[f"{one['requests']:,}", one["confirmed"], len(one["broken"]), one["commit"][:9]] for one in storms]
    yield from table(["requests", "decisions confirmed", "broke the law", "commit"], rows)
    counted: Counter[str] = Counter()
    for storm in storms:
        counted.update(storm["duels"])
    duels = ", ".join(f"{count} times {statuses}" for statuses, count in counted.items())
    confirmed = sum(storm["confirmed"] for storm in storms)
    yield (
        f"\nAt the door, {confirmed:,} decisions were confirmed, and all are in the log. Two people who decide the "
        f"same issue at the same moment were answered {duels} (303 saved, 409 somebody was faster).\n"
    )

"""What the results page says of word vectors that can be fetched by name; apart from the measuring."""

from collections.abc import Iterator
from statistics import mean
from typing import Any, Final

from benchmarks.markdown import table
from benchmarks.vectors import CANDIDATES, GIVEN, RANDOM, Candidate, own_runs

_SPOKEN: Final = {RANDOM: "random vectors", GIVEN: "the file that the other scores start from"}


def section(found: dict[str, Any]) -> Iterator[str]:
    """Yield what each candidate gives in each language."""
    runs = found["runs"]
    seeds = len({run["seed"] for run in runs})
    yield (
        f"Dev F1 in points of the plain tagger on clean labels: recipe `{found['recipe']}` with {found['epochs']} "
        f"epochs, mean of {seeds} seed{'s' * (seeds > 1)}, the best that has a name in bold. The test split is not "
        "read. `A+B` gives every word the values of both. Empty cells have not been measured.\n"
    )
    best = {language: _best(runs, language) for language in CANDIDATES}
    rows = []
    for candidate in dict.fromkeys(one for every in CANDIDATES.values() for one in every):
        if not any(own_runs(runs, language, candidate) for language in CANDIDATES):
            continue
        cells = []
        for language in CANDIDATES:
            own = own_runs(runs, language, candidate)
            figure = f"{100 * _score(own):.2f}" if own else ""
            cells.append(f"**{figure}**" if candidate == best[language] else figure)
        rows.append([_name(candidate), *cells, f"{_seconds(runs, candidate):.0f}"])
    yield from table(["vectors", *CANDIDATES, "CPU seconds"], rows)


def _best(runs: list[dict[str, Any]], language: str) -> Candidate | None:
    """Return the candidate with the highest mean among those that have a name and their usual width."""
    named = [one for one in CANDIDATES[language] if one.vectors not in _SPOKEN and own_runs(runs, language, one)]
    return max(named, key=lambda one: _score(own_runs(runs, language, one)), default=None)


def _score(own: list[dict[str, Any]]) -> float:
    return float(mean(run["dev"]["f1"] for run in own))


def _seconds(runs: list[dict[str, Any]], candidate: Candidate) -> float:
    every = [run for language in CANDIDATES for run in own_runs(runs, language, candidate)]
    return float(mean(run["cpu_seconds"] for run in every))


def _name(candidate: Candidate) -> str:
    if candidate.vectors in _SPOKEN:
        return _SPOKEN[candidate.vectors]
    width = f", {candidate.width} values" if candidate.width else ""
    return f"`{candidate.vectors}`{width}"

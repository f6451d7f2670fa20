"""What the results page says of the version before the redesign and of today's: size, behaviour, cost, one recipe."""

from collections.abc import Iterator, Mapping
from statistics import mean
from typing import Any, Final

from benchmarks.markdown import table
from benchmarks.redesign import rows

Found = dict[str, Any]
SCORES: Final = ("method_dev", "method_test", "baseline_dev", "baseline_test")


def section(found: Found, others: Mapping[str, Found]) -> Iterator[str]:
    """Yield the sizes of both versions, then what each of the ``others``, results by their names, says of them."""
    before, after = (commit[:12] for commit in found["commits"].values())
    yield f"Before is `{before}`, the last version before methods became modules; after is `{after}`.\n"
    yield from table(
        ["measure", "before", "after"], [[measure, *values] for measure, values in rows(found["versions"])]
    )
    for name, told in (("same_behaviour", _behaviour), ("version_cost", _cost), ("transformer_recipe", _recipe)):
        if name in others:
            yield ""
            yield from told(others[name])


def _behaviour(found: Found) -> Iterator[str]:
    yield (
        f"Behaviour: {len(found['runs'])} runs with both versions, recorded and compared by "
        f"`python -m benchmarks.same_behaviour` when the redesign was complete (`{found['origin']['commit'][:12]}`): "
        f"{found['files']} files, {len(found['differing'])} differ. Weights, scores, issues, records and the numbers "
        "of the reports were compared. Later versions differ on purpose, as the [changelog](changelog.md) says: a run "
        "keeps the better of two models, trusted sentences are used, and pages have other parts."
    )


def _cost(found: Found) -> Iterator[str]:
    ratios = found["ratios"]
    yield (
        f"Processor time after / before, measured in turns by `python -m benchmarks.version_cost` "
        f"(`{found['commits']['after'][:12]}`): demo {ratios['demo']:.2f}, one epoch {ratios['epoch']:.2f} "
        f"(least of {len(found['epoch_seconds']['after'])})."
    )


def _recipe(found: Found) -> Iterator[str]:
    """Yield the one change of behaviour: the recipe ``transformer`` takes the defaults of ``fast``."""
    seeds = sorted({row["seed"] for row in found["rows"]})
    yield (
        "The recipe `transformer` now takes the method's defaults from `fast`. MiniLM on the first "
        f"{found['sentences']} sentences of distantly labelled Wikigold, {found['dev_sentences']} of dev, whole test "
        f"(`python -m benchmarks.transformer_recipe`); F1 of the model of the new labels and of the baseline, "
        f"{'one seed' if len(seeds) == 1 else f'means over {len(seeds)} seeds'}. So few sentences tell only large "
        "differences.\n"
    )
    yield from table(["version", "dev", "test", "baseline dev", "baseline test", "CPU seconds"], list(_means(found)))


def _means(found: Found) -> Iterator[list[Any]]:
    for version in ("before", "after"):
        own = [row for row in found["rows"] if row["version"] == version]
        if own:
            scores = [f"{mean(row[score] for row in own):.2f}" for score in SCORES]
            yield [version, *scores, round(mean(row["cpu_seconds"] for row in own))]

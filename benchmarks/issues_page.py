"""What the results page says of label issues."""

from collections import Counter
from statistics import mean
from typing import Any

from trustag.experiments.issue_quality import CLEANLAB_WITH_OURS, KINDS_KNOWN

_LEVELS = {"tokens": "labels", "entities": "entities"}
_PEERS = ("cleanlab", "self-confidence")


def introduction(found: dict[str, Any]) -> str:
    """Return what was measured, and how, in words."""
    counts = Counter(run["corpus"] for run in found["runs"]).values()
    seeds = f"{min(counts)}" if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
    return (
        "Average precision of finding wrong labels by the gold column, which training never sees, and precision of "
        "the 100 worst. All rankings rest on the same out-of-fold probabilities; ours also knows how labels were "
        "learnt, the final model, and the noise rates estimated without gold. Entities: given ones that gold has not, "
        "and those of gold where none is given, which a ranking must first suggest. For cleanlab and self-confidence "
        "these are what the likeliest label of each token makes of tokens given as `O`, and an entity is as bad as its "
        "worst label. How cleanlab ranks when it is handed our suggestions stands beside it. "
        f"Seeds a corpus: {seeds}.\n"
    )


def rows(found: dict[str, Any], level: str) -> tuple[list[str], list[list[str]]]:
    """Return a heading and a row for each corpus, means over its runs, with what ours gains on each peer."""
    heading = [_LEVELS[level], "errors", "ours", *_PEERS, *(f"gain on {peer}" for peer in _PEERS)]
    heading += ["precision at 100: ours", "cleanlab", "F1 of detection: ours", "cleanlab"]
    if level == "entities":
        heading += [CLEANLAB_WITH_OURS, "gain on that"]
    table = []
    for corpus in dict.fromkeys(run["corpus"] for run in found["runs"]):
        own = [run for run in found["runs"] if run["corpus"] == corpus]
        scores = {name: _mean(own, level, name, "average_precision") for name in ("trustag", *_PEERS)}
        gains = [f"{scores['trustag'] / scores[peer] - 1:+.1%}" for peer in _PEERS]
        errors = round(mean(run["errors"][level] for run in own))
        further = [
            f"{_mean(own, level, name, measure):.3f}"
            for measure in ("precision_at_100", "f1")
            for name in ("trustag", "cleanlab")
        ]
        if level == "entities":
            handed = _mean(own, level, CLEANLAB_WITH_OURS, "average_precision")
            further += [f"{handed:.3f}", f"{scores['trustag'] / handed - 1:+.1%}"]
        table.append([corpus, f"{errors:,}", *(f"{score:.3f}" for score in scores.values()), *gains, *further])
    return heading, table


def review(found: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return what the curve of review promises for each corpus, and what it would have kept."""
    table = []
    for corpus in dict.fromkeys(run["corpus"] for run in found["runs"]):
        own = [run["review"] for run in found["runs"] if run["corpus"] == corpus]
        cells = [
            f"{mean(run[name] for run in own):,.0f}" for name in ("issues", "estimated_errors", "errors", "reviewed")
        ]
        table.append([corpus, *cells, *(f"{mean(run[name] for run in own):.1%}" for name in ("promised", "caught"))])
    return ["corpus", "issues", "errors estimated", "errors", "reviewed", "promised", "caught"], table


def kinds(found: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return how many issues of each kind are errors, and what knowing that would gain on cleanlab for entities."""
    names = list(found["runs"][0]["kinds"])
    table = []
    for corpus in dict.fromkeys(run["corpus"] for run in found["runs"]):
        own = [run for run in found["runs"] if run["corpus"] == corpus]
        cells = []
        for name in names:
            issues, errors, estimated = (
                sum(run["kinds"][name][what] for run in own) for what in ("issues", "errors", "estimated_errors")
            )
            cells.append(f"{errors / issues:.0%} ({estimated / issues:.0%})" if issues else "")
        ours, known, peer = (
            _mean(own, "entities", ranking, "average_precision") for ranking in ("trustag", KINDS_KNOWN, "cleanlab")
        )
        table.append([corpus, *cells, f"{ours / peer - 1:+.1%}", f"{known / peer - 1:+.1%}"])
    return ["corpus", *names, "gain on cleanlab", "were shares known"], table


def goals(found: dict[str, Any]) -> list[list[str]]:
    """Return whether ours is better than cleanlab on every corpus, and by a tenth on average, on both levels."""
    verdicts = ["missed", "reached"]
    table = []
    for level, name in _LEVELS.items():
        gains = _gains(found, level, "cleanlab")
        least, average = min(gains), mean(gains)
        table.append([f"least gain on cleanlab, {name}", f"{least:+.1%}", "above 0", verdicts[least > 0]])
        table.append([f"mean gain on cleanlab, {name}", f"{average:+.1%}", "10% or more", verdicts[average >= 0.1]])
    handed = _gains(found, "entities", CLEANLAB_WITH_OURS)
    table.append(["least gain on cleanlab with our suggestions, entities", f"{min(handed):+.1%}", "", ""])
    table.append(["mean gain on cleanlab with our suggestions, entities", f"{mean(handed):+.1%}", "", ""])
    return table


def _gains(found: dict[str, Any], level: str, peer: str) -> list[float]:
    """Return by how much ours is better than another ranking, corpus by corpus."""
    by_corpus = []
    for corpus in dict.fromkeys(run["corpus"] for run in found["runs"]):
        own = [run for run in found["runs"] if run["corpus"] == corpus]
        ours, other = (_mean(own, level, ranking, "average_precision") for ranking in ("trustag", peer))
        by_corpus.append(ours / other - 1)
    return by_corpus


def _mean(runs: list[dict[str, Any]], level: str, name: str, measure: str) -> float:
    values = [run[level][name][measure] for run in runs]
    return mean(value for value in values if value is not None) if any(v is not None for v in values) else float("nan")

"""How well issues find wrong labels, beside cleanlab and plain self-confidence on the same out-of-fold probabilities.

``python -m benchmarks.issues --runs FOLDER --output results/issues.json`` reads the runs of the method that
``python -m benchmarks.scores --keep FOLDER`` left: corpora with a gold column, which training never looked at. Our
rankings are made again from what the fold models left, as training makes them; cleanlab gets the same probabilities.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from cleanlab.token_classification.filter import find_label_issues
from cleanlab.token_classification.rank import get_label_quality_scores

from benchmarks.issue_quality import (
    Marks,
    Numbers,
    claims_of_issues,
    claims_of_tokens,
    detection,
    quality,
    settled,
    suggested_by_issues,
    suggested_by_tokens,
    with_known_kinds,
)
from benchmarks.issues_page import KINDS_KNOWN, OUR_PLACES
from benchmarks.judged_again import judged_again
from benchmarks.kept_runs import kept_runs
from benchmarks.machine import aligned, origin, write_result
from trustag.issues.effort import USUAL_SHARE, review_effort
from trustag.issues.issue import KINDS
from trustag.issues.listing import Issues
from trustag.issues.ranking import LIKELY

Found = dict[str, Any]
RANKINGS: Final = ("trustag", "cleanlab", "self-confidence")


def measured(run: Path) -> Found:
    """Return how well each ranking finds the wrong labels of a run."""
    again = judged_again(run)
    found, numbered, probabilities, ours = again.found, again.numbered, again.probabilities, again.wrong
    given, gold = torch.cat(numbered.labels).numpy(), torch.cat(numbered.gold or ()).numpy()
    confidence = probabilities[np.arange(len(given)), given.clip(min=0)].astype(np.float64)
    ends = np.cumsum(numbered.lengths)[:-1]
    rows = np.split(given, ends)
    tables = np.split(probabilities / probabilities.sum(1, keepdims=True), ends)
    peer, flagged = _cleanlab(rows, tables)
    scores = {"trustag": ours, "cleanlab": peer, "self-confidence": 1.0 - confidence}
    said = {"trustag": ours > LIKELY, "cleanlab": flagged, "self-confidence": confidence < LIKELY}
    known = (given >= 0) & (gold >= 0)
    wrong = (given != gold)[known]
    tokens = {name: quality(wrong, scores[name][known]) | detection(wrong, said[name][known]) for name in RANKINGS}
    hits = np.array([_is_error(found, number) for number in range(len(found))], dtype=np.bool_)
    by_argmax, by_us = suggested_by_tokens(rows, tables, again.labels.labels), suggested_by_issues(found.issues)
    by_sentence = {name: (np.split(scores[name], ends), np.split(said[name], ends)) for name in RANKINGS}
    claims = {
        "trustag": claims_of_issues(found.sentences, found.issues, by_sentence["trustag"][0]),
        "cleanlab": claims_of_tokens(found.sentences, by_argmax, *by_sentence["cleanlab"]),
        "self-confidence": claims_of_tokens(found.sentences, by_argmax, *by_sentence["self-confidence"]),
        OUR_PLACES: claims_of_tokens(found.sentences, by_us, *by_sentence["cleanlab"]),
        KINDS_KNOWN: claims_of_issues(found.sentences, with_known_kinds(found.issues, hits), by_sentence["trustag"][0]),
    }
    entities = {name: settled(found.sentences, own) for name, own in claims.items()}
    return {
        "tokens": tokens,
        "entities": {name: own.measured() for name, own in entities.items()},
        "errors": {"tokens": int(wrong.sum()), "entities": entities["trustag"].total},
        "review": _review(found, hits),
        "kinds": _kinds(found, hits),
    }


def _cleanlab(
    rows: Sequence[npt.NDArray[np.int64]], tables: Sequence[Numbers]
) -> tuple[Numbers, npt.NDArray[np.bool_]]:
    """Return cleanlab's ranking of all labels, those it takes for issues first, and which these are."""
    labels = [list(map(int, row)) for row in rows]
    found = find_label_issues(labels, list(tables))
    _, by_token = get_label_quality_scores(labels, list(tables))
    scores = [1.0 - np.asarray(row, dtype=np.float64) for row in by_token]
    flagged = [np.zeros(len(row), dtype=np.bool_) for row in rows]
    for rank, (sentence, token) in enumerate(found):
        scores[sentence][token] = 2.0 - rank / len(found)  # its own order, before all others
        flagged[sentence][token] = True
    return np.concatenate(scores), np.concatenate(flagged)


def _review(found: Issues, hits: Marks) -> Found:
    """Return what was promised of a review, and what it would have caught of the errors that issues point to."""
    effort = review_effort(found.issues)
    count = effort.needed(USUAL_SHARE)
    return {
        "issues": len(found),
        "reviewed": count,
        "promised": effort.share(count),
        "caught": int(hits[:count].sum()) / max(int(hits.sum()), 1),
        "estimated_errors": effort.total,
        "errors": int(hits.sum()),
    }


def _kinds(found: Issues, hits: Marks) -> Found:
    """Return how many issues of each kind there are, how many errors they seem to hold, and how many they do."""
    return {
        kind: {
            "issues": sum(issue.kind == kind for issue in found),
            "estimated_errors": sum(issue.score for issue in found if issue.kind == kind),
            "errors": sum(int(hit) for issue, hit in zip(found, hits, strict=True) if issue.kind == kind),
        }
        for kind in KINDS
    }


def _is_error(found: Issues, number: int) -> bool:
    issue = found[number]
    gold = found.sentences[issue.sentence].gold
    labels = found.sentences[issue.sentence].labels
    own = slice(issue.first, issue.end)
    return gold is not None and gold[own] != labels[own]


def summary(runs: Sequence[Found]) -> list[tuple[str, ...]]:
    """Return a row for each run: average precisions of all rankings."""
    head = [f"{level} {name}" for level in ("tokens", "entities") for name in RANKINGS]
    rows = [("corpus", "seed", *head)]
    for run in runs:
        cells = [run[level][name]["average_precision"] for level in ("tokens", "entities") for name in RANKINGS]
        rows.append((run["corpus"], str(run["seed"]), *(f"{cell:.4f}" for cell in cells)))
    return rows


def main() -> None:
    """Measure every run there is and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    runs = [{"corpus": run.corpus, "seed": run.seed, **measured(run.path)} for run in kept_runs(arguments.runs)]
    if not runs:
        print(f"{arguments.runs} holds no run of the method with issues: skipped")
        return
    write_result(arguments.output, {**origin(("torch", "numpy", "cleanlab")), "runs": runs})
    print(aligned(summary(runs)))


if __name__ == "__main__":
    main()

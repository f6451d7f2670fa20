"""How well issues find wrong labels, beside cleanlab and plain self-confidence on the same out-of-fold probabilities.

``python -m benchmarks.issues --runs FOLDER --output results/issues.json`` reads the runs of the method that
``python -m benchmarks.scores --keep FOLDER`` left: corpora with a gold column, which training never looked at. The
rankings of ours are those that the run wrote; cleanlab gets the probabilities they were made from.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from cleanlab.token_classification.filter import find_label_issues
from cleanlab.token_classification.rank import get_label_quality_scores

from benchmarks.issue_quality import Numbers, by_issues, by_tokens, detection, quality, units_of
from benchmarks.kept_runs import kept_runs
from benchmarks.machine import aligned, origin, write_result
from trustag.confidence.issues.effort import USUAL_SHARE, review_effort
from trustag.confidence.issues.files import issues_of_run
from trustag.confidence.issues.listing import Issues
from trustag.models.numbered import Numbered, label_set, number_sentences
from trustag.recipes.loading import load_recipe
from trustag.text.labels import entity_types
from trustag.training.judging import read_outcome, together
from trustag.training.relabelling import Rejoined, draw_folds
from trustag.training.rounds import member_names

Found = dict[str, Any]
RANKINGS: Final = ("trustag", "cleanlab", "self-confidence")


def judged_again(run: Path, found: Issues) -> tuple[Numbered, npt.NDArray[np.float32]]:
    """Return a run's labels as numbers, and the probabilities that the fold models of its chosen round give."""
    recipe = load_recipe(str(run / "recipe.toml"), [])
    labels = label_set(entity_types(label for sentence in found.sentences for label in sentence.labels))
    numbered = number_sentences(found.sentences, labels)
    chosen = json.loads((run / "manifest.json").read_text(encoding="utf-8"))["labels"]["round"]
    drawing = (chosen - 1) // recipe.rounds.reshuffle
    parts = draw_folds(len(found.sentences), recipe.rounds.folds, recipe.training.seed, drawing)
    outcomes = []
    for fold, part in enumerate(parts):
        tokens = [found.sentences[number].tokens for number in part]
        names = member_names(f"round-{chosen}", fold, recipe.rounds.members)
        outcomes.append(together([read_outcome(run / "jobs" / name, tokens) for name in names]))
    rejoined = Rejoined(numbered, parts, outcomes, labels, legal_only=recipe.model.constraints != "none")
    return numbered, rejoined.probabilities(None).numpy()


def measured(run: Path) -> Found:
    """Return how well each ranking finds the wrong labels of a run."""
    found = issues_of_run(run)
    with np.load(run / "confidence.npz") as columns:
        ours = columns["wrong"].astype(np.float64)
    numbered, probabilities = judged_again(run, found)
    given, gold = torch.cat(numbered.labels).numpy(), torch.cat(numbered.gold or ()).numpy()
    known = (given >= 0) & (gold >= 0)
    confidence = probabilities[np.arange(len(given)), given.clip(min=0)].astype(np.float64)
    rows = np.split(given, np.cumsum(numbered.lengths)[:-1])
    tables = np.split(probabilities / probabilities.sum(1, keepdims=True), np.cumsum(numbered.lengths)[:-1])
    peer, flagged = _cleanlab(rows, tables)
    scores = {"trustag": ours, "cleanlab": peer, "self-confidence": 1.0 - confidence}
    marks = {"trustag": ours > 0.5, "cleanlab": flagged, "self-confidence": confidence < 0.5}
    wrong = given != gold
    units = units_of(found.sentences, found.issues)
    result: Found = {"tokens": {}, "entities": {}, "errors": {"tokens": int(wrong[known].sum())}}
    result["errors"]["entities"] = int(units.errors.sum()) + units.unfound
    for name in RANKINGS:
        by_sentence = np.split(scores[name], np.cumsum(numbered.lengths)[:-1])
        of_units = by_issues(units, found.issues, by_sentence) if name == "trustag" else by_tokens(units, by_sentence)
        cut = [np.asarray(row, dtype=np.float64) for row in np.split(marks[name], np.cumsum(numbered.lengths)[:-1])]
        flags = of_units > 0.5 if name == "trustag" else by_tokens(units, cut) > 0
        result["tokens"][name] = quality(wrong[known], scores[name][known]) | detection(
            wrong[known], marks[name][known]
        )
        result["entities"][name] = quality(units.errors, of_units, units.unfound) | detection(
            units.errors, flags, units.unfound
        )
    return result | {"review": _review(found)}


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


def _review(found: Issues) -> Found:
    """Return what was promised of a review, and what it would have caught of the errors that issues point to."""
    effort = review_effort(found.issues)
    count = effort.needed(USUAL_SHARE)
    hits = [_is_error(found, number) for number in range(len(found))]
    return {
        "issues": len(found),
        "reviewed": count,
        "promised": effort.share(count),
        "caught": sum(hits[:count]) / max(sum(hits), 1),
        "estimated_errors": effort.total,
        "errors": sum(hits),
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
    runs = [
        {"corpus": run.corpus, "seed": run.seed, **measured(run.path)}
        for run in kept_runs(arguments.runs, "issues.jsonl")
    ]
    if not runs:
        print(f"{arguments.runs} holds no run of the method with issues: skipped")
        return
    write_result(arguments.output, {**origin(("torch", "numpy", "cleanlab")), "runs": runs})
    print(aligned(summary(runs)))


if __name__ == "__main__":
    main()

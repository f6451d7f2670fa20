"""The closing words of a training: what was trained, how noisy the labels look, what changed, what to do next."""

import shutil
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from trustag.cli.contexts import doubts_in_words, in_context
from trustag.cli.output import aligned
from trustag.recipes.settings import Recipe
from trustag.text.labels import OUTSIDE, split_label
from trustag.text.scoring import EntityScores

if TYPE_CHECKING:
    from trustag.training.findings import Change, Findings
    from trustag.training.train import Trained

_SOURCES: Final = {
    "auto": "estimated from the labels alone",
    "dev": "from what a model of the labels gets wrong on dev",
    "searched": "searched on dev",
    "oracle": "measured on the gold column",
    "given": "as given",
}
_FILLED, _ADDED, _REMOVED, _RETYPED, _MOVED = (
    "unknown, now labelled",
    "O, now an entity",
    "an entity, now O",
    "another type",
    "other borders",
)
_ENCODERS: Final = {"bilstm": "BiLSTM", "transformer": "transformer"}
_WIDEST: Final = 120


def in_words(trained: "Trained", recipe: Recipe) -> Iterator[str]:
    """Yield the lines that a person reads when a run is complete."""
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    yield from _of_training(trained, recipe)
    if trained.findings is not None:
        yield from _of_noise(trained.findings)
        yield from _of_changes(trained.findings, width)
        yield from _of_doubts(trained.findings, width)
        yield from _of_detection(trained.findings)
    yield from _of_scores(trained)
    yield from _of_files(trained)


def _of_training(trained: "Trained", recipe: Recipe) -> Iterator[str]:
    tagger = _ENCODERS[recipe.model.encoder] + ("-CRF" if recipe.model.chain else "")
    found = trained.findings
    how = "believing every label"
    if found is not None:
        how = "relabelled once" if found.rounds == 1 else f"relabelled {found.rounds} times"
    yield f"Trained a {tagger} on {_count(trained.sentences, 'sentence')}, {how}."
    epoch = f"epoch {trained.best_epoch + 1} of {len(trained.history)}"
    place = epoch if found is None or found.rounds == 1 else f"{epoch}, round {found.round} of {found.rounds}"
    if trained.scores.dev is not None:
        yield f"Kept is {place}, by dev F1."
    else:
        yield f"Kept is {place}, the last. No dev corpus, so nothing clean was used."


def _of_noise(findings: "Findings") -> Iterator[str]:
    found, labels = findings.rates, findings.confidence["label"]
    groups = [
        ("O labels that hide an entity", int((labels == 0).sum()), found.rates.negative, found.negative_interval),
        ("entity labels that are wrong", int((labels > 0).sum()), found.rates.positive, found.positive_interval),
    ]
    yield f"\nHow noisy the labels look, {_SOURCES[found.source]}"
    rows = []
    for name, size, rate, interval in groups:
        sure = f"({interval[0]:.1%} to {interval[1]:.1%})" if interval else ""
        rows.append((f"  {name}", f"{rate:.1%}", sure, f"{rate * size:,.0f} of", f"{size:,}"))
    yield from aligned(rows)
    for kind, rate in sorted((found.rates.by_type or {}).items()):
        yield f"    {kind:<10} {rate:6.1%}"


def _of_changes(findings: "Findings", width: int) -> Iterator[str]:
    """Yield how many labels changed in which way, each way with the change that is surest."""
    share = findings.changed / max(findings.labels, 1)
    yield f"\nLabels changed: {findings.changed:,} of {findings.labels:,} ({share:.1%})"
    counts = Counter(_kind(change) for change in findings.changes)
    for kind, count in counts.most_common():
        best = max((change for change in findings.changes if _kind(change) == kind), key=_certainty)
        head = f"  {kind:<21} {count:7,}   "
        labels = f"{best.before or '?'} -> {best.after}"
        context = in_context(findings.relabelled[best.sentence], best.token, width - len(head) - len(labels) - 11)
        yield f"{head}{context}   {labels}"


def _kind(change: "Change") -> str:
    if change.before is None:
        return _FILLED
    if change.before == OUTSIDE:
        return _ADDED
    if change.after is None or change.after == OUTSIDE:
        return _REMOVED
    return _MOVED if split_label(change.before)[1] == split_label(change.after)[1] else _RETYPED


def _certainty(change: "Change") -> float:
    return change.score_after - (change.score_before or 0.0)


def _of_doubts(findings: "Findings", width: int) -> Iterator[str]:
    if findings.doubts:
        yield "\nLook at these first: given label -> suggested one, with their probabilities"
        yield from doubts_in_words(findings, width)


def _of_detection(findings: "Findings") -> Iterator[str]:
    if findings.detection is not None:
        yield "\nHow well wrong labels were found, by the gold column (in percent)"
        rows = [["", "precision", "recall", "F1", "wrong", "distrusted"]]
        for name, counts in (("O", findings.detection.negative), ("entity", findings.detection.positive)):
            figures = (f"{100 * value:.1f}" for value in (counts.precision, counts.recall, counts.f1))
            rows.append([f"  {name} labels", *figures, f"{counts.support:,}", f"{counts.found:,}"])
        yield from aligned(rows)


def _of_scores(trained: "Trained") -> Iterator[str]:
    splits = [name for name in ("dev", "test") if getattr(trained.scores, name) is not None]
    if not splits:
        return
    rows = [["", *(f"{split} {figure}" for split in splits for figure in ("P", "R", "F1"))]]
    if trained.plain is not None:
        rows.append(["  believing every label", *_figures(trained.plain, splits)])
    name = "believing every label" if trained.findings is None else "with the new labels"
    rows.append([f"  {name}", *_figures(trained.scores, splits)])
    yield "\nEntities found (in percent)"
    yield from aligned(rows)


def _figures(scores: object, splits: list[str]) -> Iterator[str]:
    for split in splits:
        found: EntityScores = getattr(scores, split)
        for value in (found.micro.precision, found.micro.recall, found.micro.f1):
            yield f"{100 * value:.2f}"


def _of_files(trained: "Trained") -> Iterator[str]:
    run = trained.run
    rows = [(f"  {run.best}", "the model")]
    if trained.findings is not None:
        rows.append((f"  {run.relabelled}", "the training corpus with its new labels"))
        rows.append((f"  {run.changes}", "every change, with both probabilities"))
        rows.append((f"  {run.confidence}", "how far each label is to be trusted"))
    yield "\nWhere things are"
    yield from aligned(rows, left=2)
    yield "\nNext"
    rows = [(f"  trustag predict {run.path} TEXT", "find entities in a text")]
    if trained.scores.test is None:
        rows.append((f"  trustag evaluate {run.path} CORPUS", "score the model on labels you trust"))
    yield from aligned(rows, left=2)


def _count(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}"

"""The summary of a training on the screen: model, noise rates, changed labels, scores, files, next steps."""

import shutil
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import click

from trustag.cli.label_summary import change_lines, detection_lines, first_issue_lines, noise_rate_lines
from trustag.cli.output import aligned
from trustag.recipes.settings import Recipe
from trustag.text.scoring import EntityScores

if TYPE_CHECKING:
    from trustag.pipeline import TrainResult

_BASELINE: Final = "baseline (labels as given)"
_UNIMPROVED: Final = "baseline"
"""The model that is kept where the labels themselves do not show what is wrong with them."""
_ENCODERS: Final = {"bilstm": "BiLSTM", "transformer": "transformer"}
_HEADS: Final = {"crf": "-CRF", "softmax": ""}
_WIDEST: Final = 120
_READABLE: Final = 80


def in_words(trained: "TrainResult", recipe: Recipe) -> Iterator[str]:
    """Yield the lines of the summary of a complete run."""
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    yield from _model_lines(trained, recipe)
    if trained.analysis is not None:
        yield from noise_rate_lines(trained.analysis)
        yield from detection_lines(trained.analysis)
        yield from change_lines(trained.analysis, width)
    yield from _score_lines(trained)
    yield from _kept_lines(trained, width)
    if trained.analysis is not None:
        yield from first_issue_lines(trained.analysis, width)
    yield from _file_lines(trained)


def _short(head: str) -> str:
    """Return what a head is called: one of this package without its module.

    >>> _short("trustag.methods.autoner.head:TIE_OR_BREAK"), _short("my_heads:HEAD")
    ('tie-or-break', 'my_heads:HEAD')
    """
    module, _, name = head.partition(":")
    return name.lower().replace("_", "-") if module.partition(".")[0] == __name__.partition(".")[0] else head


def _model_lines(trained: "TrainResult", recipe: Recipe) -> Iterator[str]:
    encoder, head = recipe.model.encoder, recipe.model.head
    tagger = _ENCODERS.get(encoder, encoder) + _HEADS.get(head, f" with the head {_short(head)}")
    found = trained.analysis
    how = how_trained(trained)
    if found is not None and _has_rounds(trained):
        how = "relabelled once" if found.rounds == 1 else f"relabelled {found.rounds} times"
    yield f"Trained a {tagger} on {_count(trained.sentences, 'sentence')}, {how}."
    epoch = f"epoch {trained.best_epoch + 1} of {len(trained.history)}"
    kept = epoch if found is None or found.rounds == 1 else f"{epoch}, round {found.round} of {found.rounds}"
    if trained.scores.dev is None:
        gold = f", except the gold column for {trained.gold_used_for}" if trained.gold_used_for else ""
        yield f"Final model: {kept}, the last. No dev corpus: no clean labels were used{gold}."
    elif trained.kept.get("learned_dev"):
        yield f"Final model: {kept}, the last. It has learned from dev; the F1 on dev is that of models"
        yield "that have learned from the other half of it."
    else:
        yield f"Final model: {kept}{', selected by dev F1' if recipe.training.stopping == 'dev' else ''}."


def how_trained(trained: "TrainResult") -> str:
    """Return what a run whose model did not learn new labels did with the given ones."""
    return _BASELINE if trained.method == "bilstm-crf" else f"method {trained.method}"


def _has_rounds(trained: "TrainResult") -> bool:
    """Tell whether the model learned the new labels; a method without rounds may only suggest some."""
    return trained.run.rounds.exists()


def _score_lines(trained: "TrainResult") -> Iterator[str]:
    splits = [name for name in ("dev", "test") if getattr(trained.scores, name) is not None]
    if not splits:
        return
    rows = [["", *(f"{split} {figure}" for split in splits for figure in ("P", "R", "F1"))]]
    if trained.baseline is not None:
        rows.append([f"  {_BASELINE}", *_percentages(trained.baseline, splits)])
    if trained.relabelled is not None:
        rows.append(["  new labels", *_percentages(trained.relabelled, splits)])
    rows += [[f"  {name}", *_percentages(scores, splits)] for name, scores in trained.others.items()]
    if trained.scores not in (trained.baseline, trained.relabelled, *trained.others.values()):
        name = trained.kept.get("name") or ("new labels" if _has_rounds(trained) else how_trained(trained))
        rows.append([f"  {name}", *_percentages(trained.scores, splits)])
    yield click.style("\nScores (entities, in percent)", bold=True)
    yield from aligned(rows)


def _kept_lines(trained: "TrainResult", width: int) -> Iterator[str]:
    """Yield which of several models was kept, and why."""
    if trained.kept:
        text = f"Kept the {trained.kept['name']}: {trained.kept['reason']}."
        if trained.kept["name"] == _UNIMPROVED:
            text += " Some sentences with right labels can help: --trusted CORPUS."
        yield from textwrap.wrap(text, min(width, _READABLE))
    reason = trained.facts.get("dev_could_teach")
    if reason:
        text = f"Dev could teach the model, too: {reason}. Try --dev-as-trusted."
        yield from textwrap.wrap(text, min(width, _READABLE))


def _percentages(scores: object, splits: list[str]) -> Iterator[str]:
    for split in splits:
        found: EntityScores = getattr(scores, split)
        for value in (found.micro.precision, found.micro.recall, found.micro.f1):
            yield f"{100 * value:.2f}"


def _file_lines(trained: "TrainResult") -> Iterator[str]:
    run = trained.run
    rows = [(f"  {run.best}", "the model")]
    if run.report.exists():
        rows.append((f"  {run.report}", "the report, to open in a browser"))
    if trained.analysis is not None:
        rows.append((f"  {run.relabelled}", "the training corpus with the new labels"))
        rows.append((f"  {run.changes}", "every changed label, with probabilities"))
        rows.append((f"  {run.issues}", "the labels that look wrong, worst first"))
        rows.append((f"  {run.confidence}", "the confidence in each label"))
    yield click.style("\nFiles", bold=True)
    yield from aligned(rows, left=2)
    yield click.style("\nNext steps", bold=True)
    rows = [(f"  trustag predict {run.path} TEXT", "find entities in a text")]
    if trained.analysis is not None:
        rows.append((f"  trustag issues {run.path}", "list the labels that look wrong"))
        rows.append((f"  trustag review {run.path}", "review them in a browser"))
    if trained.scores.test is None:
        rows.append((f"  trustag evaluate {run.path} CORPUS", "score the model on a corpus you trust"))
    yield from aligned(rows, left=2)


def _count(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}"

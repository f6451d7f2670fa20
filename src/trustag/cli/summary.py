"""The closing words of a training: what was trained, how noisy the labels look, what changed, what to do next."""

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from trustag.cli.label_summary import changes_in_words, detection_in_words, issues_in_words, noise_in_words
from trustag.cli.output import aligned
from trustag.recipes.settings import Recipe
from trustag.text.scoring import EntityScores

if TYPE_CHECKING:
    from trustag.training.train import Trained

_ENCODERS: Final = {"bilstm": "BiLSTM", "transformer": "transformer"}
_WIDEST: Final = 120


def in_words(trained: "Trained", recipe: Recipe) -> Iterator[str]:
    """Yield the lines that a person reads when a run is complete."""
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    yield from _of_training(trained, recipe)
    if trained.findings is not None:
        yield from noise_in_words(trained.findings)
        yield from detection_in_words(trained.findings)
        yield from changes_in_words(trained.findings, width)
    yield from _of_scores(trained)
    if trained.findings is not None:
        yield from issues_in_words(trained.findings, width)
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
    if trained.scores.dev is None:
        gold = ", except the gold column for the noise rates" if recipe.rates.source == "oracle" else ""
        yield f"Kept is {place}, the last. No dev corpus: nothing clean was used{gold}."
    else:
        yield f"Kept is {place}{', by dev F1' if recipe.training.stopping == 'dev' else ''}."


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
    if run.report.exists():
        rows.append((f"  {run.report}", "all of this and more, to look at in a browser"))
    if trained.findings is not None:
        rows.append((f"  {run.relabelled}", "the training corpus with its new labels"))
        rows.append((f"  {run.changes}", "every change, with both probabilities"))
        rows.append((f"  {run.issues}", "the labels that look wrong, worst first"))
        rows.append((f"  {run.confidence}", "how far each label is to be trusted"))
    yield "\nWhere things are"
    yield from aligned(rows, left=2)
    yield "\nNext"
    rows = [(f"  trustag predict {run.path} TEXT", "find entities in a text")]
    if trained.findings is not None:
        rows.append((f"  trustag issues {run.path}", "list the labels that look wrong"))
        rows.append((f"  trustag review {run.path}", "decide on them in a browser"))
    if trained.scores.test is None:
        rows.append((f"  trustag evaluate {run.path} CORPUS", "score the model on labels you trust"))
    yield from aligned(rows, left=2)


def _count(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}"

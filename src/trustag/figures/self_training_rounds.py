"""Self-training by round: dev F1 of the fold models and the final model, changed labels, labels against gold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trustag.errors import InputError
from trustag.runs.label_columns import RunLabels
from trustag.runs.reading import NothingToDrawError, RunFiles
from trustag.runs.records import ChangeRecord
from trustag.text.labels import Label
from trustag.text.scoring import score_labels


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """One round: dev F1 of the fold models and the final model, number of changed labels, their F1 against gold."""

    round: int
    fold_dev_f1: tuple[float, ...]
    final_dev_f1: float | None
    changed: int
    label_f1: float | None


@dataclass(frozen=True, slots=True)
class SelfTrainingFigure:
    """All rounds; for comparison the dev F1 of the baseline (labels as given), and the F1 of the given labels."""

    run: str
    method: str
    rounds: tuple[RoundFacts, ...]
    baseline_dev_f1: float | None
    given_label_f1: float | None
    labels: int
    lacking: tuple[str, ...]


def self_training(run: RunFiles) -> SelfTrainingFigure:
    """Return the rounds of a run."""
    facts = run.manifest.labels
    if not run.rounds or facts is None:
        raise NothingToDrawError("no finished rounds of self-training", where=run.path)
    lacking = []
    plain = run.manifest.baseline.dev if run.manifest.baseline is not None else None
    if all(entry.final_dev_f1 is None for entry in run.rounds):
        lacking.append("dev F1: the run had no dev split")
    elif plain is None:
        lacking.append("dev F1 of the baseline: no baseline was trained (rounds.baseline)")
    label_f1 = _label_f1(run, facts.round)
    if not label_f1:
        lacking.append("labels against gold: no gold column")
    return SelfTrainingFigure(
        run=run.name,
        method=run.method,
        rounds=tuple(
            RoundFacts(
                round=entry.round,
                fold_dev_f1=tuple(f1 for f1 in entry.fold_dev_f1 if f1 is not None),
                final_dev_f1=entry.final_dev_f1,
                changed=entry.changed,
                label_f1=label_f1.get(entry.round),
            )
            for entry in run.rounds
        ),
        baseline_dev_f1=plain.f1 if plain is not None else None,
        given_label_f1=label_f1.get(0),
        labels=facts.labels,
        lacking=tuple(lacking),
    )


def _label_f1(run: RunFiles, chosen: int) -> dict[int, float]:
    """Return the F1 of the labels of each round against gold, and that of the given labels as round 0.

    The relabelled corpus is that of the chosen round: undoing its changes gives the given labels, and applying the
    changes of any round gives the labels of that round.
    """
    labels = run.labels
    if labels is None or not labels.has_gold:
        return {}
    changes: dict[int, list[ChangeRecord]] = {entry.round: [] for entry in run.rounds}
    for change in run.changes:
        changes.setdefault(change.round, []).append(change)
    rows: list[list[Label]] = [list(sentence.labels) for sentence in labels.relabelled]
    _replace(run, rows, ((change, change.after, change.before) for change in changes.get(chosen, ())))
    found = {0: _f1(labels, rows)}
    for number, own in changes.items():
        _replace(run, rows, ((change, change.before, change.after) for change in own))
        found[number] = _f1(labels, rows)
        _replace(run, rows, ((change, change.after, change.before) for change in own))
    return found


def _replace(run: RunFiles, rows: list[list[Label]], steps: Iterable[tuple[ChangeRecord, Label, Label]]) -> None:
    """Replace each old label in ``rows`` by the new one; an old label that does not match is an error."""
    for change, old, new in steps:
        row = rows[change.sentence] if 0 <= change.sentence < len(rows) else []
        if not 0 <= change.token < len(row) or row[change.token] != old:
            raise InputError(
                f"a change of sentence {change.sentence}, token {change.token} does not match the relabelled corpus",
                where=run.folder.changes,
                remedy="use files of the same run",
            )
        row[change.token] = new


def _f1(labels: RunLabels, rows: Sequence[Sequence[Label]]) -> float:
    pairs = zip(labels.relabelled, rows, strict=True)
    return score_labels((sentence.gold, row) for sentence, row in pairs if sentence.gold is not None).micro.f1

"""Rounds of self-training and changed labels: how many, from which label to which, each with an example."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from trustag.figures.self_training_rounds import SelfTrainingFigure, self_training
from trustag.reports.blocks import Block, Figure, Missing, PageSection, Table
from trustag.reports.charts.axes import spanning
from trustag.reports.charts.line_chart import Line, LineChart, epochs_axis, percent_axis
from trustag.reports.number_format import count, f1, figure, label_name, percent
from trustag.reports.safe_markup import shortened
from trustag.runs.reading import NothingToDrawError, RunFiles
from trustag.runs.records import ChangeRecord
from trustag.text.disagreement import entity_type
from trustag.text.labels import Label

_MOST_WAYS: Final = 40
_CONTEXT: Final = 5
_LONGEST: Final = 40


def rounds_section(run: RunFiles) -> PageSection:
    """Return the results of the rounds, and the changes of the final round."""
    return PageSection("rounds", "Rounds and changed labels", [*_rounds(run), *_changes(run)])


def _rounds(run: RunFiles) -> Iterator[Block]:
    try:
        found = self_training(run)
    except NothingToDrawError as reason:
        yield Missing(f"rounds: {reason.finding}")
        return
    table = _round_table(run, found)
    if len(found.rounds) > 1:
        yield Figure([chart.plot() for chart in _charts(found)], "Round by round.", [table])
    else:
        yield table
    yield from (Missing(reason) for reason in found.lacking)


def _charts(found: SelfTrainingFigure) -> Iterator[LineChart]:
    numbers = [entry.round for entry in found.rounds]
    x = epochs_axis("round", numbers)
    changed = Line("labels changed", [(entry.round, float(entry.changed)) for entry in found.rounds])
    description = "; ".join(f"round {entry.round}: {count(entry.changed)}" for entry in found.rounds)
    upright = spanning("labels", [0, *(y for _, y in changed.points)], whole=True)
    yield LineChart("Labels changed", description, [changed], x, upright)
    for title, value in (("Dev F1 of the final models", "final_dev_f1"), ("F1 of the labels against gold", "label_f1")):
        points = [(entry.round, getattr(entry, value)) for entry in found.rounds if getattr(entry, value) is not None]
        if points:
            description = "; ".join(f"round {number}: {f1(score)}" for number, score in points)
            lines = [Line(title, points)]
            yield LineChart(title, description, lines, x, percent_axis("F1", lines))


def _round_table(run: RunFiles, found: SelfTrainingFigure) -> Table:
    rates = {entry.round: entry.rates for entry in run.rounds}
    rows = []
    for entry in found.rounds:
        own = rates.get(entry.round)
        assumed = (percent(own.negative), percent(own.positive)) if own is not None else ("", "")
        folds = ", ".join(map(f1, entry.fold_dev_f1))
        changed = f"{count(entry.changed)} ({percent(entry.changed / max(1, found.labels))})"
        scores = (folds, f1(entry.final_dev_f1), f1(entry.label_f1))
        rows.append([str(entry.round), *assumed, changed, *scores])
    before = f"; labels as given: {f1(found.given_label_f1)}" if found.given_label_f1 is not None else ""
    return Table(
        f"Rounds of self-training (F1 in percent{before})",
        (
            "round",
            "O assumed wrong",
            "entity assumed wrong",
            "labels changed",
            "dev F1 of fold models",
            "dev F1 of the model on the new labels",
            "F1 of the labels against gold",
        ),
        rows,
    )


def _changes(run: RunFiles) -> Iterator[Block]:
    facts = run.manifest.labels
    own = [change for change in run.changes if facts is not None and change.round == facts.round]
    if not own:
        if run.rounds:
            yield Missing("changes: no label was changed in the final round")
        return
    ways = Counter(_way(change) for change in own)
    surest: dict[tuple[Label, Label], ChangeRecord] = {}
    for change in own:
        way = _way(change)
        if way not in surest or _certainty(change) > _certainty(surest[way]):
            surest[way] = change
    shown = ways.most_common(_MOST_WAYS)
    rows = [
        [
            label_name(way[0]),
            label_name(way[1]) if way[0] != way[1] else "new boundaries",
            token_in_context(_tokens(run, surest[way].sentence), surest[way].token),
            count(number),
            figure(surest[way].score_before),
            figure(surest[way].score_after),
        ]
        for way, number in shown
    ]
    rest = f"; {count(len(ways) - len(shown), 'rarer kind')} not shown" if len(ways) > len(shown) else ""
    yield Table(
        f"Changed labels: {count(len(own), 'label')}, {count(len(ways), 'kind')} of changes{rest}. Each kind has its "
        "most certain example, with the probabilities of given and new label. All changes are in changes.jsonl.",
        ("given", "new", "example", "labels", "probability of given", "of new"),
        rows,
        named=3,
    )


def _way(change: ChangeRecord) -> tuple[Label, Label]:
    return entity_type(change.before), entity_type(change.after)


def _certainty(change: ChangeRecord) -> float:
    return (change.score_after or 0.0) - (change.score_before or 0.0)


def _tokens(run: RunFiles, sentence: int) -> Sequence[str]:
    corpus = run.labels.relabelled if run.labels is not None else ()
    return corpus[sentence].tokens if 0 <= sentence < len(corpus) else ()


def token_in_context(tokens: Sequence[str], index: int) -> str:
    """Return a token in brackets with a few tokens before and after it.

    >>> token_in_context("She flew to New York in May".split(), 3)
    'She flew to [New] York in May'
    """
    if not 0 <= index < len(tokens):
        return ""
    first, end = max(0, index - _CONTEXT), min(len(tokens), index + _CONTEXT + 1)
    words = [shortened(token, _LONGEST) for token in tokens[first:end]]
    words[index - first] = f"[{words[index - first]}]"
    return " ".join([*(["…"] if first else []), *words, *(["…"] if end < len(tokens) else [])])

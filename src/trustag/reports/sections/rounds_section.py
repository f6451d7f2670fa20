"""The rounds of self-training and what changed: how many labels, from what to what, each with its surest case."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from trustag.figures.self_training import SelfTraining, self_training
from trustag.reports.blocks import Block, Figure, Missing, Section, Table
from trustag.reports.charts.axes import spanning
from trustag.reports.charts.line_chart import Line, LineChart, epochs_axis, percent_axis
from trustag.reports.number_format import count, f1, figure, label_name, percent
from trustag.reports.safe_markup import shortened
from trustag.runs.reading import NothingToDrawError, RunFiles
from trustag.runs.records import ChangeLine
from trustag.text.disagreement import entity_type
from trustag.text.labels import Label

_MOST_WAYS: Final = 40
_AROUND: Final = 5
_LONGEST: Final = 40


def rounds_section(run: RunFiles) -> Section:
    """Return how the rounds went, and the changes of the round that was kept."""
    return Section("rounds", "Rounds and what changed", [*_rounds(run), *_changes(run)])


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


def _charts(found: SelfTraining) -> Iterator[LineChart]:
    numbers = [entry.round for entry in found.rounds]
    x = epochs_axis("round", numbers)
    changed = Line("labels changed", [(entry.round, float(entry.changed)) for entry in found.rounds])
    told = "; ".join(f"round {entry.round}: {count(entry.changed)}" for entry in found.rounds)
    upright = spanning("labels", [0, *(y for _, y in changed.points)], whole=True)
    yield LineChart("Labels changed", told, [changed], x, upright)
    for title, value in (("Dev F1 of the final models", "final_dev_f1"), ("F1 of the labels against gold", "label_f1")):
        points = [(entry.round, getattr(entry, value)) for entry in found.rounds if getattr(entry, value) is not None]
        if points:
            told = "; ".join(f"round {number}: {f1(score)}" for number, score in points)
            lines = [Line(title, points)]
            yield LineChart(title, told, lines, x, percent_axis("F1", lines))


def _round_table(run: RunFiles, found: SelfTraining) -> Table:
    rates = {entry.round: entry.rates for entry in run.rounds}
    rows = []
    for entry in found.rounds:
        own = rates.get(entry.round)
        assumed = (percent(own.negative), percent(own.positive)) if own is not None else ("", "")
        folds = ", ".join(map(f1, entry.fold_dev_f1))
        changed = f"{count(entry.changed)} ({percent(entry.changed / max(1, found.labels))})"
        scores = (folds, f1(entry.final_dev_f1), f1(entry.label_f1))
        rows.append([str(entry.round), *assumed, changed, *scores])
    before = f"; the labels as given: {f1(found.given_label_f1)}" if found.given_label_f1 is not None else ""
    return Table(
        f"Rounds of self-training (F1 in percent{before})",
        (
            "round",
            "O assumed wrong",
            "entity assumed wrong",
            "labels changed",
            "dev F1 of fold models",
            "dev F1 of the final model",
            "F1 of the labels by gold",
        ),
        rows,
    )


def _changes(run: RunFiles) -> Iterator[Block]:
    facts = run.manifest.labels
    own = [change for change in run.changes if facts is not None and change.round == facts.round]
    if not own:
        if run.rounds:
            yield Missing("changes: no label was changed in the round that was kept")
        return
    ways = Counter(_way(change) for change in own)
    surest: dict[tuple[Label, Label], ChangeLine] = {}
    for change in own:
        way = _way(change)
        if way not in surest or _certainty(change) > _certainty(surest[way]):
            surest[way] = change
    shown = ways.most_common(_MOST_WAYS)
    rows = [
        [
            label_name(way[0]),
            label_name(way[1]) if way[0] != way[1] else "other borders",
            in_context(_tokens(run, surest[way].sentence), surest[way].token),
            count(number),
            figure(surest[way].score_before),
            figure(surest[way].score_after),
        ]
        for way, number in shown
    ]
    rest = f"; {count(len(ways) - len(shown), 'rarer way')} not shown" if len(ways) > len(shown) else ""
    yield Table(
        f"What changed: {count(len(own), 'label')} in {count(len(ways), 'way')}{rest}. Beside each the surest case, "
        "with the probability of the old and of the new label. All changes are in changes.jsonl.",
        ("given", "new", "surest case", "labels", "old", "new"),
        rows,
        named=3,
    )


def _way(change: ChangeLine) -> tuple[Label, Label]:
    return entity_type(change.before), entity_type(change.after)


def _certainty(change: ChangeLine) -> float:
    return (change.score_after or 0.0) - (change.score_before or 0.0)


def _tokens(run: RunFiles, sentence: int) -> Sequence[str]:
    corpus = run.labels.relabelled if run.labels is not None else ()
    return corpus[sentence].tokens if 0 <= sentence < len(corpus) else ()


def in_context(tokens: Sequence[str], place: int) -> str:
    """Return a token in brackets with a few before and after it.

    >>> in_context("She flew to New York in May".split(), 3)
    'She flew to [New] York in May'
    """
    if not 0 <= place < len(tokens):
        return ""
    first, end = max(0, place - _AROUND), min(len(tokens), place + _AROUND + 1)
    words = [shortened(token, _LONGEST) for token in tokens[first:end]]
    words[place - first] = f"[{words[place - first]}]"
    return " ".join([*(["…"] if first else []), *words, *(["…"] if end < len(tokens) else [])])

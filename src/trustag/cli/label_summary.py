"""What a run found about its labels, for the screen: noise rates, changed labels, issues to review first."""

import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import click

from trustag.cli.output import aligned
from trustag.cli.sentence_excerpts import excerpt, label_pair_text, reading_texts
from trustag.errors import printable
from trustag.issues.effort import review_effort
from trustag.issues.grouping import varied
from trustag.noise_rates.kinds import WRONG_ENTITY_LABELS
from trustag.reports.noise_rate_texts import (
    KIND_TEXTS,
    group_text,
    rate_caveats,
    source_text,
    truncated_entity_lines,
)
from trustag.text.disagreement import differing_run, entity_type
from trustag.text.labels import OUTSIDE

if TYPE_CHECKING:
    from trustag.label_quality.analysis import Change, LabelAnalysis
    from trustag.noise_rates.estimates import Rate
    from trustag.noise_rates.kinds import KindRates

_WORST: Final = 4
_NARROWEST: Final = 20
_WIDEST: Final = 20
_SHOWN: Final = 10
_LINE: Final = 80


def noise_rate_lines(analysis: "LabelAnalysis") -> Iterator[str]:
    """Yield the noise rates with their ranges, as shares and as numbers of labels."""
    found, labels = analysis.rates, analysis.columns["label"]
    groups = [
        ("O labels that miss an entity", int((labels == 0).sum()), found.rates.negative, found.negative_interval),
        ("entity labels that are wrong", int((labels > 0).sum()), found.rates.positive, found.positive_interval),
    ]
    bounded = found.source == "auto" and found.kinds is not None
    yield click.style(f"\nNoise rates, {source_text(found.source, found.pairs, bounded=bounded)}", bold=True)
    rows = []
    for name, size, rate, interval in groups:
        sure = f"({interval[0]:.1%} to {interval[1]:.1%})" if interval else ""
        rows.append((f"  {name}", f"{rate:.1%}", sure, f"{rate * size:,.0f} of", f"{size:,}"))
    yield from aligned(rows)
    if found.kinds is not None:
        yield from _kind_lines(found.kinds, bounded=bounded)
    if any(found.rates.by_group.values()):
        worst = sorted(found.rates.by_group.items(), key=lambda entry: -entry[1])[:_WORST]
        names = [str(name) for name in analysis.columns["names"]]
        said = ", ".join(f"{printable(group_text(name, names))} {rate:.0%}" for name, rate in worst)
        yield from textwrap.wrap(
            f"least reliable: {said}", _LINE, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
        )
    if found.truncated_entities is not None and found.truncated_entities.are_wrong:
        *lines, last = truncated_entity_lines(found.truncated_entities)
        yield from (f"  {line}" for line in (*lines, f"{last} None of them was trusted."))
    caveats = rate_caveats(found.source, [interval for *_, interval in groups], bounded=bounded)
    yield from (f"  {line}" for line in caveats)


def _kind_lines(kinds: "KindRates", *, bounded: bool) -> Iterator[str]:
    """Yield what is wrong with entity labels, by kind, and with those of the worst type of each kind.

    Where dev only bounds the kinds, their ranges are all there is to say.
    """
    rows = []
    for kind in WRONG_ENTITY_LABELS:
        rate: Rate = getattr(kinds, kind)
        worst = max(kinds.by_type.items(), key=lambda entry: entry[1][kind].estimate, default=None)
        if bounded:
            rows.append((f"    {KIND_TEXTS[kind]}", "", f"({rate.low:.1%} to {rate.high:.1%})", ""))
            continue
        most = f"most of {printable(worst[0])}: {worst[1][kind].estimate:.1%}" if worst and rate.estimate else ""
        rows.append((f"    {KIND_TEXTS[kind]}", f"{rate.estimate:.1%}", f"({rate.low:.1%} to {rate.high:.1%})", most))
    yield from aligned(rows)


def detection_lines(analysis: "LabelAnalysis") -> Iterator[str]:
    """Yield how well the distrusted labels match the wrong ones, where there is a gold column."""
    if analysis.detection is not None:
        yield click.style("\nDetection of wrong labels, against the gold column (in percent)", bold=True)
        rows = [["", "precision", "recall", "F1", "wrong", "distrusted"]]
        for name, counts in (("O", analysis.detection.negative), ("entity", analysis.detection.positive)):
            figures = (f"{100 * value:.1f}" for value in (counts.precision, counts.recall, counts.f1))
            rows.append([f"  {name} labels", *figures, f"{counts.support:,}", f"{counts.found:,}"])
        yield from aligned(rows)


def change_lines(analysis: "LabelAnalysis", width: int) -> Iterator[str]:
    """Yield how many labels changed in which way, each with its most certain example."""
    share = analysis.changed / max(analysis.labels, 1)
    yield click.style(f"\nLabels changed: {analysis.changed:,} of {analysis.labels:,} ({share:.1%})", bold=True)
    counts = Counter(_way(change) for change in analysis.changes)
    for way, count in counts.most_common():
        surest = max((change for change in analysis.changes if _way(change) == way), key=_certainty)
        head = f"  {way:<21} {count:6,}   "
        labels = "  {} -> {}".format(*label_pair_text(surest.before, surest.after))
        tokens, room = analysis.relabelled[surest.sentence].tokens, width - len(head) - len(labels)
        yield head + excerpt(tokens, *_words(analysis, surest), max(_NARROWEST, room)) + labels


def first_issue_lines(analysis: "LabelAnalysis", width: int) -> Iterator[str]:
    """Yield the issues to review first, given and suggested labels with probabilities, and the review effort."""
    shown = varied(analysis.issues, analysis.relabelled, _SHOWN)
    if not shown:
        return
    yield click.style("\nReview these first: given -> suggested, each with its probability", bold=True)
    tokens = [analysis.relabelled[issue.sentence].tokens for issue in shown]
    pairs = [[_cut(reading) for reading in reading_texts(issue, own)] for issue, own in zip(shown, tokens, strict=True)]
    left, right = (max(map(len, column)) for column in zip(*pairs, strict=True))
    for issue, own, (given, suggested) in zip(shown, tokens, pairs, strict=True):
        scores = f"{issue.given_score:4.2f}", f"{issue.suggested_score:4.2f}"
        head = f"  {given:<{left}} {scores[0]} -> {suggested:<{right}} {scores[1]}   "
        yield head + excerpt(own, issue.first, issue.end, max(_NARROWEST, width - len(head)))
    yield from (f"  {line}" for line in review_effort(analysis.issues).in_words())


def _cut(reading: str) -> str:
    """Return a text cut to leave room for its context."""
    return reading if len(reading) <= _WIDEST else f"{reading[: _WIDEST - 3]}..."


def _way(change: "Change") -> str:
    if change.before is None:
        return "unknown -> labelled"
    if change.before == OUTSIDE:
        return "O -> entity"
    if change.after is None or change.after == OUTSIDE:
        return "entity -> O"
    return "boundary" if entity_type(change.before) == entity_type(change.after) else "type"


def _words(analysis: "LabelAnalysis", change: "Change") -> tuple[int, int]:
    """Return the first and end index of the words around a change that changed in the same way."""
    after = analysis.relabelled[change.sentence].labels
    before = list(after)
    for other in analysis.changes:
        if other.sentence == change.sentence:
            before[other.token] = other.before
    return differing_run(before, after, change.token)


def _certainty(change: "Change") -> float:
    return change.score_after - (change.score_before or 0.0)

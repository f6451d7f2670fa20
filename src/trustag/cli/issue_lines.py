"""Issues on the screen: each decision with its words in context, and how much a review of all would buy."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from trustag.cli.sentence_excerpts import context_parts, readings_in_words
from trustag.errors import printable
from trustag.issues.effort import review_effort
from trustag.issues.grouping import Group, group_issues
from trustag.issues.issue import Issue, Kind
from trustag.issues.listing import Issues

SHOWN: Final = 20
_WIDEST: Final = 120
_NARROWEST: Final = 20
# Missed entities are blue and all that is given but wrong is red, as people mark them; brackets say the same.
_COLOURS: Final[dict[Kind, str]] = {"missed": "blue", "spurious": "red", "boundary": "magenta", "type": "red"}


def issue_lines(chosen: Sequence[Issue], found: Issues, *, all_shown: bool) -> Iterator[str]:
    """Yield the chosen issues, grouped by decision, the worst :data:`SHOWN` groups unless all are asked for."""
    if not found.issues:
        yield "No label looks wrong."
        return
    if not chosen:
        yield f"None of the {len(found.issues):,} issues is of that sort."
        return
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    groups = group_issues(chosen, found.sentences)
    shown = groups if all_shown else groups[:SHOWN]
    for group in shown:
        yield from _group_lines(group, found, width)
    left = len(groups) - len(shown)
    if left:
        more = sum(len(group.issues) for group in groups[SHOWN:])
        yield f"\n... and {more:,} more in {left:,} groups: --top N shows more, -o FILE writes all."
    yield ""
    yield from review_effort(found.issues).in_words()


def _group_lines(group: Group, found: Issues, width: int) -> Iterator[str]:
    issue = group.worst
    sentence = found.sentences[issue.sentence]
    given, suggested = readings_in_words(issue, sentence.tokens)
    times = f"   {printable(group.in_words())}" if len(group.issues) > 1 else ""
    colour = _COLOURS[issue.kind]
    scores = f"{given} {issue.given_score:.2f} -> {suggested} {issue.suggested_score:.2f}"
    head = f"{click.style(f'{issue.score:.2f}', bold=True)}  {click.style(f'{issue.kind:<8}', fg=colour)}"
    yield f"{head}  {scores}{times}"
    place = "" if sentence.source is None else printable(Path(str(sentence.line_of(issue.first))).name)
    room = max(_NARROWEST, width - len(place) - 8)
    before, words, after = context_parts(sentence.tokens, issue.first, issue.end, room)
    context = " ".join(part for part in (before, click.style(words, fg=colour, bold=True), after) if part)
    yield f"      {context}  {click.style(place, dim=True)}".rstrip()

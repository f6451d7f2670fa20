"""Label issues on the screen: each with its words in context, and how much a review would gain."""

import shutil
from collections.abc import Iterator, Sequence
from typing import Final

import click

from trustag.cli.output import aligned
from trustag.cli.sentence_excerpts import excerpt_parts, reading_texts
from trustag.errors import printable
from trustag.issues.effort import review_effort
from trustag.issues.grouping import Group, group_issues
from trustag.issues.issue import Issue, Kind
from trustag.issues.label_sources import errors_by_source
from trustag.issues.listing import Issues

SHOWN: Final = 20
_WIDEST: Final = 120
_NARROWEST: Final = 20
_MOST_SOURCES: Final = 20
# Colours only support what kind and brackets say already.
_COLOURS: Final[dict[Kind, str]] = {"missed": "blue", "spurious": "red", "boundary": "magenta", "type": "red"}


def issue_lines(chosen: Sequence[Issue], found: Issues, *, all_shown: bool) -> Iterator[str]:
    """Yield the chosen issues, one group per decision: the worst :data:`SHOWN` groups, or all of them."""
    if not found.issues:
        yield "No label looks wrong."
        return
    if not chosen:
        yield f"None of the {len(found.issues):,} issues matches."
        return
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    groups = group_issues(chosen, found.sentences)
    shown = groups if all_shown else groups[:SHOWN]
    for group in shown:
        yield from _group_lines(group, found, width)
    left = len(groups) - len(shown)
    if left:
        more = sum(len(group.issues) for group in groups[SHOWN:])
        yield f"\n... and {more:,} more in {left:,} groups: show more with --top N, write all with -o FILE."
    yield ""
    yield from review_effort(found.issues).in_words()
    yield from _source_lines(found)


def _source_lines(found: Issues) -> Iterator[str]:
    """Yield how often the entities of each source look wrong, the worst first; nothing where no source is known."""
    sources = errors_by_source(found.sentences, found.issues)
    if not sources:
        return
    rows = [[printable(one.name), f"{one.entities:,}", f"{one.share:.0%}"] for one in sources[:_MOST_SOURCES]]
    yield ""
    yield from aligned([["source", "entities", "look wrong"], *rows], header=True)
    if len(sources) > len(rows):
        yield f"... and {len(sources) - len(rows):,} more sources"


def _group_lines(group: Group, found: Issues, width: int) -> Iterator[str]:
    issue = group.worst
    sentence = found.sentences[issue.sentence]
    given, suggested = reading_texts(issue, sentence.tokens)
    times = f"   {printable(group.in_words())}" if len(group.issues) > 1 else ""
    colour = _COLOURS[issue.kind]
    scores = f"{given} {issue.given_score:.2f} -> {suggested} {issue.suggested_score:.2f}"
    head = f"{click.style(f'{issue.score:.2f}', bold=True)}  {click.style(f'{issue.kind:<8}', fg=colour)}"
    yield f"{head}  {scores}{times}"
    location = printable(sentence.place_of(issue.first))
    room = max(_NARROWEST, width - len(location) - 8)
    before, words, after = excerpt_parts(sentence.tokens, issue.first, issue.end, room)
    context = " ".join(part for part in (before, click.style(words, fg=colour, bold=True), after) if part)
    yield f"      {context}" + (f"  {click.style(location, dim=True)}" if location else "")

"""A label issue as a marked sentence: given entities above the words, suggested ones below, darker when likelier."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from trustag.issues.issue import Issue
from trustag.reports.blocks import EntityMark, Gap, MarkedSentence, Segment
from trustag.reports.charts.heat_map import Shade
from trustag.reports.number_format import count, figure, percent
from trustag.reports.safe_markup import shortened
from trustag.reports.training_sentences import TrainingSentence
from trustag.text.scripts import in_words
from trustag.text.spans import Span, read_spans

_CONTEXT: Final = 14  # tokens shown before and after the issue
_EDGE: Final = 20  # tokens shown at either end of a very long issue
_LONGEST: Final = 60  # characters shown of a token
_SHADES: Final[tuple[Shade, ...]] = (1, 2, 3, 4, 5, 6)

_KINDS: Final = {
    "missed": "missed: an entity without a label",
    "spurious": "spurious: a label without an entity",
    "boundary": "boundary: different boundaries",
    "type": "type: different type",
}


def marked_issue(issue: Issue, sentence: TrainingSentence) -> MarkedSentence:
    """Return an issue in its sentence."""
    words = _joined(sentence.tokens[issue.first : issue.end])
    given, suggested = (reading_text(issue, spans, sentence.tokens) for spans in (issue.given, issue.suggested))
    return MarkedSentence(
        heading=["“", words, "”: given ", given, ", suggested ", suggested],
        facts=[_KINDS[issue.kind], *_facts(issue, sentence)],
        parts=list(_parts(issue, sentence)),
    )


def reading_text(issue: Issue, spans: Sequence[Span], tokens: Sequence[str]) -> str:
    """Return the entities of one reading of an issue as text: only the type where one entity covers the issue."""
    if not spans:
        return "no entity"
    if len(spans) == 1 and spans[0][:2] == (issue.first, issue.end):
        return spans[0].type
    return ", ".join(f"{span.type} “{_joined(tokens[span.start : span.end])}”" for span in spans)


def _facts(issue: Issue, sentence: TrainingSentence) -> Iterator[str]:
    yield f"error probability {figure(issue.score)}"
    given, suggested = figure(issue.given_score), figure(issue.suggested_score)
    yield f"probability of given labels {given}, of suggested labels {suggested}"
    # Position and type can be told apart only where both readings have an entity.
    if issue.position_score is not None and issue.type_score is not None:
        yield f"of given position {figure(issue.position_score)}, of given type {figure(issue.type_score)}"
    if issue.held is not None:
        yield f"suggested in {percent(issue.held, 0)} of the epochs"
    verdict = gold_verdict(issue, sentence)
    if verdict:
        yield verdict
    place = "" if sentence.origin is None else sentence.origin.place_of(issue.first)
    yield place or f"sentence {issue.sentence}, tokens {issue.first} to {issue.end - 1}"


def gold_verdict(issue: Issue, sentence: TrainingSentence) -> str:
    """Return what the gold column says on an issue; empty where it has no labels."""
    right = gold_agrees(issue, sentence)
    if right is None:
        return ""
    if right:
        return "gold: the given labels are correct"
    gold = [span for span in read_spans(sentence.gold or ()) if span.start < issue.end and span.end > issue.first]
    return f"gold: {reading_text(issue, gold, sentence.tokens)}"


def gold_agrees(issue: Issue, sentence: TrainingSentence) -> bool | None:
    """Return whether gold agrees with the given labels at every token of the issue; None where gold is unknown."""
    own = sentence.gold[issue.first : issue.end] if sentence.gold is not None else ()
    if not own or None in own:
        return None
    return own == sentence.given[issue.first : issue.end]


def _parts(issue: Issue, sentence: TrainingSentence) -> Iterator[Segment | Gap]:
    """Yield the words of the issue and around it, split wherever a mark begins or ends."""
    first, end = max(0, issue.first - _CONTEXT), min(len(sentence.tokens), issue.end + _CONTEXT)
    given = [span for span in read_spans(sentence.given) if span.start < end and span.end > first]
    # An entity that crosses the edge of the excerpt must not be cut: it would look complete.
    first, end = min([first, *(span.start for span in given)]), max([end, *(span.end for span in given)])
    boundaries = {first, end, issue.first, issue.end}
    boundaries |= {boundary for span in (*given, *issue.suggested) for boundary in span[:2]}
    if first:
        yield Gap(first)
    for start, stop in pairwise(sorted(boundary for boundary in boundaries if first <= boundary <= end)):
        above = _entity_mark(
            given, start, stop, None if start < issue.first or start >= issue.end else issue.given_score
        )
        below = _entity_mark(issue.suggested, start, stop, issue.suggested_score)
        yield from _segments(issue, sentence.tokens, (start, stop), above, below)
    if end < len(sentence.tokens):
        yield Gap(len(sentence.tokens) - end)


def _segments(
    issue: Issue, tokens: Sequence[str], indices: tuple[int, int], above: EntityMark | None, below: EntityMark | None
) -> Iterator[Segment | Gap]:
    start, stop = indices
    inside = issue.first <= start < issue.end
    details = _details(issue, above, below) if inside else (f"given: {above.name}" if above else "")
    if stop - start <= 2 * _EDGE + 1:
        yield Segment(_joined(tokens[start:stop]), above, below, inside, details)
        return
    yield Segment(_joined(tokens[start : start + _EDGE]), above, below, inside, details)
    yield Gap(stop - start - 2 * _EDGE)
    yield Segment(_joined(tokens[stop - _EDGE : stop]), above, below, inside, details)


def _details(issue: Issue, above: EntityMark | None, below: EntityMark | None) -> str:
    given, suggested = above.name if above else "no entity", below.name if below else "no entity"
    return f"given: {given} ({figure(issue.given_score)}); suggested: {suggested} ({figure(issue.suggested_score)})"


def _entity_mark(spans: Sequence[Span], start: int, stop: int, score: float | None) -> EntityMark | None:
    for span in spans:
        if span.start <= start and stop <= span.end:
            return EntityMark(span.type, span.start == start, span.end == stop, _shade(score))
    return None


def _shade(score: float | None) -> Shade:
    """Return the shade of a reading: the likelier, the darker; the lightest without a score."""
    return 1 if score is None else _SHADES[min(5, max(0, round(5 * score)))]


def _joined(tokens: Sequence[str]) -> str:
    words = [shortened(token, _LONGEST) for token in tokens]
    if len(words) <= 2 * _EDGE + 1:
        return in_words(words)
    omitted = count(len(words) - 2 * _EDGE, "more token")
    return in_words([*words[:_EDGE], f"… ({omitted}) …", *words[-_EDGE:]])

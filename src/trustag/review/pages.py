"""The values that the page templates show: an issue or a form, the queue around it, and the progress."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined

from trustag.errors import printable
from trustag.issues.issue import KINDS, Issue
from trustag.review.applying import with_decision
from trustag.review.entries import Entry, ReviewDecision
from trustag.review.form_pages import form_values
from trustag.review.issue_queue import IssueFilter, QueueOrder
from trustag.review.session import ReviewAction, ReviewSession
from trustag.review.shortcuts import SHORTCUTS
from trustag.text.control_characters import DisplayRun, direction, display_runs
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

SHOWN: Final = ("open", "skipped", "decided", "all")
ORDER_NAMES: Final[dict[QueueOrder, str]] = {
    "mixed": "forms and uncertain places",
    "form": "forms",
    "worst": "likeliest errors first",
    "unsure": "most uncertain first",
}
_ROWS_BEFORE: Final = 3
_ROWS: Final = 14
_COLOURS: Final = 8
_KEYS: Final = "123456789"


def readable_time(at: str) -> str:
    """Return the time of a decision in UTC to the minute.

    >>> readable_time("2026-01-31T09:05:07+00:00")
    '2026-01-31 09:05 UTC'
    """
    return f"{at[:10]} {at[11:16]} UTC" if at.endswith("+00:00") else at


def readable_score(score: float) -> str:
    """Return a score with two digits; only certainty is shown as 1.00.

    >>> readable_score(0.314), readable_score(0.9987), readable_score(1.0)
    ('0.31', '> .99', '1.00')
    """
    return "> .99" if 0.995 <= score < 1.0 else f"{score:.2f}"


_ENVIRONMENT: Final = Environment(
    loader=PackageLoader("trustag.review", "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters.update(
    pieces=lambda text: list(display_runs(text)),
    printable=printable,
    direction=direction,
    readable_time=readable_time,
    score=readable_score,
)


@dataclass(frozen=True, slots=True)
class TokenMark:
    """The part of an entity that covers one token; the type is written where the entity begins."""

    type: str
    colour: int
    begins: bool
    ends: bool


@dataclass(frozen=True, slots=True)
class TokenCell:
    """One token with its given entity above and its suggested or decided entity below."""

    number: int
    pieces: Sequence[DisplayRun]
    above: TokenMark | None
    below: TokenMark | None
    is_at_issue: bool


@dataclass(frozen=True, slots=True)
class PageQuery:
    """What a URL of the page asks for: a filter, the issue to show, and the action (batch) whose outcome to report."""

    filter: IssueFilter
    issue: str = ""
    done: int = 0

    def url(self, **changes: object) -> str:
        """Return the URL of this view with some values changed; empty and default values are omitted."""
        defaults: dict[str, object] = {"kind": "", "type": "", "word": "", "least": 0.0, "show": "open", "order": ""}
        chosen = {name: getattr(self.filter, name) for name in defaults}
        values = {**chosen, "issue": self.issue, "done": 0, **changes}
        given = {name: value for name, value in values.items() if value and value != defaults.get(name)}
        return "/?" + urlencode(given)


def render(template: str, **values: Any) -> str:
    """Return a template filled in with ``values``."""
    return _ENVIRONMENT.get_template(template).render(**values)


def review_page(
    session: ReviewSession, query: PageQuery, reviewer: str, problem: str = "", action: ReviewAction | None = None
) -> str:
    """Return the page of an issue or a form, or of an empty queue; ``problem`` says why an ``action`` was refused."""
    ranks = session.ranks(query.filter)
    rank = _current(session, query, ranks)
    values: dict[str, Any] = {
        "query": query if rank is None else replace(query, issue=session.queue.items[rank].id),
        "reviewer": reviewer,
        "problem": problem,
        "comment": "" if action is None else action.comment,
        "progress": session.progress(),
        "run": session.run.path,
        "types": list(_types(session)),
        "kinds": KINDS,
        "statuses": SHOWN,
        "order": query.filter.order or session.order,
        "orders": ORDER_NAMES,
        "shortcuts": SHORTCUTS,
        "message": _message(session, session.state.batch(query.done)),
        "can_undo": bool(session.state.last_batch(reviewer)),
    }
    if rank is None:
        return render("empty.html", **values)
    values |= _queue_values(session, query.filter, ranks, rank)
    form = session.queue.form(session.queue.items[rank].id)
    if form is not None:
        return render("form.html", **values, **form_values(session, form, action))
    return render("issue.html", **values, **_issue_values(session, session.queue.issues[rank]))


def _current(session: ReviewSession, query: PageQuery, ranks: Sequence[int]) -> int | None:
    if query.issue in session.queue.rank:
        return session.queue.rank[query.issue]
    return session.next_rank(query.filter) if query.filter.show == "open" else next(iter(ranks), None)


def _issue_values(session: ReviewSession, issue: Issue) -> dict[str, Any]:
    state, sentences = session.state, session.run.sentences
    sentence = sentences[issue.sentence]
    entry = state.in_force(issue.id)
    decided = entry.decision if entry is not None and entry.decision.is_final else None
    suggestion = ReviewDecision(issue.id, "accepted", issue.sentence, issue.first, issue.end, issue.suggested)
    shown = decided or suggestion
    below = with_decision(session.entities_elsewhere(issue), shown)
    colours = {kind: number % _COLOURS for number, kind in enumerate(session.run.types)}
    identical, form = len(session.open_identical(issue)), session.queue.form_of(issue)
    return {
        "issue": issue,
        "words": session.queue.items[session.queue.rank[issue.id]].words,
        "status": session.status(issue),
        "decision": decided,
        "version": state.version(issue.id),
        "history": [(one.decision, state.is_undone(one)) for one in state.history(issue.id)],
        "tokens": list(_tokens(sentence, issue, _marks(read_spans(sentence.labels), colours), _marks(below, colours))),
        "working": [list(span) for span in below],
        "given": _in_words(sentence, issue.given),
        "suggested": _in_words(sentence, issue.suggested),
        "decided": _in_words(sentence, decided.spans if decided else ()),
        "before": _neighbour(sentences, issue.sentence, -1),
        "after": _neighbour(sentences, issue.sentence, 1),
        "direction": direction(sentence.text),
        "document": sentence.document,
        "place": sentence.place_of(issue.first),
        "identical": identical,
        "alike": form if form is not None and len(form.occurrences) > identical + 1 else None,
    }


def _queue_values(session: ReviewSession, issue_filter: IssueFilter, ranks: Sequence[int], rank: int) -> dict[str, Any]:
    """Return the rows of the queue around an issue or a form, even if that itself no longer matches the filter."""
    items = session.queue.items
    position = session.position(issue_filter, ranks, rank)
    is_listed = position < len(ranks) and ranks[position] == rank
    following = position + is_listed
    start = max(0, min(position - _ROWS_BEFORE, len(ranks) - _ROWS))
    window = ranks[start : start + _ROWS]
    return {
        "matching": len(ranks),
        "position": position + 1 if is_listed else None,
        "rows": [(items[other], session.status_at(other)) for other in window],
        "previous_issue": items[ranks[position - 1]].id if position else None,
        "next_issue": items[ranks[following]].id if following < len(ranks) else None,
    }


def _types(session: ReviewSession) -> Iterator[tuple[str, int, str]]:
    """Yield each type with its colour and its key; only the first nine types have a key."""
    for number, kind in enumerate(session.run.types):
        yield kind, number % _COLOURS, _KEYS[number] if number < len(_KEYS) else ""


def _marks(spans: Sequence[Span], colours: Mapping[str, int]) -> dict[int, TokenMark]:
    return {
        token: TokenMark(kind, colours.get(kind, 0), token == start, token == end - 1)
        for start, end, kind in spans
        for token in range(start, end)
    }


def _tokens(
    sentence: Sentence, issue: Issue, above: Mapping[int, TokenMark], below: Mapping[int, TokenMark]
) -> Iterator[TokenCell]:
    for number, text in enumerate(sentence.tokens):
        is_at_issue = issue.first <= number < issue.end
        yield TokenCell(number, list(display_runs(text)), above.get(number), below.get(number), is_at_issue)


def _in_words(sentence: Sentence, spans: Sequence[Span]) -> list[tuple[str, str]]:
    return [(" ".join(sentence.tokens[start:end]), kind) for start, end, kind in spans]


def _neighbour(sentences: Sequence[Sentence], number: int, step: int) -> str | None:
    """Return the text of the sentence before or after, if it belongs to the same document."""
    other = number + step
    if not 0 <= other < len(sentences) or sentences[other].document != sentences[number].document:
        return None
    return sentences[other].text


def _message(session: ReviewSession, entries: Sequence[Entry]) -> str:
    """Return a sentence on the outcome of an action; empty if there are no entries."""
    if not entries:
        return ""
    first = entries[0].decision
    rank = session.queue.rank.get(first.issue)
    words = session.queue.items[rank].words if rank is not None else first.issue
    places = {(one.decision.sentence, one.decision.first) for one in entries if not one.decision.is_on_form}
    more = f" and {len(entries) - 1:,} more" if len(entries) > 1 else ""
    if first.is_on_form:
        more = f" at {len(places):,} {'place' if len(places) == 1 else 'places'}" if places else ""
    verb = {"commented": "Comment saved on"}.get(first.verdict, f"{first.verdict.capitalize()}:")
    return f"{verb} “{words}”{more}. Saved to disk."

"""What the page shows, as values for its templates: an issue in its sentence, the queue around it, how far one is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined

from trustag.errors import printable
from trustag.issues.filtering import Order
from trustag.issues.issue import KINDS, Issue
from trustag.review.applying import with_decision
from trustag.review.decisions import Decision, Entry
from trustag.review.desk import Desk
from trustag.review.issue_queue import Filter
from trustag.text.control_characters import DisplayRun, direction, display_runs
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

SHOWN: Final = ("open", "skipped", "decided", "all")
ORDER_NAMES: Final[dict[Order, str]] = {"worst": "likeliest errors", "unsure": "models least sure"}
_ROWS_BEFORE: Final = 3
_ROWS: Final = 14
_COLOURS: Final = 8
_KEYS: Final = "123456789"

_ENVIRONMENT: Final = Environment(
    loader=PackageLoader("trustag.review", "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters.update(pieces=lambda text: list(display_runs(text)), printable=printable, direction=direction)


@dataclass(frozen=True, slots=True)
class Mark:
    """The part of an entity that lies over one token: where the entity begins, its type is written."""

    type: str
    colour: int
    begins: bool
    ends: bool


@dataclass(frozen=True, slots=True)
class Token:
    """One token with what is said of it above (given) and below (suggested, or decided)."""

    number: int
    pieces: Sequence[DisplayRun]
    above: Mark | None
    below: Mark | None
    is_at_issue: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where a person is: the filter, the issue they look at, and the click whose outcome is to be told."""

    chosen: Filter
    issue: str = ""
    done: int = 0

    def query(self, **changes: object) -> str:
        """Return the address of this place, with changes; what is empty or as usual is left out."""
        chosen = self.chosen
        usual: dict[str, object] = {"kind": "", "type": "", "word": "", "least": 0.0, "show": "open", "order": ""}
        values = {**{name: getattr(chosen, name) for name in usual}, "issue": self.issue, "done": 0, **changes}
        return "/?" + urlencode({name: value for name, value in values.items() if value and value != usual.get(name)})


def render(template: str, **values: Any) -> str:
    """Return a page."""
    return _ENVIRONMENT.get_template(template).render(**values)


def review_page(desk: Desk, place: Place, reviewer: str, trouble: str = "", comment: str = "") -> str:
    """Return the page of an issue, or of a queue that is empty; ``trouble`` is what went wrong with a click."""
    ranks = desk.ranks(place.chosen)
    issue = _current(desk, place, ranks)
    values: dict[str, Any] = {
        "place": place if issue is None else replace(place, issue=issue.id),
        "reviewer": reviewer,
        "trouble": trouble,
        "comment": comment,
        "progress": desk.progress(),
        "run": desk.run.path,
        "types": list(_types(desk)),
        "kinds": KINDS,
        "shown_states": SHOWN,
        "order": place.chosen.order or desk.order,
        "orders": ORDER_NAMES,
        "message": _message(desk, desk.standing.batch(place.done)),
        "can_undo": bool(desk.standing.last_batch(reviewer)),
    }
    if issue is None:
        return render("empty.html", **values)
    return render(
        "issue.html", **values, **_issue_values(desk, issue), **_queue_values(desk, place.chosen, ranks, issue)
    )


def _current(desk: Desk, place: Place, ranks: Sequence[int]) -> Issue | None:
    if place.issue in desk.queue.rank:
        return desk.issue(place.issue)
    rank = desk.next_rank(place.chosen) if place.chosen.show == "open" else next(iter(ranks), None)
    return None if rank is None else desk.queue.issues[rank]


def _issue_values(desk: Desk, issue: Issue) -> dict[str, Any]:
    standing, sentences = desk.standing, desk.run.sentences
    sentence = sentences[issue.sentence]
    entry = standing.in_force(issue.id)
    decided = entry.decision if entry is not None and entry.decision.is_final else None
    suggestion = Decision(issue.id, "accepted", issue.sentence, issue.first, issue.end, issue.suggested)
    shown = decided or suggestion
    below = with_decision(desk.reading_elsewhere(issue), shown)
    colours = {kind: number % _COLOURS for number, kind in enumerate(desk.run.types)}
    return {
        "issue": issue,
        "words": desk.queue.words[desk.queue.rank[issue.id]],
        "state": desk.state(issue),
        "decision": decided,
        "version": standing.version(issue.id),
        "history": [(one.decision, standing.is_taken_back(one)) for one in standing.history(issue.id)],
        "tokens": list(_tokens(sentence, issue, _marks(read_spans(sentence.labels), colours), _marks(below, colours))),
        "working": [list(span) for span in below],
        "above": _in_words(sentence, issue.given),
        "below": _in_words(sentence, shown.spans),
        "before": _neighbour(sentences, issue.sentence, -1),
        "after": _neighbour(sentences, issue.sentence, 1),
        "direction": direction(sentence.text),
        "document": sentence.document,
        "alike": len(desk.open_alike(issue)),
    }


def _queue_values(desk: Desk, chosen: Filter, ranks: Sequence[int], issue: Issue) -> dict[str, Any]:
    """Return the rows of the queue around an issue, which stays in sight even if the filter leaves it out by now."""
    issues, rank = desk.queue.issues, desk.queue.rank[issue.id]
    position = desk.place(chosen, ranks, rank)
    is_listed = position < len(ranks) and ranks[position] == rank
    following = position + is_listed
    start = max(0, min(position - _ROWS_BEFORE, len(ranks) - _ROWS))
    window = ranks[start : start + _ROWS]
    return {
        "matching": len(ranks),
        "position": position + 1 if is_listed else None,
        "rows": [(issues[other], desk.queue.words[other], desk.state(issues[other])) for other in window],
        "previous_issue": issues[ranks[position - 1]].id if position else None,
        "next_issue": issues[ranks[following]].id if following < len(ranks) else None,
    }


def _types(desk: Desk) -> Iterator[tuple[str, int, str]]:
    """Yield each type with its colour and the key that chooses it; only the first nine have one."""
    for number, kind in enumerate(desk.run.types):
        yield kind, number % _COLOURS, _KEYS[number] if number < len(_KEYS) else ""


def _marks(spans: Sequence[Span], colours: Mapping[str, int]) -> dict[int, Mark]:
    return {
        token: Mark(kind, colours.get(kind, 0), token == start, token == end - 1)
        for start, end, kind in spans
        for token in range(start, end)
    }


def _tokens(sentence: Sentence, issue: Issue, above: Mapping[int, Mark], below: Mapping[int, Mark]) -> Iterator[Token]:
    for number, text in enumerate(sentence.tokens):
        is_at_issue = issue.first <= number < issue.end
        yield Token(number, list(display_runs(text)), above.get(number), below.get(number), is_at_issue)


def _in_words(sentence: Sentence, spans: Sequence[Span]) -> list[tuple[str, str]]:
    return [(" ".join(sentence.tokens[start:end]), kind) for start, end, kind in spans]


def _neighbour(sentences: Sequence[Sentence], number: int, step: int) -> str | None:
    """Return the text of the sentence before or after, if it belongs to the same document."""
    other = number + step
    if not 0 <= other < len(sentences) or sentences[other].document != sentences[number].document:
        return None
    return sentences[other].text


def _message(desk: Desk, entries: Sequence[Entry]) -> str:
    """Return what became of a click, in words."""
    if not entries:
        return ""
    first = entries[0].decision
    rank = desk.queue.rank.get(first.issue)
    words = desk.queue.words[rank] if rank is not None else first.issue
    times = f" and {len(entries) - 1:,} more" if len(entries) > 1 else ""
    verb = {"commented": "Comment kept on", "undone": "Taken back:"}.get(
        first.verdict, f"{first.verdict.capitalize()}:"
    )
    return f"{verb} “{words}”{times}. It is on disk."

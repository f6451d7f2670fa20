"""The values that the page of a form shows: what is given and seen, and each of its places in context."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from trustag.issues.forms import OTHER_BOUNDARIES, Form, Occurrence
from trustag.review.session import ReviewAction, ReviewSession
from trustag.text.control_characters import direction
from trustag.text.labels import OUTSIDE
from trustag.text.sentences import Sentence

_WORDS_AROUND: Final = 9
_MOST_ROWS: Final = 300


@dataclass(frozen=True, slots=True)
class ContextRow:
    """A place of a form: its words, some words around them, what models see there, its issue, whether it is decided."""

    place: str
    before: str
    words: str
    after: str
    direction: str
    seen: str
    doubt: float
    issue: str
    source: str
    is_open: bool
    is_exception: bool


def form_values(session: ReviewSession, form: Form, action: ReviewAction | None) -> dict[str, Any]:
    """Return what the template shows of a form; ``action`` is one that was refused, with its exceptions."""
    marked = frozenset() if action is None else action.exceptions
    # What models doubt most is seen first.
    places = sorted(form.occurrences, key=lambda place: (-place.doubt, place.sentence, place.first))
    rows = [_row(session, form, place, marked) for place in places[:_MOST_ROWS]]
    entry = session.state.in_force(form.id)
    return {
        "form": form,
        "words": form.text,
        "status": session.status(form),
        "decision": None if entry is None else entry.decision,
        "version": session.state.version(form.id),
        "history": [(one.decision, session.state.is_undone(one)) for one in session.state.history(form.id)],
        "places": rows,
        "open": len(session.places.of(form)),
        "hidden": len(places) - len(rows),
        "seen": form.seen,
        "likely": _likely(form),
        "outside": OUTSIDE,
        "other_boundaries": OTHER_BOUNDARIES,
    }


def _likely(form: Form) -> str:
    """Return the label other than the given one that models see most often; empty if they see none."""
    return next((label for label in form.seen if label not in {form.label, OTHER_BOUNDARIES}), "")


def _row(session: ReviewSession, form: Form, place: Occurrence, marked: frozenset[str]) -> ContextRow:
    sentence: Sentence = session.run.sentences[place.sentence]
    start, end = max(0, place.first - _WORDS_AROUND), min(len(sentence), place.end + _WORDS_AROUND)
    return ContextRow(
        place=place.id,
        before=_joined(sentence.tokens[start : place.first], cut_first=start > 0),
        words=" ".join(sentence.tokens[place.first : place.end]),
        after=_joined(sentence.tokens[place.end : end], cut_last=end < len(sentence)),
        direction=direction(sentence.text),
        seen=place.seen(form.given),
        doubt=place.doubt,
        source=sentence.place_of(place.first),
        issue="" if place.issue is None else place.issue.id,
        is_open=session.places.is_open(place),
        is_exception=place.id in marked,
    )


def _joined(words: Sequence[str], *, cut_first: bool = False, cut_last: bool = False) -> str:
    return " ".join([*(["…"] if cut_first else []), *words, *(["…"] if cut_last else [])])

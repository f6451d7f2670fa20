"""Decisions on forms as decisions on the places where they occur: what a person says once holds for all of them."""

from collections.abc import Iterable, Iterator

from trustag.issues.forms import Form, Occurrence
from trustag.review.decisions import ReviewDecision, Verdict
from trustag.text.labels import OUTSIDE
from trustag.text.spans import Span


def place_decisions(
    form: Form, occurrences: Iterable[Occurrence], label: str, comment: str = "", reviewer: str = ""
) -> Iterator[ReviewDecision]:
    """Yield the decisions that ``label``, a type or ``O``, is right at these occurrences of a form."""
    for place in occurrences:
        verdict = verdict_on(form.label, label, place.seen(form.given))
        yield ReviewDecision(
            place.id, verdict, place.sentence, place.first, place.end, entities(place, label), comment, reviewer
        )


def verdict_on(given: str, label: str, seen: str) -> Verdict:
    """Return what it means that ``label`` is right where ``given`` is given and models see ``seen``.

    >>> verdict_on("PER", "PER", "ORG"), verdict_on("PER", "ORG", "ORG"), verdict_on("PER", "LOC", "ORG")
    ('rejected', 'accepted', 'edited')
    """
    return "rejected" if label == given else "accepted" if label == seen else "edited"


def entities(place: Occurrence, label: str) -> tuple[Span, ...]:
    """Return the entities of a place whose right label is a type or ``O``."""
    return () if label == OUTSIDE else (Span(place.first, place.end, label),)

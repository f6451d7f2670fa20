"""Decisions on forms as decisions on the places where they occur: what a person says once holds for all of them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from trustag.issues.forms import Form, Occurrence
from trustag.review.entries import ReviewDecision, Verdict
from trustag.text.labels import OUTSIDE
from trustag.text.spans import Span


class OpenPlaces:
    """Counts for every form the occurrences at which nothing has been decided yet."""

    def __init__(self, forms: Sequence[Form]) -> None:
        self.counts = [len(form.occurrences) for form in forms]
        self._decided: dict[int, frozenset[int]] = {}
        self._by_sentence: defaultdict[int, list[tuple[int, range]]] = defaultdict(list)
        for number, form in enumerate(forms):
            for place in form.occurrences:
                self._by_sentence[place.sentence].append((number, range(place.first, place.end)))

    def note_decided(self, sentence: int, tokens: frozenset[int]) -> Iterator[int]:
        """Take note of which tokens of a sentence are decided now, and yield the numbers of the forms that it has."""
        before = self._decided.get(sentence, frozenset())
        self._decided[sentence] = tokens
        for number, own in self._by_sentence.get(sentence, ()):
            self.counts[number] += int(tokens.isdisjoint(own)) - int(before.isdisjoint(own))
            yield number

    def of(self, form: Form) -> list[Occurrence]:
        """Return the open occurrences of a form."""
        return [place for place in form.occurrences if self.is_open(place)]

    def is_open(self, place: Occurrence) -> bool:
        """Tell whether nothing has been decided on the words of an occurrence."""
        return self._decided.get(place.sentence, frozenset()).isdisjoint(range(place.first, place.end))


def place_decisions(
    form: Form, occurrences: Iterable[Occurrence], label: str, comment: str = "", reviewer: str = ""
) -> Iterator[ReviewDecision]:
    """Yield the decisions that ``label``, a type or ``O``, is right at these occurrences of a form.

    An issue whose given entities all lie within an occurrence is decided with it, even if it has further words.
    """
    for place in occurrences:
        verdict = verdict_on(form.label, label, place.seen(form.given))
        subjects = [place.id]
        issue = place.issue
        if issue is not None and issue.id != place.id and all(_is_inside(span, place) for span in issue.given):
            subjects.append(issue.id)
        for subject in subjects:
            tokens = place.sentence, place.first, place.end, entities(place, label)
            yield ReviewDecision(subject, verdict, *tokens, comment, reviewer)


def verdict_on(given: str, label: str, seen: str) -> Verdict:
    """Return what it means that ``label`` is right where ``given`` is given and models see ``seen``.

    >>> verdict_on("PER", "PER", "ORG"), verdict_on("PER", "ORG", "ORG"), verdict_on("PER", "LOC", "ORG")
    ('rejected', 'accepted', 'edited')
    """
    return "rejected" if label == given else "accepted" if label == seen else "edited"


def entities(place: Occurrence, label: str) -> tuple[Span, ...]:
    """Return the entities of a place whose right label is a type or ``O``."""
    return () if label == OUTSIDE else (Span(place.first, place.end, label),)


def _is_inside(span: Span, place: Occurrence) -> bool:
    return place.first <= span.start and span.end <= place.end

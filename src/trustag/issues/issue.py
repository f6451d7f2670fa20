"""An issue: entities given at some tokens, entities that models suggest there, and how sure they are."""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from trustag.text.numbers import Count, Probability
from trustag.text.spans import Span

Kind: TypeAlias = Literal["missed", "spurious", "boundary", "type"]
KINDS: Final[tuple[Kind, ...]] = ("missed", "spurious", "boundary", "type")


class Issue(Struct, frozen=True):
    """A stretch of a sentence whose given labels look wrong.

    ``first`` to ``end`` (exclusive) are its tokens, no two issues of a corpus share one. ``given`` and ``suggested``
    are the entities of both readings: none is given where one was ``missed``, none suggested where one is ``spurious``.
    ``given_score`` and ``suggested_score`` are the exact probabilities of the two, by models that did not see the
    labels. ``score`` says how likely the given entities are wrong; lists are ordered by it.

    ``position_score`` and ``type_score`` are the confidence in the position part (B, I, E …) and in the type part of
    the given entity labels, at the least confident token; None where no entity is given. ``held`` is the share of
    epochs in which models trained on the given labels preferred the suggested ones; None where no record was kept.
    """

    sentence: Count
    first: Count
    end: Count
    kind: Kind
    given: tuple[Span, ...]
    suggested: tuple[Span, ...]
    score: Probability
    given_score: Probability
    suggested_score: Probability
    position_score: Probability | None = None
    type_score: Probability | None = None
    held: Probability | None = None

    @property
    def id(self) -> str:
        """A name that stays the same as long as the corpus does."""
        return f"{self.sentence}-{self.first}-{self.end}"


def kind_of(given: tuple[Span, ...], suggested: tuple[Span, ...]) -> Kind:
    """Return what is wrong with ``given`` if ``suggested`` is right; the two differ.

    >>> kind_of((Span(0, 2, "PER"),), (Span(0, 2, "ORG"),))
    'type'
    >>> kind_of((Span(0, 2, "PER"),), (Span(1, 2, "ORG"),))
    'boundary'
    """
    if not given:
        return "missed"
    if not suggested:
        return "spurious"
    same_places = [span[:2] for span in given] == [span[:2] for span in suggested]
    return "type" if same_places else "boundary"


def to_record(issue: Issue) -> dict[str, Any]:
    """Return ``issue`` as it stands in ``issues.jsonl``; entities have ``start``, ``end`` and ``label``."""
    record = msgspec.structs.asdict(issue)
    for reading in ("given", "suggested"):
        record[reading] = [{"start": start, "end": end, "label": kind} for start, end, kind in record[reading]]
    return record


def from_record(record: Mapping[str, Any]) -> Issue:
    """Return the issue that :func:`to_record` wrote down; anything else is a ``msgspec.ValidationError``."""
    readings = {
        reading: [(span["start"], span["end"], span["label"]) for span in record[reading]]
        for reading in ("given", "suggested")
    }
    return msgspec.convert({**record, **readings}, Issue)

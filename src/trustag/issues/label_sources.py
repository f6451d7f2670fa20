"""Which source a label comes from, and how often the entities of each source look wrong."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from trustag.issues.issue import Issue
from trustag.text.scoring import share
from trustag.text.sentences import GIVEN, NO_SOURCE, REVIEWED, SOURCE_JOINT, Sentence
from trustag.text.spans import read_spans

_NOT_SOURCES: Final = frozenset({GIVEN, REVIEWED, NO_SOURCE, ""})


@dataclass(frozen=True, slots=True)
class SourceErrors:
    """How many entities a source gave, and how many of them are expected to be wrong."""

    name: str
    entities: int
    wrong: float

    @property
    def share(self) -> float:
        """The expected share of wrong entities."""
        return share(self.wrong, self.entities)


def sources_of(sentence: Sentence, first: int, end: int) -> tuple[str, ...]:
    """Return the sources of the labels of some tokens, in the order of their first label; none where none is known."""
    if sentence.token_sources is None:
        return ()
    names = (name for source in sentence.token_sources[first:end] for name in source.split(SOURCE_JOINT))
    return tuple(dict.fromkeys(name for name in names if name not in _NOT_SOURCES))


def errors_by_source(sentences: Sequence[Sentence], issues: Iterable[Issue]) -> list[SourceErrors]:
    """Return how often the entities of each source look wrong, the worst source first.

    The score of an issue is the probability that the given entities are wrong; it counts for every source of them.
    Entities without an issue are taken to be right.
    """
    entities: Counter[str] = Counter()
    for sentence in sentences:
        if sentence.token_sources is not None:
            for span in read_spans(sentence.labels):
                entities.update(sources_of(sentence, span.start, span.end))
    wrong: defaultdict[str, float] = defaultdict(float)
    for issue in issues:
        for span in issue.given:
            for name in sources_of(sentences[issue.sentence], span.start, span.end):
                wrong[name] += issue.score
    found = (SourceErrors(name, number, wrong[name]) for name, number in entities.items())
    return sorted(found, key=lambda one: (-one.share, one.name))

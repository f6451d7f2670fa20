"""What annotators answer to exported tasks, in every way, and the corpus that must come of it, worked out anew."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Final, Literal, TypeAlias, get_args

from benchmarks.annotation_servers import Entity, Session, Task
from trustag.text.sentences import GIVEN, REVIEWED, Sentence
from trustag.text.spans import Span, read_spans

Kind: TypeAlias = Literal[
    "suggestion accepted",
    "given labels kept",
    "type changed",
    "words changed",
    "entity added",
    "all entities removed",
    "begun and left",
    "skipped",
    "left alone",
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
_NO_ANSWERS: Final = frozenset({"begun and left", "skipped", "left alone"})
UNKNOWN: Final = "-"


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody does with a task; ``spans`` are the entities that they leave there, by their words."""

    task: Task
    kind: Kind
    spans: tuple[Span, ...]

    @property
    def decides(self) -> bool:
        """Whether the labels of the sentence are decided by it."""
        return self.kind not in _NO_ANSWERS

    def give(self, session: Session, sentence: Sentence) -> None:
        """Give the answer on the server."""
        marked = entities(sentence, self.spans)
        if self.decides:
            session.submit(self.task, marked)
        elif self.kind == "begun and left":
            session.begin(self.task, marked)
        elif self.kind == "skipped":
            session.skip(self.task)


def planned(tasks: Sequence[Task], sentences: Sequence[Sentence], types: Sequence[str]) -> Iterator[Answer]:
    """Yield an answer to each task, the kinds by turns; where there is nothing to change, something is added."""
    for task, turn in zip(tasks, cycle(KINDS), strict=False):
        if task.sentence is None:
            continue
        sentence = sentences[task.sentence]
        opened = spans(sentence, task.opens_with)
        has_entity = any(span.type != UNKNOWN for span in opened)
        kind: Kind = "entity added" if turn in {"type changed", "words changed"} and not has_entity else turn
        left = _spans(task, kind, sentence, types)
        is_unchanged = kind not in _NO_ANSWERS and left == opened
        yield Answer(task, "suggestion accepted" if is_unchanged else kind, left)


def _spans(task: Task, kind: Kind, sentence: Sentence, types: Sequence[str]) -> tuple[Span, ...]:
    opened = spans(sentence, task.opens_with)
    named = [span for span in opened if span.type != UNKNOWN]
    if kind == "given labels kept":
        return spans(sentence, task.given)
    if kind == "all entities removed":
        return ()
    if kind == "type changed":
        first, others = named[0], tuple(span for span in opened if span != named[0])
        other_type = next(one for one in types if one not in {first.type, UNKNOWN})
        return tuple(sorted((*others, first._replace(type=other_type))))
    if kind in {"words changed", "begun and left"} and named:
        return _with_other_words(opened, named[0], len(sentence))
    if kind in {"entity added", "begun and left"}:
        free = sorted(set(range(len(sentence))) - _tokens(opened))
        added = [Span(free[-1], free[-1] + 1, types[0])] if free else []
        return tuple(sorted((*opened, *added)))
    return opened


def _with_other_words(opened: Sequence[Span], first: Span, length: int) -> tuple[Span, ...]:
    """Return the entities with one of them a word shorter or, where it is a single word, a word longer or gone."""
    others = [span for span in opened if span != first]
    if first.end - first.start > 1:
        return tuple(sorted((*others, first._replace(end=first.end - 1))))
    is_free = first.end < length and first.end not in _tokens(others)
    return tuple(sorted((*others, first._replace(end=first.end + 1)) if is_free else others))


def _tokens(found: Sequence[Span]) -> set[int]:
    return {token for span in found for token in range(span.start, span.end)}


def spans(sentence: Sentence, marked: Sequence[Entity]) -> tuple[Span, ...]:
    """Return entities by their words."""
    starts = {start: number for number, (start, _) in enumerate(sentence.offsets)}
    ends = {end: number + 1 for number, (_, end) in enumerate(sentence.offsets)}
    return tuple(sorted(Span(starts[start], ends[end], kind) for start, end, kind in marked))


def entities(sentence: Sentence, found: Sequence[Span]) -> tuple[Entity, ...]:
    """Return entities by their characters."""
    offsets = sentence.offsets
    return tuple((offsets[span.start][0], offsets[span.end - 1][1], span.type) for span in found)


def expected_lines(given: str, sentences: Sequence[Sentence], answers: Mapping[int, Answer]) -> list[str]:
    """Return the lines of the corrected corpus as CoNLL text; ``given`` is the corpus before.

    Lines of sentences without an answer only get their source; so do words that an answer leaves unknown.
    """
    rows = (row for number, sentence in enumerate(sentences) for row in _rows(sentence, answers.get(number)))
    lines: list[str] = []
    for line in given.split("\n"):
        if not line:
            lines.append(line)
            continue
        label, source = next(rows)
        token, written, *more = line.split(" ")
        lines.append(" ".join([token, written if label is None else label, *more, source]))
    return lines


def _rows(sentence: Sentence, answer: Answer | None) -> Iterator[tuple[str | None, str]]:
    """Yield the label of each word, none where it stays, and who gave it."""
    if answer is None:
        yield from [(None, GIVEN)] * len(sentence)
        return
    unknown = _tokens([span for span in answer.spans if span.type == UNKNOWN])
    named = [span for span in answer.spans if span.type != UNKNOWN]
    stays = named == read_spans(sentence.labels) and len(unknown) == sentence.labels.count(None)
    starts = {span.start: span.type for span in named}
    within = {token: span.type for span in named for token in range(span.start + 1, span.end)}
    for token in range(len(sentence)):
        label = f"B-{starts[token]}" if token in starts else f"I-{within[token]}" if token in within else "O"
        yield (None, GIVEN) if token in unknown else (None if stays else label, REVIEWED)

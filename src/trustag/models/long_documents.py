"""Texts longer than what a model was trained on: read sentence by sentence, long ones in windows that overlap."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, tee
from typing import Final

from trustag.models.tagged import ScoredSpan, SentenceTagger, Tagged
from trustag.models.windows import Window, cut_windows
from trustag.text.labels import OUTSIDE
from trustag.text.sentences import Sentence

_ENDS: Final = frozenset(".!?…。！？｡।؟")  # noqa: RUF001 - ends of sentences in several scripts
_CLOSING: Final = frozenset("\"'”’»)]}」』）")  # noqa: RUF001


@dataclass(frozen=True, slots=True)
class Windowing:
    """How documents are read: at most ``tokens`` together, of which neighbouring windows share at most ``overlap``.

    Models are trained on sentences, so by default each one that fits is read alone. With ``joins`` a window is filled
    with as many sentences as fit, for models that were trained on longer texts.
    """

    tokens: int = 128
    overlap: int = 32
    joins: bool = False


DEFAULT_WINDOWING: Final = Windowing()


@dataclass(frozen=True, slots=True)
class _Plan:
    """A document and its windows, by the tokens that each reads and those that it is asked about."""

    document: Sentence
    windows: list[Window]


def tag_documents(
    tagger: SentenceTagger, documents: Iterable[Sentence], windowing: Windowing = DEFAULT_WINDOWING
) -> Iterator[tuple[Sentence, Tagged]]:
    """Yield each document with labels and entities by its own tokens; no entity is found twice.

    Every token is asked about in the window in which it is farthest from a cut. An entity belongs to the window that is
    asked about its first token.
    """
    first, second = tee(_Plan(document, plan_windows(document, windowing)) for document in documents)
    tagged = tagger.tag_entities(
        plan.document.tokens[window.start : window.end] for plan in second for window in plan.windows
    )
    for plan in first:
        yield plan.document, _joined(plan, list(islice(tagged, len(plan.windows))))


def plan_windows(document: Sentence, windowing: Windowing = DEFAULT_WINDOWING) -> list[Window]:
    """Return the windows of a document, by its tokens."""
    lengths = sentence_lengths(document)
    if windowing.joins:
        longest = max(windowing.tokens // 2, 1)
        sizes = [min(longest, length - begin) for length in lengths for begin in range(0, length, longest)]
        borders = [0, *accumulate(sizes)]
        windows = cut_windows(sizes, windowing.tokens, windowing.overlap) if sizes else []
        return [Window(*(borders[place] for place in window)) for window in windows]
    starts = [0, *accumulate(lengths)]
    return [
        Window(*(start + place for place in window))
        for start, length in zip(starts, lengths, strict=False)
        for window in cut_windows([1] * length, windowing.tokens, windowing.overlap)
    ]


def sentence_lengths(document: Sentence) -> list[int]:
    """Return how many tokens each sentence has: they end at empty lines, and at marks before what is no small letter.

    >>> tokens = ("He", "left", ".", "Ann", "stayed", "!", "Why", "?")
    >>> sentence_lengths(Sentence(tokens, (None,) * 8))
    [3, 3, 2]
    """
    tokens, gaps = document.tokens, document.gaps
    lengths: list[int] = []
    begin = 0
    for place in range(1, len(tokens)):
        if (gaps is not None and gaps[place].count("\n") > 1) or _ends(tokens, place):
            lengths.append(place - begin)
            begin = place
    return [*lengths, len(tokens) - begin] if tokens else []


def _ends(tokens: Sequence[str], place: int) -> bool:
    """Return whether a sentence ends before the token at ``place``."""
    last = place - 1
    while last > 0 and tokens[last] in _CLOSING:
        last -= 1
    following = tokens[place]
    return tokens[last] in _ENDS and following not in _ENDS | _CLOSING and not following[:1].islower()


def _joined(plan: _Plan, tagged: Sequence[Tagged]) -> Tagged:
    """Return what the windows of a document say of the tokens that they are asked about."""
    labels = [OUTSIDE] * len(plan.document)
    entities: list[ScoredSpan] = []
    end = 0
    for window, found in zip(plan.windows, tagged, strict=True):
        for span in found.entities:
            start = window.start + span.start
            if window.kept_start <= start < window.kept_end and start >= end:
                end = window.start + span.end
                entities.append(ScoredSpan(start, end, span.type, span.score))
                labels[start:end] = found.labels[span.start : span.end]
    return Tagged(tuple(labels), tuple(entities))

"""Sentences whose labels are trusted beside a training corpus whose labels are noisy."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from trustag.corpora.legality import SchemeChange, rewritten
from trustag.corpora.survey import Survey
from trustag.notes import Note, Watch
from trustag.text.sentences import GIVEN, REVIEWED, Sentence

_FEW: Final = 20


def with_trusted(noisy: Sequence[Sentence], trusted: Sequence[Sentence], watch: Watch) -> tuple[Sentence, ...]:
    """Return the training sentences with the ``trusted`` ones after them, whose labels count as reviewed.

    Trusted labels are written in the scheme of the noisy ones. A noisy sentence with the tokens of a trusted one is
    left out, since its labels are known better.
    """
    trusted = [clean_labels(sentence) for sentence in trusted]
    known = {sentence.tokens for sentence in trusted}
    kept = [sentence for sentence in noisy if sentence.tokens not in known]
    if len(kept) < len(noisy):
        finding = f"{len(noisy) - len(kept):,} of {len(noisy):,}; the trusted labels take their place"
        watch(Note("left out", "training sentences that are trusted ones, too", finding))
    unknown = sum(label is None for sentence in trusted for label in sentence.labels)
    if unknown:
        watch(Note("info", "trusted sentences hold unknown labels", f"{unknown:,}; they stay unknown"))
    if len(trusted) < _FEW:
        watch(Note("info", "few trusted sentences", f"{len(trusted)}; no model is tuned on fewer than {_FEW}"))
    return tuple(map(_with_sources, kept)) + tuple(_reviewed(noisy, trusted, watch))


def clean_labels(sentence: Sentence) -> Sentence:
    """Return a trusted sentence with its gold labels as its only ones, where noisy labels stand beside them."""
    return sentence if sentence.gold is None else replace(sentence, labels=sentence.gold, gold=None)


def _reviewed(noisy: Sequence[Sentence], trusted: Sequence[Sentence], watch: Watch) -> Iterator[Sentence]:
    own, wanted = Survey().add(trusted).scheme.scheme, Survey().add(noisy).scheme.scheme
    has_gold = any(sentence.gold is not None for sentence in noisy)  # then all have, so that every format can hold it
    for sentence in rewritten(trusted, SchemeChange(own, wanted, "repair"), watch):
        gold = sentence.labels if has_gold else None
        yield replace(sentence, token_sources=(REVIEWED,) * len(sentence), gold=gold)


def _with_sources(sentence: Sentence) -> Sentence:
    return sentence if sentence.token_sources else replace(sentence, token_sources=(GIVEN,) * len(sentence))

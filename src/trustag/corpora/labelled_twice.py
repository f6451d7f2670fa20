"""Sentences labelled twice: by the source of the noisy labels, and rightly. They show what the source does wrong."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from trustag.corpora.trusted_sentences import clean_labels
from trustag.notes import Note, Watch
from trustag.text.sentences import Corpus, Sentence

_BY_CHANCE: Final = 0.5  # where fewer trusted sentences also stand in the corpus, they were not taken from it


def labelled_twice(corpus: Corpus, watch: Watch) -> list[Sentence]:
    """Return the sentences of ``corpus`` that have noisy labels and gold ones, each with both.

    The noisy labels of a trusted sentence stand beside its gold labels, or in ``corpus.noisy``, or in the training
    corpus if most of the trusted sentences do; those of a dev sentence in ``corpus.noisy``.
    """
    beside = [sentence for sentence in corpus.trusted if sentence.gold is not None]
    without = [sentence for sentence in corpus.trusted if sentence.gold is None]
    clean = {sentence.tokens: clean_labels(sentence) for sentence in (*corpus.dev, *without) if sentence.tokens}
    twice = beside + list(_joined(clean, corpus.noisy, watch))
    done = {sentence.tokens for sentence in twice}
    rest = {sentence.tokens: sentence for sentence in without if sentence.tokens not in done}
    return twice + _in_training(rest, corpus.train)


def _joined(clean: dict[tuple[str, ...], Sentence], noisy: Sequence[Sentence], watch: Watch) -> Iterator[Sentence]:
    """Yield the ``noisy`` sentences whose clean labels are known, with these as gold."""
    unknown = 0
    for sentence in noisy:
        known = clean.get(sentence.tokens)
        if known is None:
            unknown += 1
        else:
            yield replace(sentence, gold=known.labels)
    if unknown:
        finding = f"{unknown:,} of {len(noisy):,}; neither dev nor the trusted sentences hold the same tokens"
        watch(Note("left out", "noisy sentences without clean labels", finding))


def _in_training(clean: dict[tuple[str, ...], Sentence], train: Sequence[Sentence]) -> list[Sentence]:
    """Return the training sentences whose clean labels are known; none if that is so of a few short ones only."""
    found: dict[tuple[str, ...], list[Sentence]] = defaultdict(list)
    for sentence in train:
        if sentence.tokens in clean:
            found[sentence.tokens].append(replace(sentence, gold=clean[sentence.tokens].labels))
    if len(found) < _BY_CHANCE * len(clean):
        return []
    return [sentence for same in found.values() for sentence in same]

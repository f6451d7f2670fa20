"""Which sentences have labels that look good: consistent with the same words elsewhere, and dense."""

from collections import Counter
from collections.abc import Sequence

import torch

from trustag.data.encoded_corpus import EncodedCorpus
from trustag.methods.lrnt.settings import LRNTSettings
from trustag.text.spans import read_spans


def good_sentences(corpus: EncodedCorpus, settings: LRNTSettings) -> list[int]:
    """Return the sentences with the densest labels among those whose labels are consistent.

    Sentences that a person has decided on are good whatever their labels. All sentences are, if no entity was in those
    that were chosen.
    """
    reviewed = [bool(row.all()) for row in torch.split(corpus.reviewed, corpus.lengths)]
    density = [float((row > 0).double().mean()) for row in corpus.rows]
    rows = enumerate(zip(label_consistency(corpus), reviewed, strict=True))
    candidates = [number for number, (share, seen) in rows if seen or share >= settings.consistency]
    candidates.sort(key=lambda number: (not reviewed[number], -density[number]))
    most = round(settings.good_sentences * len(corpus))
    chosen = sorted(candidates[: max(most, sum(reviewed))])
    return chosen if any(density[number] for number in chosen) else list(range(len(corpus)))


def label_consistency(corpus: EncodedCorpus) -> list[float]:
    """Return for each sentence which share of the same words have the same type, a mean over its entity tokens.

    It is 0 where there is no entity.

    >>> from trustag.data.encoded_corpus import encode
    >>> from trustag.text.label_sets import LabelSet
    >>> from trustag.text.sentences import Sentence
    >>> rows = [Sentence(("Ann", "left"), ("B-PER", "O")), Sentence(("Ann",), ("O",)), Sentence(("Bob",), ("B-PER",))]
    >>> label_consistency(encode(rows, LabelSet.of(["PER"])))
    [0.5, 0.0, 1.0]
    """
    rows = [list(read_spans(names)) for names in corpus.label_names()]
    mentions = [
        [(tokens[own.start : own.end], own.type) for own in spans]
        for tokens, spans in zip(corpus.tokens, rows, strict=True)
    ]
    typed = Counter(mention for own in mentions for mention in own)
    known = {words for words, _ in typed}
    sizes = {len(words) for words in known}
    found: Counter[tuple[str, ...]] = Counter()
    for tokens in corpus.tokens:
        windows = (tokens[start : start + size] for size in sizes for start in range(len(tokens) - size + 1))
        found.update(words for words in windows if words in known)
    return [_mean([(typed[mention] / found[mention[0]], len(mention[0])) for mention in own]) for own in mentions]


def _mean(weighed: Sequence[tuple[float, int]]) -> float:
    total = sum(weight for _, weight in weighed)
    return sum(value * weight for value, weight in weighed) / total if total else 0.0

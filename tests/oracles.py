"""Slow, plain answers to compare with: nothing here uses the package under test."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Phrase: TypeAlias = tuple[int, int, str]
Tag: TypeAlias = tuple[str, str]

BOUNDARY: Tag = ("O", "")


def split_tag(text: str) -> Tag:
    """The position and the type of a tag, cut at its first hyphen, as conlleval cuts it."""
    if "-" not in text:
        return text, ""
    position = text[: text.index("-")]
    return position, text[len(position) + 1 :]


def phrase_ends(before: Tag, now: Tag) -> bool:
    """conlleval's rule for a phrase that ends between two tokens."""
    if before[0] + now[0] in ("BB", "BO", "IB", "IO", "EE", "EI", "EO"):
        return True
    return before[0] != "O" and before[1] != now[1]


def phrase_starts(before: Tag, now: Tag) -> bool:
    """conlleval's rule for a phrase that starts between two tokens."""
    if before[0] + now[0] in ("BB", "IB", "OB", "OI", "EE", "EI", "OE"):
        return True
    return now[0] != "O" and before[1] != now[1]


def conlleval_phrases(labels: Sequence[str]) -> list[Phrase]:
    """The phrases of one sentence as conlleval sees them; it knows B, I, E and O, not S."""
    phrases = []
    before, start = BOUNDARY, 0
    for token, now in enumerate([*map(split_tag, labels), BOUNDARY]):
        if phrase_ends(before, now):
            phrases.append((start, token, before[1]))
        if phrase_starts(before, now):
            start = token
        before = now
    return phrases


@dataclass
class ConllevalCounts:
    """What conlleval prints: tokens, right tags, and phrases by type in the corpus, found, and found rightly."""

    tokens: int = 0
    right_tags: int = 0
    in_corpus: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    correct: Counter[str] = field(default_factory=Counter)


def conlleval(sentences: Iterable[tuple[Sequence[str], Sequence[str]]]) -> ConllevalCounts:
    """conlleval's one pass over (gold, guessed) tags: it never builds phrases, it follows both columns at once."""
    counts = ConllevalCounts()
    last_gold, last_guess, so_far_right = BOUNDARY, BOUNDARY, False
    for gold_labels, guess_labels in sentences:
        rows = [
            (split_tag(gold), split_tag(guess), True) for gold, guess in zip(gold_labels, guess_labels, strict=True)
        ]
        for gold, guess, is_token in [*rows, (BOUNDARY, BOUNDARY, False)]:
            gold_ends, guess_ends = phrase_ends(last_gold, gold), phrase_ends(last_guess, guess)
            if so_far_right and gold_ends and guess_ends and last_gold[1] == last_guess[1]:
                so_far_right = False
                counts.correct[last_gold[1]] += 1
            elif so_far_right and (gold_ends != guess_ends or gold[1] != guess[1]):
                so_far_right = False
            gold_starts, guess_starts = phrase_starts(last_gold, gold), phrase_starts(last_guess, guess)
            if gold_starts and guess_starts and gold[1] == guess[1]:
                so_far_right = True
            counts.in_corpus[gold[1]] += gold_starts
            counts.found[guess[1]] += guess_starts
            counts.tokens += is_token
            counts.right_tags += is_token and gold == guess
            last_gold, last_guess = gold, guess
    return counts


# An entity in each scheme, and a whole run of neighbouring tokens of one type, as patterns over position letters.
ENTITY = {
    "IO": "I+",
    "IOB1": "[IB]I*",
    "IOB2": "BI*",
    "IOE1": "I*E|I+",
    "IOE2": "I*E",
    "IOBES": "S|BI*E",
    "BILOU": "U|BI*L",
    "BMES": "S|BM*E",
}
RUN = {
    "IO": "I+",
    "IOB1": "I+(BI*)*",
    "IOB2": "(BI*)+",
    "IOE1": "(I*E)*I+",
    "IOE2": "(I*E)+",
    "IOBES": "(S|BI*E)+",
    "BILOU": "(U|BI*L)+",
    "BMES": "(S|BM*E)+",
}


def _runs(labels: Sequence[str | None]) -> list[tuple[int, str, str]]:
    """Maximal runs of positive labels of one type: where they start, their letters, their type."""
    runs: list[tuple[int, str, str]] = []
    places = [(token, *split_tag(label)) for token, label in enumerate(labels) if label is not None and label != "O"]
    for token, letter, kind in places:
        if runs and runs[-1][2] == kind and runs[-1][0] + len(runs[-1][1]) == token:
            runs[-1] = (runs[-1][0], runs[-1][1] + letter, kind)
        else:
            runs.append((token, letter, kind))
    return runs


def is_legal(labels: Sequence[str | None], scheme: str) -> bool:
    """Whether the letters of every run fit the scheme's pattern."""
    return all(re.fullmatch(RUN[scheme], letters) for _, letters, _ in _runs(labels))


def intended_phrases(labels: Sequence[str | None], scheme: str) -> list[Phrase]:
    """The entities of a legal labelling, cut out of its runs by the scheme's pattern."""
    return [
        (start + match.start(), start + match.end(), kind)
        for start, letters, kind in _runs(labels)
        for match in re.finditer(ENTITY[scheme], letters)
    ]

"""A tiny generated corpus in which words tell their labels, with a few wrong labels in training."""

from msgspec.structs import replace

from trustag.seeded_random import SeededRandom
from trustag.text.sentences import Corpus, Sentence

PEOPLE = ("Ann", "Bob", "Eve Stone", "Max Reed")
PLACES = ("Rome", "Oslo", "New York", "San Juan")
PATTERNS = (
    "{person} met {person} in {place} .",
    "in {place} it rained .",
    "{person} left .",
    "they went to {place} and {place} .",
    "{person} likes {place} .",
)
WRONG = (3, 11, 19)
"""The training sentences that have lost their labels."""


def sentence(number: int) -> Sentence:
    """Return a labelled sentence; the same for the same number."""
    draw = SeededRandom(number, "generated sentence")
    tokens: list[str] = []
    labels: list[str] = []
    for part in PATTERNS[number % len(PATTERNS)].split():
        names, kind = {"{person}": (PEOPLE, "PER"), "{place}": (PLACES, "LOC")}.get(part, ((part,), ""))
        words = draw.shuffled(names)[0].split()
        tokens += words
        labels += [f"{'I' if place else 'B'}-{kind}" if kind else "O" for place in range(len(words))]
    return Sentence(tuple(tokens), tuple(labels))


def generated_corpus(train: int = 40) -> Corpus:
    """Return training sentences of which ``WRONG`` have no entity labels, and clean ones for dev and test."""
    whole = [sentence(number) for number in range(train)]
    noisy = [
        replace(own, labels=("O",) * len(own), gold=own.labels) if number in WRONG else replace(own, gold=own.labels)
        for number, own in enumerate(whole)
    ]
    dev, test = ([sentence(first + number) for number in range(10)] for first in (1000, 2000))
    return Corpus(tuple(noisy), tuple(dev), tuple(test))

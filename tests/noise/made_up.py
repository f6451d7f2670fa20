"""Small deterministic corpora for tests of noise, with few imports so that a new process starts fast."""

import hashlib

from trustag.noise.perturbation import Perturbation, Perturbed
from trustag.seeded_random import SeededRandom
from trustag.text.labels import Label
from trustag.text.sentences import Sentence, Source

WORDS = ("Ann", "ann", "Bo", "Rome", "Acme", "the", "a", "of", "said", "ran")
TYPES = ("PER", "LOC", "ORG")
RECIPE = Perturbation(0.5, 0.9, seed=1, type_flip=0.05, boundary_shift=0.05)


def random_corpus(seed: int, size: int, entity_share: float = 0.2) -> list[Sentence]:
    """Return IOB2 sentences with entities of one to three tokens and words that repeat."""
    rng = SeededRandom(seed)
    corpus = []
    for number in range(size):
        tokens: list[str] = []
        labels: list[Label] = []
        for _ in range(4 + rng.below(12)):
            length = 1 + rng.below(3) if rng.fraction() < entity_share else 0
            kind = rng.pick(TYPES)
            tokens += [f"{rng.pick(WORDS)}{rng.below(30)}" for _ in range(max(length, 1))]
            labels += [f"B-{kind}", *[f"I-{kind}"] * (length - 1)] if length else ["O"]
        corpus.append(Sentence(tuple(tokens), tuple(labels), source=Source("made-up", number)))
    return corpus


def checksum(perturbed: Perturbed) -> str:
    """Return a short fingerprint of all noisy labels."""
    text = "\n".join(" ".join(str(label) for label in sentence.labels) for sentence in perturbed.sentences)
    return hashlib.sha256(text.encode()).hexdigest()[:16]

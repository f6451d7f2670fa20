"""Sources of known quality, for tests of what is estimated of them."""

from msgspec.structs import replace

from trustag.aggregation.labellings import Labellings, from_files
from trustag.corpora.demo import demo_corpus
from trustag.noise.perturbation import Perturbation, perturb
from trustag.notes import unwatched
from trustag.text.sentences import Sentence

ANNA = Perturbation(0.9, 0.95, 1, "mention", 0.03, 0.03)
BEN = Perturbation(0.7, 0.85, 2, "mention", 0.08, 0.08)
CARLA = Perturbation(0.55, 0.8, 3, "mention", 0.1, 0.1)


def clean_sentences(count: int) -> list[Sentence]:
    """Return sentences of the built-in corpus with their true labels."""
    return [
        replace(sentence, labels=sentence.gold or sentence.labels, gold=None)
        for sentence in demo_corpus().train[:count]
    ]


def three_sources(count: int) -> Labellings:
    """Return what three annotators of different quality made of the same sentences, with gold labels."""
    clean = clean_sentences(count)
    noise = {"anna": ANNA, "ben": BEN, "carla": CARLA}
    return from_files({name: perturb(clean, own).sentences for name, own in noise.items()}, unwatched)

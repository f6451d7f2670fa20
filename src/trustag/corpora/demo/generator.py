"""Generate the demo corpus: its registers, its splits, and the names and templates held out from training."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from trustag.corpora.demo.everyday import EVERYDAY
from trustag.corpora.demo.grammar import Author, Casing, Draft, parse_template
from trustag.corpora.demo.letters import CHAT, MAIL, REVIEWS, SUPPORT
from trustag.corpora.demo.news import HEADLINES, NEWS
from trustag.corpora.demo.phrases import PHRASES
from trustag.corpora.demo.slots import entity_slots
from trustag.corpora.demo.trade import BUSINESS, LISTS, SPORTS
from trustag.noise.perturbation import Perturbation, perturb
from trustag.seeded_random import SeededRandom
from trustag.text.schemes import Scheme
from trustag.text.sentences import Corpus, Sentence, Source

SIZES: Final = {"train": 4000, "dev": 600, "test": 600}
RECALL: Final = 0.5
PRECISION: Final = 0.9

_HELD_OUT_EVERY: Final = 6
_NEW_TEMPLATES: Final = 0.3
_NEW_NAMES: Final = 0.4


@dataclass(frozen=True, slots=True)
class Register:
    """A kind of text: its templates, its weight in the corpus, and its casings."""

    templates: tuple[str, ...]
    weight: int
    casings: tuple[Casing, ...] = ("sentence",)

    @property
    def common(self) -> list[str]:
        """The templates used in all splits."""
        return [text for index, text in enumerate(self.templates) if index % _HELD_OUT_EVERY]

    @property
    def held_out(self) -> list[str]:
        """The templates that are not used for training sentences."""
        return list(self.templates[::_HELD_OUT_EVERY])


REGISTERS: Final = (
    Register(NEWS, 22),
    Register(HEADLINES, 7, ("upper", "upper", "sentence")),
    Register(SPORTS, 13),
    Register(BUSINESS, 11),
    Register(LISTS, 4, ("sentence", "sentence", "lower")),
    Register(MAIL, 12),
    Register(SUPPORT, 7),
    Register(REVIEWS, 9),
    Register(CHAT, 8, ("lower", "lower", "sentence")),
    Register(EVERYDAY, 26, ("sentence", "sentence", "sentence", "lower")),
)


class Written(NamedTuple):
    """A sentence of the corpus and the text of its template."""

    draft: Draft
    template: str


_parsed: Final = cache(parse_template)


@cache
def demo_corpus(seed: int = 1) -> Corpus:
    """Return the built-in corpus: English sentences with PER, LOC, ORG and MISC entities in IOB2.

    Training sentences have noisy labels (entity recall 0.5, precision 0.9) and gold labels. Development and test
    sentences have clean labels, and contain names and templates held out from training. The same seed gives the same
    corpus on every machine.
    """
    splits = {
        split: tuple(
            Sentence(written.draft.tokens, written.draft.labels, source=Source(f"demo:{split}", number))
            for number, written in enumerate(sentences, start=1)
        )
        for split, sentences in write_splits(seed).items()
    }
    noisy = perturb(splits["train"], Perturbation(RECALL, PRECISION, seed), Scheme.IOB2)
    return Corpus(noisy.sentences, splits["dev"], splits["test"])


def write_splits(seed: int) -> dict[str, list[Written]]:
    """Return the sentences of every split with their templates; no sentence occurs twice in the corpus."""
    rng = SeededRandom(seed)
    names = entity_slots(rng)
    phrases = {name: [parse_template(text) for text in texts] for name, texts in PHRASES.items()}
    seen: set[tuple[str, ...]] = set()
    splits = {}
    for split, size in SIZES.items():
        new = split != "train"
        author = Author(names, phrases, _NEW_NAMES if new else 0.0, rng)
        sentences = _sentences(author, _NEW_TEMPLATES if new else 0.0, rng)
        splits[split] = _take_new(sentences, size, seen)
    return splits


def _take_new(sentences: Iterator[Written], size: int, seen: set[tuple[str, ...]]) -> list[Written]:
    taken: list[Written] = []
    while len(taken) < size:
        written = next(sentences)
        if written.draft.tokens not in seen:
            seen.add(written.draft.tokens)
            taken.append(written)
    return taken


def _sentences(author: Author, new_templates: float, rng: SeededRandom) -> Iterator[Written]:
    """Yield sentences endlessly; a share ``new_templates`` of them comes from held-out templates."""
    weighted = [register for register in REGISTERS for _ in range(register.weight)]
    while True:
        register = rng.pick(weighted)
        new = rng.fraction() < new_templates
        text = rng.pick(register.held_out if new else register.common)
        yield Written(author.write(_parsed(text), rng.pick(register.casings)), text)

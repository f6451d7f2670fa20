"""Which corpora and systems are scored: real corpora with clean or noisy labels, and what is trained on them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trustag.vectors.advice import advised

PRECISION: Final = 0.9
_CODES: Final = {"english": "en", "spanish": "es", "german": "de", "dutch": "nl"}
CONTEXT_LANGUAGE: Final = "english"
DRAW: Final = 1  # the seed of the perturbation; the seeds of the trainings differ, the noisy labels do not


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus in a folder with train, dev and test files.

    ``recall`` is the share of entities that a perturbation leaves; without one the labels are those of the folder.
    """

    folder: str
    language: str
    recall: float | None = None

    def vectors(self, folder: Path) -> Path:
        """Return the word vectors of its language."""
        return folder / f"{self.language}_100d.txt.gz"

    @property
    def advised_vectors(self) -> str:
        """The name of the vectors that a user of its language is advised to fetch."""
        return advised(_CODES[self.language])


@dataclass(frozen=True, slots=True)
class System:
    """What is trained: by which method and recipe, with which settings, on the given labels or on the gold ones.

    With ``fetched`` it starts from the vectors that a user of that language is advised to fetch; with ``context`` the
    frozen features of a pretrained transformer stand beside them. The one at hand, MiniLM, reads English. With
    ``searches`` noise rates are searched with the first seed, and others are given what it found, as in the paper.
    """

    method: str
    settings: tuple[str, ...] = ()
    recipe: str = "fast"
    on_gold: bool = False
    fetched: bool = False
    context: bool = False
    searches: bool = False

    def suits(self, corpus: Corpus) -> bool:
        """Tell whether it can be trained on a corpus."""
        return corpus.language == CONTEXT_LANGUAGE or not self.context


CORPORA: Final = {
    "English": Corpus("conll03_en_r0.5p0.9", "english"),
    "Spanish": Corpus("conll02_es", "spanish", 0.5),
    "German": Corpus("conll03_de", "german", 0.5),
    "Dutch": Corpus("conll02_nl", "dutch", 0.5),
    "CoNLL distant": Corpus("conll03_distant", "english"),
    "Tweet distant": Corpus("twitter_distant", "english"),
    "Webpage distant": Corpus("webpage_distant", "english"),
    "Wikigold distant": Corpus("wikigold_distant", "english"),
}
LEVELS: Final = {
    f"English, recall {recall}": Corpus("conll03_en", "english", recall) for recall in (0.3, 0.5, 0.7, 0.9)
}

# Two grids of five points, nine pairs; the paper's 21 cost five times as much, and for the entity labels of distant
# corpora its 0.2 is too low.
_COARSE: Final = ("rates.search_step=0.05", "rates.search_positive_to=0.6", "rates.search_positive_step=0.15")
# The plain model is a system of its own here, so that no run has to train it once more.
_ALONE: Final = ("rounds.baseline=false",)
SYSTEMS: Final = {
    "gold labels": System("bilstm-crf", on_gold=True),
    "plain": System("bilstm-crf"),
    "self-training": System("self-training", _ALONE),
    "method": System("confidence", _ALONE),
    "method, local": System("confidence", (*_ALONE, "confidence.scoring=local")),
    "method, no calibration": System("confidence", (*_ALONE, "confidence.calibration=false")),
    "method, oracle rates": System("confidence", (*_ALONE, "rates.source=oracle")),
    "method, dev rates": System("confidence", (*_ALONE, "rates.source=dev")),
    "method, searched rates": System("confidence", (*_ALONE, "rates.source=searched", *_COARSE), searches=True),
    "gold labels, recipe paper": System("bilstm-crf", recipe="paper", on_gold=True),
    "gold labels, fetched vectors": System("bilstm-crf", on_gold=True, fetched=True),
    "method, fetched vectors": System("confidence", _ALONE, fetched=True),
    "method, dev rates, fetched vectors": System("confidence", (*_ALONE, "rates.source=dev"), fetched=True),
    "gold labels, context": System("bilstm-crf", on_gold=True, context=True),
    "plain, context": System("bilstm-crf", context=True),
    "method, context": System("confidence", _ALONE, context=True),
}

# What each choice of the default recipe is worth: the same with one choice undone, or with more work.
_CHOICES: Final = {
    "common words believed": "confidence.common_words=believed",
    "words of longer names believed": "confidence.cut_names=believed",
    "names told each time": "confidence.tellings=0",
    "one rate for all entity labels": "rates.apart=none",
    "ranked in batches": "confidence.ranking=batch",
    "the last pass alone": "confidence.memory=0",
    "fold vectors learn": "rounds.fold_vectors_learn=true",
    "final vectors frozen": "bilstm.vectors_learn=false",
    "weights not averaged": "training.average=0",
    "hard relabelling": "rounds.relabel=hard",
    "soft relabelling": "rounds.relabel=soft",
    "entity labels pinned": "rounds.reannotate=outside",
    "confidence in the final model": "rounds.final_confidence=true",
    "legal paths not enforced": "model.constraints=none",
    "four folds": "rounds.folds=4",
    "two fold models a part": "rounds.members=2",
    "two rounds": "rounds.count=2",
}
_NAMES: Final = ("rounds.hide=names", "confidence.prior=1")
ABLATIONS: Final = {
    **{name: System("confidence", (*_ALONE, setting)) for name, setting in _CHOICES.items()},
    "names hidden": System("confidence", (*_ALONE, *_NAMES)),
}
EVERY_SYSTEM: Final = SYSTEMS | ABLATIONS

# Test F1 in the paper's table, by system and corpus.
PAPER: Final = {
    "gold labels": dict(zip(CORPORA, (90.3, 85.2, 77.3, 81.1, 91.2, 52.2, 52.3, 54.9), strict=True)),
    "plain": dict(zip(CORPORA, (73.3, 61.9, 57.7, 58.3, 59.5, 21.8, 43.3, 42.9), strict=True)),
    "self-training": dict(zip(CORPORA, (84.0, 71.4, 66.5, 59.6, 77.8, 42.3, 49.6, 51.3), strict=True)),
    "method": dict(zip(CORPORA, (86.4, 79.0, 69.2, 71.2, 79.2, 43.1, 50.0, 53.0), strict=True)),
    "method, local": dict(zip(CORPORA, (87.0, 78.8, 68.3, 69.1, 79.4, 43.6, 51.8, 54.0), strict=True)),
    "method, no calibration": dict(zip(CORPORA, (85.8, 77.3, 67.2, 68.0, 79.9, 40.8, 46.9, 50.0), strict=True)),
}
GOALS: Final = dict(zip(CORPORA, (87.5, 79.5, 70.0, 72.0, 80.0, 45.0, 54.0, 56.0), strict=True))

"""Which corpora are scored, the figures of the paper, and the goals; the systems are those of the experiments room."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trustag.experiments.corpora import ExperimentCorpus
from trustag.experiments.systems import ABLATIONS, SYSTEMS
from trustag.noise.perturbation import Perturbation
from trustag.vectors.advice import advised

__all__ = ["ABLATIONS", "CORPORA", "EVERY_CORPUS", "EVERY_SYSTEM", "GOALS", "LEVELS", "PAPER", "SYSTEMS", "Corpus"]

PRECISION: Final = 0.9
PERTURBATION_SEED: Final = 1  # the seeds of the trainings differ, the noisy labels do not
_LANGUAGE_CODES: Final = {"english": "en", "spanish": "es", "german": "de", "dutch": "nl"}


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus in a folder with train, dev and test files.

    ``recall`` is the share of entities that a perturbation leaves; without one the labels are those of the folder.
    """

    folder: str
    language: str
    recall: float | None = None

    def vectors(self, folder: Path) -> Path:
        """Return the file of word vectors of its language."""
        return folder / f"{self.language}_100d.txt.gz"

    def located(self, data: Path, vectors: Path) -> ExperimentCorpus:
        """Return the corpus with its files, which are in the folders ``data`` and ``vectors``."""
        return ExperimentCorpus(
            name=str(data / self.folder),
            vectors=str(self.vectors(vectors)),
            advised_vectors=advised(_LANGUAGE_CODES[self.language]),
            language=self.language,
            perturbation=None if self.recall is None else Perturbation(self.recall, PRECISION, PERTURBATION_SEED),
        )


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
EVERY_CORPUS: Final = CORPORA | LEVELS
EVERY_SYSTEM: Final = {**SYSTEMS, **ABLATIONS}

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

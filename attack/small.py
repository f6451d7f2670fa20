"""What is attacked: a corpus of a few sentences, and runs of every method on it that take a few seconds."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from attack.law import run
from trustag.corpora.demo import demo_corpus
from trustag.files import conll
from trustag.files.formats import WriteOptions
from trustag.notes import unwatched
from trustag.text.sentences import Sentence

SIZES: Final = {"train": 40, "dev": 15, "test": 15}
TRUSTED: Final = 55  # enough to be learned from
COMMON: Final = (
    *("bilstm.random_vectors=true", "bilstm.words=16", "bilstm.hidden=8", "bilstm.min_count=1"),
    *("training.epochs=2", "training.patience=2", "training.batch_size=16"),
    *("training.least_steps=0", "training.snapshot_seconds=0"),
)
ROUNDS: Final = ("method.rounds.count=2", "method.rounds.fold_epochs=2", "method.rates.estimate_epochs=1")


_QUICK: Final = frozenset({"bilstm-crf", "noise-adaptation", "cbl"})


@dataclass(frozen=True, slots=True)
class Training:
    """A kind of run: its name, its method, its settings, and whether trusted sentences are given."""

    name: str
    method: str
    settings: tuple[str, ...] = COMMON
    trusted: bool = False

    def arguments(self, folder: Path, output: Path) -> list[str]:
        """Return the command that trains on the corpus in ``folder``."""
        chosen = [part for setting in self.settings for part in ("--set", setting)]
        trusted = ["--trusted", str(folder / "trusted.conll")] if self.trusted else []
        return ["train", str(folder / "corpus"), "-o", str(output), "--method", self.method, *trusted, *chosen]


TRAININGS: Final = (
    Training("bilstm-crf", "bilstm-crf"),
    Training("noise-adaptation", "noise-adaptation"),
    Training("cbl", "cbl"),
    Training("self-training", "self-training", (*COMMON, "method.rounds.count=2", "method.rounds.fold_epochs=2")),
    Training("confidence", "confidence", (*COMMON, *ROUNDS)),
    Training("confidence with trusted sentences", "confidence", (*COMMON, *ROUNDS), trusted=True),
)


def trainings(share: float) -> tuple[Training, ...]:
    """Return the trainings of a campaign: all of them, or those of one model each if little time is to be spent."""
    return TRAININGS if share >= 0.1 else tuple(one for one in TRAININGS if one.method in _QUICK)


def write_corpus(folder: Path) -> list[Sentence]:
    """Write a corpus of three splits and trusted sentences into ``folder`` and return the test sentences."""
    corpus = demo_corpus()
    (folder / "corpus").mkdir()
    parts = {f"corpus/{split}": getattr(corpus, split)[:size] for split, size in SIZES.items()}
    parts["trusted"] = corpus.dev[SIZES["dev"] : SIZES["dev"] + TRUSTED]
    for name, sentences in parts.items():
        with (folder / f"{name}.conll").open("wb") as stream:
            conll.write(sentences, stream, WriteOptions(), unwatched)
    return list(corpus.test[: SIZES["test"]])


def trained(folder: Path, method: str = "confidence") -> Path:
    """Return a finished run of a method on the corpus in ``folder``."""
    output = folder / f"run-{method}"
    if not output.exists():
        training = next(one for one in TRAININGS if one.name == method)
        ending = run(*training.arguments(folder, output), "--keep-jobs")
        if ending.code:
            raise RuntimeError(ending.said)
    return output

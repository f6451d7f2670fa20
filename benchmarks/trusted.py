"""What a few trusted sentences are worth, and whether the kept model is worse than the baseline on any kind of noise.

``python -m benchmarks.trusted --data FOLDER --vectors FOLDER --output results/trusted.json`` draws sentences of the
training corpus, whose gold labels are then trusted, and trains on them alone, on all sentences with these labels in
place of the noisy ones, and on all of them with the default recipe. Without trusted sentences the default recipe is
compared with its own baseline, on more kinds of noise: other labels of the same text. What the result file holds
already is not repeated.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace as changed

from benchmarks.machine import aligned, origin, write_result
from trustag.corpora.locating import read_corpus
from trustag.corpora.trusted_sentences import with_trusted
from trustag.experiments.corpora import label_noise
from trustag.methods.table import load_recipe
from trustag.noise.perturbation import Perturbation, perturb
from trustag.notes import unwatched
from trustag.pipeline import Destination, TrainResult, train
from trustag.seeded_random import SeededRandom
from trustag.text.scoring import EntityScores
from trustag.text.sentences import Corpus, Sentence

CORPORA: Final = {
    "language model": "noisebench_llm",
    "crowd": "noisebench_crowd",
    "Wikigold distant": "wikigold_distant",
    "Tweet distant": "twitter_distant",
}
SAME_TEXT: Final = "noisebench_llm"
KINDS: Final = {"experts": "conll03_en", "dictionary": "conll03_distant", "random": None, "clean": None}
"""Further labels of the text of the language model's corpus: those of another corpus, drawn at random, or its gold."""
TRUSTED_ONLY: Final = "trusted sentences alone"
MIXED: Final = "mixed as they are"
TRUSTAG: Final = "Trustag"
GOLD: Final = "gold labels"
NO_DEV: Final = "Trustag, no dev"
COUNTS: Final = (250, 50, 1000, 100, 500)
"""Numbers of trusted sentences, the most telling first."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One training: a corpus, how many sentences are trusted, what is made of them, and the seed."""

    corpus: str
    count: int
    system: str
    seed: int

    @property
    def key(self) -> list[object]:
        """What tells the cell from all others."""
        return [self.corpus, self.count, self.system, self.seed]


def main() -> None:
    """Train what is missing and write the result file after each training."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--data", "--vectors", "--output"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--seeds", type=int, nargs="*", default=[1])
    parser.add_argument("--counts", type=int, nargs="*", default=list(COUNTS))
    parser.add_argument("--corpora", nargs="*", default=[*CORPORA, *KINDS], choices=[*CORPORA, *KINDS])
    chosen = parser.parse_args()
    if not chosen.data.is_dir():
        print(f"{chosen.data} is not there: skipped")
        return
    rows = json.loads(chosen.output.read_text(encoding="utf-8"))["rows"] if chosen.output.exists() else []
    done = [[row[name] for name in ("corpus", "count", "system", "seed")] for row in rows]
    for cell in cells(chosen.corpora, chosen.counts, chosen.seeds):
        if cell.key not in done:
            rows.append(measured(cell, chosen.data, chosen.vectors / "english_100d.txt.gz"))
            print(aligned([list(rows[-1].values())]), flush=True)
            write_result(chosen.output, {**origin(["torch"]), "rows": rows})


def cells(corpora: Sequence[str], counts: Sequence[int], seeds: Sequence[int]) -> Iterator[Cell]:
    """Yield the trainings: of each seed those without trusted sentences first."""
    for seed in seeds:
        for corpus in corpora:
            compared = (TRUSTAG, NO_DEV) if corpus in KINDS else (TRUSTAG, GOLD)
            yield from (Cell(corpus, 0, system, seed) for system in compared)
        own = [corpus for corpus in corpora if corpus in CORPORA]
        systems = (TRUSTAG, TRUSTED_ONLY, MIXED)
        yield from (Cell(*one, seed) for one in product(own, counts, systems))


def measured(cell: Cell, data: Path, vectors: Path) -> dict[str, Any]:
    """Return the scores, the model that was kept and the processor time of one training."""
    corpus = labelled(cell.corpus, data)
    drawn = SeededRandom(cell.seed, "trusted sentences").shuffled(range(len(corpus.train)))[: cell.count]
    trusted = [_with_gold_labels(corpus.train[number]) for number in drawn]
    whole = with_trusted(corpus.train, trusted, unwatched) if trusted else corpus.train
    sentences = {
        TRUSTAG: whole,
        NO_DEV: whole,
        MIXED: whole,
        TRUSTED_ONLY: tuple(trusted),
        GOLD: tuple(map(_with_gold_labels, corpus.train)),
    }
    recipe = load_recipe(
        "fast",
        [f"bilstm.vectors={vectors}", f"training.seed={cell.seed}"],
        "confidence" if cell.system in {TRUSTAG, NO_DEV} else "bilstm-crf",
    )
    start = time.process_time()
    with tempfile.TemporaryDirectory() as place:
        chosen = Corpus(sentences[cell.system], () if cell.system == NO_DEV else corpus.dev, corpus.test)
        found = train(chosen, recipe, Destination(Path(place) / "run"))
    facts = {"corpus": cell.corpus, "count": cell.count, "system": cell.system, "seed": cell.seed}
    return {
        **facts,
        **_scores(found),
        **_true_rates(sentences[cell.system]),
        "cpu_seconds": round(time.process_time() - start),
    }


def _scores(found: TrainResult) -> dict[str, Any]:
    values = {"dev": _f1(found.scores.dev), "test": _f1(found.scores.test), "kept": found.kept.get("name")}
    for name, scores in (("baseline", found.baseline), ("relabelled", found.relabelled)):
        if scores is not None:
            values |= {f"{name}_dev": _f1(scores.dev), f"{name}_test": _f1(scores.test)}
    if found.analysis is not None:
        rates = found.analysis.rates
        values |= {"negative": [rates.rates.negative, *(rates.negative_interval or ())]}
        values |= {"positive": [rates.rates.positive, *(rates.positive_interval or ())]}
    return values


def labelled(name: str, data: Path) -> Corpus:
    """Return a corpus with the labels that ``name`` says, and its gold labels beside them."""
    if name not in KINDS:
        return splits(data / CORPORA[name])
    corpus = splits(data / SAME_TEXT)
    clean = tuple(map(_with_gold_labels, corpus.train))
    if name == "random":
        return replace(corpus, train=tuple(perturb(clean, Perturbation(0.5, 0.9, 1)).sentences))
    source = KINDS[name]
    if source is None:
        return replace(corpus, train=clean)
    others = {sentence.tokens: sentence.labels for sentence in read_corpus(str(data / source / "train.txt")).train}
    train = (changed(own, labels=others[own.tokens], gold=own.labels) for own in clean)
    return replace(corpus, train=tuple(train))


def splits(folder: Path) -> Corpus:
    """Return the splits of a folder that may hold other files too."""
    train, dev, test = (read_corpus(str(folder / f"{name}.txt")).train for name in ("train", "dev", "test"))
    return Corpus(train, dev, test)


def _with_gold_labels(sentence: Sentence) -> Sentence:
    return changed(sentence, labels=sentence.gold or sentence.labels, gold=None)


def _true_rates(sentences: Sequence[Sentence]) -> dict[str, float]:
    if any(sentence.gold is None for sentence in sentences):
        return {}
    noise = label_noise(sentences)
    return {"true_negative": noise["negative"], "true_positive": noise["positive"]}


def _f1(scores: EntityScores | None) -> float | None:
    return None if scores is None else round(100 * scores.micro.f1, 2)


if __name__ == "__main__":
    main()

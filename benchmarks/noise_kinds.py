"""Whether ranges of noise rates hold, by kind of error: from labels alone, bounded by dev, counted on pairs.

``python -m benchmarks.noise_kinds --data FOLDER --vectors FOLDER --output FILE`` draws some sentences of each corpus
with a gold column, trains the short fold models with which a run begins, and compares what they say of the noise with
the gold column. The result file is written after each corpus, and what it holds is not repeated.
"""

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from msgspec.structs import replace as changed

from benchmarks.machine import aligned, origin, write_result
from benchmarks.trusted import labelled, splits
from trustag.corpora.trainable import types_to_learn
from trustag.data.encoded_corpus import encode
from trustag.data.label_pairs import encode_pairs
from trustag.engines.in_process import InProcess
from trustag.methods.confidence.settings import ConfidenceSettings
from trustag.methods.confidence.task_rates import RATES, find_rates
from trustag.methods.table import choose_method, load_recipe
from trustag.models.network_spec import NetworkSpec
from trustag.noise.perturbation import Perturbation, perturb
from trustag.noise_rates.estimates import Indices, Marks, Rate
from trustag.noise_rates.kinds import KINDS, kind_rates
from trustag.noise_rates.rates import FoundRates
from trustag.notes import Watch, unwatched
from trustag.pipeline.train_run import ignore_report
from trustag.seeded_random import SeededRandom
from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme
from trustag.text.sentences import Corpus, Sentence
from trustag.training.fit_results import FitResult, Job
from trustag.training.jobs import JobRunner
from trustag.training.stages import Plan, Stage
from trustag.training.starting_vectors import given_vectors
from trustag.training.task import Task

SENTENCES: Final = 1200
DEV: Final = 300
PAIRS: Final = 100
STEPS: Final = 300
ALONE: Final = "labels alone"
WITH_DEV: Final = "bounded by dev"
COUNTED: Final = f"{PAIRS} sentences labelled twice"
SOURCES: Final = (ALONE, WITH_DEV, COUNTED)
WRONG: Final = "wrong"
"""All wrong entity labels together, beside the kinds."""


def _of(name: str) -> Callable[[Path], Corpus]:
    return lambda data: splits(data / name)


def _drawn(name: str) -> Callable[[Path], Corpus]:
    """Return a gold corpus of which half of the entities are missed and a tenth of the labels are spurious."""

    def read(data: Path) -> Corpus:
        corpus = splits(data / name)
        return replace(corpus, train=tuple(perturb(corpus.train, Perturbation(0.5, 0.9, 1)).sentences))

    return read


def _clean(name: str) -> Callable[[Path], Corpus]:
    """Return a gold corpus whose labels are right and said to be noisy."""

    def read(data: Path) -> Corpus:
        corpus = splits(data / name)
        return replace(corpus, train=tuple(changed(own, gold=own.labels) for own in corpus.train))

    return read


CORPORA: Final[Mapping[str, tuple[Callable[[Path], Corpus], str]]] = {
    "language model": (_of("noisebench_llm"), "english"),
    "crowd": (_of("noisebench_crowd"), "english"),
    "experts": (lambda data: labelled("experts", data), "english"),
    "dictionary": (lambda data: labelled("dictionary", data), "english"),
    "Webpage distant": (_of("webpage_distant"), "english"),
    "Wikigold distant": (_of("wikigold_distant"), "english"),
    "Tweet distant": (_of("twitter_distant"), "english"),
    "English r0.5p0.9": (_of("conll03_en_r0.5p0.9"), "english"),
    "Spanish r0.5p0.9": (_drawn("conll02_es"), "spanish"),
    "German r0.5p0.9": (_drawn("conll03_de"), "german"),
    "Dutch r0.5p0.9": (_drawn("conll02_nl"), "dutch"),
    "English gold": (_clean("conll03_en"), "english"),
    "German gold": (_clean("conll03_de"), "german"),
}


@dataclass
class SharedJobs:
    """Trainings of which later callers get what the first one trained, with as many predictions as they ask for."""

    jobs: JobRunner
    known: dict[str, FitResult] = field(default_factory=dict)

    @property
    def watch(self) -> Watch:
        """Nobody is told anything."""
        return unwatched

    def run(self, stage: str, jobs: Mapping[str, Job]) -> dict[str, FitResult]:
        """Return the results, trained once."""
        if not self.known:
            self.known = self.jobs.run(stage, jobs)
        return {
            name: replace(self.known[name], outputs=self.known[name].outputs.of(range(len(job.predict))))
            for name, job in jobs.items()
        }

    def reuse(self, done: str, name: str) -> None:
        """Share nothing else."""


def main() -> None:
    """Measure what is missing and write the result file after each corpus."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--data", "--vectors", "--output"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--corpora", nargs="*", default=list(CORPORA), choices=list(CORPORA))
    chosen = parser.parse_args()
    if not chosen.data.is_dir():
        print(f"{chosen.data} is not there: skipped")
        return
    torch.set_num_threads(1)
    rows = json.loads(chosen.output.read_text(encoding="utf-8"))["rows"] if chosen.output.exists() else []
    for name in chosen.corpora:
        if name not in {row["corpus"] for row in rows}:
            read, language = CORPORA[name]
            rows.append(measured(name, read(chosen.data), chosen.vectors / f"{language}_100d.txt.gz"))
            print(aligned([[name, rows[-1]["cpu_seconds"], str(rows[-1][WITH_DEV]["missed"])]]), flush=True)
            write_result(chosen.output, {**origin(["torch"]), "rows": rows})


def measured(name: str, corpus: Corpus, vectors: Path) -> dict[str, Any]:
    """Return the true rates by kind, and what each source says of them."""
    start = time.process_time()
    train, dev = _some(corpus.train, SENTENCES, "train"), _some(corpus.dev, DEV, "dev")
    changes = [f"bilstm.vectors={vectors}", f"training.least_steps={STEPS}"]
    task, settings = _task(train, dev, changes)
    labels = task.corpus.labels
    pairs = replace(task, pairs=encode_pairs(_some(train, PAIRS, "pairs"), labels))
    stage = Stage(RATES, "", "", settings.rounds.folds, settings.rates.estimate_epochs)
    found: dict[str, FoundRates] = {}
    with tempfile.TemporaryDirectory() as place, InProcess() as engine:
        jobs = SharedJobs(JobRunner(Path(place), engine, unwatched, ignore_report, Plan([stage])))
        for source, own in ((WITH_DEV, task), (ALONE, replace(task, dev=())), (COUNTED, pairs)):
            found[source] = find_rates(own, settings, jobs).found
    gold = task.corpus.gold_ids
    if gold is None:
        raise ValueError(f"{name} has no gold column")
    return {
        "corpus": name,
        "sentences": len(train),
        "dev": len(dev),
        "true": _true(task.corpus.label_ids.numpy(), gold.numpy(), labels),
        **{source: _ranges(rates) for source, rates in found.items()},
        "cpu_seconds": round(time.process_time() - start),
    }


def _some(sentences: Sequence[Sentence], count: int, what: str) -> tuple[Sentence, ...]:
    numbers = sorted(SeededRandom(1, f"some of {what}").shuffled(range(len(sentences)))[:count])
    return tuple(sentences[number] for number in numbers)


def _task(train: Sequence[Sentence], dev: Sequence[Sentence], changes: list[str]) -> tuple[Task, ConfidenceSettings]:
    recipe = load_recipe("fast", changes, "confidence")
    settings = choose_method(recipe).settings
    if not isinstance(settings, ConfidenceSettings):
        raise TypeError("the default recipe is of another method")
    counts = Counter(token for part in (train, dev) for sentence in part for token in sentence.tokens)
    network = NetworkSpec(
        recipe.network, given_vectors(recipe, counts, unwatched), None, recipe.bilstm.finetune_vectors
    )
    corpus = encode(train, LabelSet.of(types_to_learn(train), Scheme.IOBES))
    return Task(train, dev, corpus, Scheme.IOB2, network, recipe.training, recipe.training.batch_size), settings


def _true(given: Indices, gold: Indices, labels: LabelSet) -> dict[str, float]:
    def share(marked: Marks, chosen: Marks) -> Rate:
        value = float(marked.sum() / max(1, chosen.sum()))
        return Rate(value, value, value)

    kinds = kind_rates(given, gold, labels, share)
    rates = {kind: getattr(kinds, kind).estimate for kind in KINDS}
    return {**rates, WRONG: float(np.sum([rates[kind] for kind in KINDS[1:]]))}


def _ranges(found: FoundRates) -> dict[str, dict[str, float]]:
    """Return the estimate and range of each kind that is known, and of all wrong entity labels."""
    rates = {} if found.kinds is None else {kind: asdict(getattr(found.kinds, kind)) for kind in KINDS}
    if found.negative_interval is not None and found.positive_interval is not None:
        low, high = found.negative_interval
        rates.setdefault("missed", {"estimate": found.rates.negative, "low": low, "high": high})
        low, high = found.positive_interval
        rates[WRONG] = {"estimate": found.rates.positive, "low": low, "high": high}
    return rates


if __name__ == "__main__":
    main()

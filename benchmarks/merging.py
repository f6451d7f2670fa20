"""What merging several sources is worth: simulated annotators of known quality on real corpora.

``python -m benchmarks.merging --data FOLDER --vectors FOLDER --output FILE`` makes three annotators from gold labels
of each corpus, merges them in every way, compares what is estimated of each annotator with the truth, and trains on the
merged labels. The result file is written after each training; what it holds is not repeated.
"""

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, get_args

from msgspec.structs import replace

from benchmarks.machine import aligned, origin, write_result
from trustag.aggregation.labellings import Labellings, from_files
from trustag.aggregation.merging import Merged, Rule, merge
from trustag.corpora.locating import stream
from trustag.methods.table import load_recipe
from trustag.noise.perturbation import Perturbation, perturb
from trustag.notes import unwatched
from trustag.pipeline import Destination, train
from trustag.text.scoring import EntityTally
from trustag.text.sentences import Corpus, Sentence
from trustag.text.soft_labels import PROBABILITIES

CORPORA: Final = {"Wikigold": "wikigold_distant", "CoNLL": "conll03_en"}
ANNOTATORS: Final = {
    "anna": Perturbation(0.9, 0.95, 1, "mention", 0.03, 0.03),
    "ben": Perturbation(0.7, 0.85, 2, "mention", 0.08, 0.08),
    "carla": Perturbation(0.55, 0.8, 3, "mention", 0.1, 0.1),
}
VECTORS: Final = "english_100d.txt.gz"
SYSTEMS: Final[dict[str, tuple[Rule, bool]]] = {
    "vote": ("vote", False),
    "hmm, labels": ("hmm", False),
    "hmm, probabilities": ("hmm", True),
}
TRAINED_ON: Final = 3000
DEV: Final = 1000
Found = dict[str, Any]


def main() -> None:
    """Merge, train, and leave the figures in a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--vectors", type=Path, required=True)
    parser.add_argument("--corpora", nargs="*", default=list(CORPORA))
    parser.add_argument("--seeds", type=int, nargs="*", default=[1, 2, 3])
    parser.add_argument("--output", type=Path, required=True)
    chosen = parser.parse_args()
    found = json.loads(chosen.output.read_text(encoding="utf-8")) if chosen.output.exists() else {}
    merged, trained = list(found.get("merged", [])), list(found.get("trained", []))
    facts = {**origin(["numpy", "torch"]), "annotators": {name: asdict(one) for name, one in ANNOTATORS.items()}}
    for name in chosen.corpora:
        folder = chosen.data / CORPORA[name]
        if not folder.is_dir():
            print(f"skipped: {folder} is not here")
            continue
        sentences = true_sentences(folder)
        if not any(row["corpus"] == name for row in merged):
            merged += merged_rows(name, sentences)
            write_result(chosen.output, {**facts, "merged": merged, "trained": trained})
        for seed in chosen.seeds:
            for system in SYSTEMS:
                if any((row["corpus"], row["seed"], row["system"]) == (name, seed, system) for row in trained):
                    continue
                row = {"corpus": name, "seed": seed, "system": system}
                trained.append({**row, **trained_on(sentences, folder, chosen.vectors / VECTORS, system, seed)})
                print(aligned([list(trained[-1]), list(trained[-1].values())]), flush=True)
                write_result(chosen.output, {**facts, "merged": merged, "trained": trained})


def true_sentences(folder: Path) -> list[Sentence]:
    """Return the training sentences with gold labels only."""
    every = stream(str(folder / "train.txt"))
    return [own if own.gold is None else replace(own, labels=own.gold, gold=None) for own in every]


def annotated(sentences: Sequence[Sentence]) -> Labellings:
    """Return what the annotators made of the sentences."""
    noisy = {name: perturb(sentences, noise).sentences for name, noise in ANNOTATORS.items()}
    return from_files(noisy, unwatched)


def merged_rows(name: str, sentences: Sequence[Sentence]) -> list[Found]:
    """Return the quality of the merged labels by rule, beside what is estimated of every annotator and the truth."""
    labellings, rows = annotated(sentences), []
    for rule in get_args(Rule):
        result = merge(labellings, rule, 0.0, unwatched)
        tally = EntityTally()
        for true, own in zip(sentences, result.sentences, strict=True):
            tally.add(true.labels, own.labels)
        micro = tally.result().micro
        scores = {"precision": micro.precision, "recall": micro.recall, "f1": micro.f1}
        rows.append({"corpus": name, "rule": rule, **scores, "sources": _sources(result)})
    return rows


def _sources(result: Merged) -> list[Found]:
    return [
        {
            "name": one.name,
            "estimated": _values(asdict(one.estimated), one.estimated.f1),
            "measured": None if one.measured is None else _values(asdict(one.measured), one.measured.f1),
        }
        for one in result.sources
    ]


def _values(values: Mapping[str, float], f1: float) -> dict[str, float]:
    return {**values, "f1": f1}


def trained_on(sentences: Sequence[Sentence], folder: Path, vectors: Path, system: str, seed: int) -> Found:
    """Return the scores of a BiLSTM-CRF that learned from the first merged sentences, with or without probabilities."""
    rule, soft = SYSTEMS[system]
    result = merge(annotated(sentences[:TRAINED_ON]), rule, 0.0, unwatched)
    train_on = [own if soft else _without_probabilities(own) for own in result.sentences]
    dev, test = (tuple(stream(str(folder / f"{split}.txt"))) for split in ("dev", "test"))
    recipe = load_recipe("fast", [f"training.seed={seed}", f"bilstm.vectors='{vectors}'"], "bilstm-crf")
    with tempfile.TemporaryDirectory() as place:
        run = Destination(Path(place) / "run")
        scores = train(Corpus(tuple(train_on), dev[:DEV], test), recipe, run).scores
    if scores.dev is None or scores.test is None:
        raise ValueError(f"{folder}: no dev or test")
    return {"dev": scores.dev.micro.f1, "test": scores.test.micro.f1}


def _without_probabilities(sentence: Sentence) -> Sentence:
    columns = {name: values for name, values in sentence.columns.items() if name != PROBABILITIES}
    return replace(sentence, columns=columns)


if __name__ == "__main__":
    main()

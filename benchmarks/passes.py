"""What each way to save passes over the corpus costs: processor time, F1, and the ranking of wrong labels.

``python -m benchmarks.passes --data FOLDER --vectors FOLDER --output results/passes.json`` trains variants of the
default recipe with the confidence method. A variant changes settings, or what a stage starts from, how long it takes
and with which batches. Trainings that several variants share are done once (``--keep FOLDER`` keeps them between
sittings); their processor time counts for each of them. Rows that the result file holds already are not made again.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import torch

from benchmarks.machine import aligned, commit, origin, write_result
from benchmarks.passes_method import PRESENT, VariedMethod
from benchmarks.passes_variants import VARIANTS, Variant
from benchmarks.systems import EVERY_CORPUS
from benchmarks.trusted import splits
from trustag.data.encoded_corpus import encode
from trustag.experiments.corpora import load_splits
from trustag.experiments.entity_errors import candidates_from_issues, match_to_gold
from trustag.experiments.ranking_metrics import ranking_quality
from trustag.label_quality.analysis import LabelAnalysis
from trustag.methods.table import load_recipe
from trustag.notes import Note
from trustag.pipeline import Destination, TrainResult, train
from trustag.seeded_random import SeededRandom
from trustag.text.label_sets import LabelSet
from trustag.text.labels import entity_types
from trustag.text.sentences import Corpus

REAL_NOISE: Final = {"language model": "noisebench_llm", "crowd": "noisebench_crowd"}
Row = dict[str, Any]


def measured(variant: Variant, name: str, seed: int, places: argparse.Namespace) -> Row:
    """Return what one variant costs and reaches on one corpus."""
    corpus, vectors = _corpus(name, places)
    folder = places.keep / f"{name}-{seed}".replace(" ", "-")
    method = VariedMethod(variant, folder)
    PRESENT.append(method)
    changes = [f"bilstm.vectors={vectors}", f"training.seed={seed}", *variant.changes]
    recipe = load_recipe("fast", [*changes, "method.name=benchmarks.passes_method:METHOD"])
    notes: list[Note] = []
    begin = time.process_time()
    with tempfile.TemporaryDirectory() as place:
        found = train(corpus, recipe, Destination(Path(place) / "run"), watch=notes.append)
    rest = time.process_time() - begin
    total = sum(part["cpu_seconds"] for part in method.cost.values())
    return {
        "variant": variant.name,
        "corpus": name,
        "seed": seed,
        "commit": commit(),
        "trainings_cpu_seconds": round(total, 1),
        "passes": round(sum(part["tokens"] for part in method.cost.values()) / sum(map(len, corpus.train)), 1),
        **_scores(found),
        **(_ranking(corpus, found.analysis) if found.analysis else {}),
        "parts": method.cost,
        "all_cpu_seconds": round(rest, 1),
    }


def _corpus(name: str, places: argparse.Namespace) -> tuple[Corpus, Path]:
    whole, _, count = name.partition(", ")
    if count:
        corpus, vectors = _corpus(whole, places)
        train, dev = (
            tuple(SeededRandom(1, part).shuffled(sentences)[:most])
            for part, sentences, most in (("train", corpus.train, int(count)), ("dev", corpus.dev, 1000))
        )
        return Corpus(train, dev, corpus.test), vectors
    if name in REAL_NOISE:
        return splits(places.data / REAL_NOISE[name]), places.vectors / "english_100d.txt.gz"
    located = EVERY_CORPUS[name].located(places.data, places.vectors)
    return load_splits(located), Path(located.vectors)


def _scores(found: TrainResult) -> Row:
    row: Row = {"kept": found.kept.get("name"), "test": _f1(found.scores.test), "dev": _f1(found.scores.dev)}
    for name, scores in (("baseline", found.baseline), ("relabelled", found.relabelled)):
        if scores is not None:
            row |= {f"{name}_test": _f1(scores.test), f"{name}_dev": _f1(scores.dev)}
    if found.analysis is not None:
        rates = found.analysis.rates.rates
        row["rates"] = [round(rates.negative, 4), round(rates.positive, 4)]
    return row


def _ranking(corpus: Corpus, analysis: LabelAnalysis) -> Row:
    sentences = analysis.relabelled if corpus.train is None else corpus.train
    if any(sentence.gold is None for sentence in sentences):
        return {}
    labels = LabelSet.of(entity_types(label for sentence in sentences for label in sentence.labels))
    encoded = encode(sentences, labels)
    gold = encoded.gold_ids
    if gold is None:
        return {}
    known = ((encoded.label_ids >= 0) & (gold >= 0)).numpy()
    wrong = analysis.columns["wrong"].astype(float)
    tokens = ranking_quality((encoded.label_ids != gold).numpy()[known], wrong[known])
    rows = [row.numpy() for row in torch.split(torch.from_numpy(wrong), encoded.lengths)]
    entities = match_to_gold(sentences, candidates_from_issues(sentences, analysis.issues, rows)).quality()
    return {"ap_labels": _rounded(tokens["average_precision"]), "ap_entities": _rounded(entities["average_precision"])}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _f1(scores: Any) -> float | None:
    return None if scores is None else round(100 * scores.micro.f1, 2)


def main() -> None:
    """Measure what is missing and write the result file after each row."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--data", "--vectors", "--output"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "trustag-passes")
    parser.add_argument("--corpora", nargs="*", default=["Wikigold distant", "English, 3000", "English"])
    parser.add_argument("--variants", nargs="*", default=[variant.name for variant in VARIANTS])
    parser.add_argument("--seeds", type=int, nargs="*", default=[1])
    chosen = parser.parse_args()
    if not chosen.data.is_dir():
        print(f"{chosen.data} is not there: skipped")
        return
    by_name = {variant.name: variant for variant in VARIANTS}
    for seed in chosen.seeds:
        for corpus in chosen.corpora:
            for name in chosen.variants:
                rows = _known(chosen.output)
                if [name, corpus, seed] not in [[row["variant"], row["corpus"], row["seed"]] for row in rows]:
                    rows.append(measured(by_name[name], corpus, seed, chosen))
                    print(aligned([[value for key, value in rows[-1].items() if key != "parts"]]), flush=True)
                    write_result(chosen.output, {**origin(["torch"]), "rows": rows})


def _known(output: Path) -> list[Row]:
    return list(json.loads(output.read_text(encoding="utf-8"))["rows"]) if output.exists() else []


if __name__ == "__main__":
    main()

"""What the method costs on English: the default recipe with one worker and with two, and the paper's own protocol.

``python -m benchmarks.method_cost --data FOLDER --vectors FOLDER --output results/method_cost.json`` trains the default
recipe twice through the command line. The paper's protocol would take hours, so its cost is projected: two short runs
of the recipe ``paper`` that differ by one epoch give the processor time of an epoch, setting-up apart.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from benchmarks.commands import measured
from benchmarks.machine import aligned, origin, write_result
from benchmarks.systems import CORPORA
from trustag.corpora.locating import read_corpus
from trustag.data.encoded_corpus import encode
from trustag.methods.table import choose_method, load_recipe
from trustag.models.network_spec import NetworkSpec
from trustag.recipes.settings import Recipe
from trustag.text.label_sets import LabelSet
from trustag.text.labels import entity_types
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence
from trustag.training.stages import Plan
from trustag.training.task import Task

Found = dict[str, Any]
CORPUS: Final = CORPORA["English"]
# One round, rates as given: an epoch more costs a pass of each fold model over its half and one of the final model.
SHORT: Final = (
    *("method.rounds.count=1", "method.rates.source=given"),
    *("method.rates.negative=0.09", "method.rates.positive=0.14"),
)
PASSES_A_SHORT_EPOCH: Final = 2


def trained(data: Path, vectors: Path, recipe: str, workers: int, settings: tuple[str, ...]) -> Found:
    """Train once; returns processor and wall-clock seconds and the dev F1."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["train", str(data / CORPUS.folder), "-o", f"{folder}/run", "--recipe", recipe]
        command += ["--vectors", str(CORPUS.vectors(vectors)), "--workers", str(workers), "--json", "--quiet"]
        for setting in ("method.rounds.baseline=false", *settings):
            command += ["--set", setting]
        began = time.monotonic()
        printed, seconds = measured(command)
        wall = time.monotonic() - began
    result = json.loads(printed.splitlines()[-1])
    return {"cpu_seconds": round(seconds, 1), "wall_seconds": round(wall, 1), "dev_f1": result["dev"]["f1"]}


def passes(recipe: str, sentences: tuple[Sentence, ...]) -> float:
    """Return the passes over the whole corpus that a recipe takes, its baseline apart."""
    settings = load_recipe(recipe, ["method.rounds.baseline=false"])
    chosen = choose_method(settings)
    return Plan(chosen.method.plan(_task(settings, sentences), chosen.settings)).passes


def _task(recipe: Recipe, sentences: tuple[Sentence, ...]) -> Task:
    labels = LabelSet.of(entity_types(label for sentence in sentences for label in sentence.labels))
    network = NetworkSpec(recipe.network, None, None, recipe.bilstm.finetune_vectors)
    batch_size = recipe.training.batch_size
    return Task(sentences, (), encode(sentences, labels), Scheme.IOB2, network, recipe.training, batch_size)


def main() -> None:
    """Measure and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--data", "--vectors", "--output"):
        parser.add_argument(name, type=Path, required=True)
    arguments = parser.parse_args()
    data, vectors = arguments.data, arguments.vectors
    if not data.is_dir():
        print(f"{data} is not there: skipped")
        return
    sentences = read_corpus(str(data / CORPUS.folder)).train
    found: Found = {**origin(("torch", "numpy"), 1), "sentences": len(sentences)}
    found["fast"] = {str(workers): trained(data, vectors, "fast", workers, ()) for workers in (1, 2)}
    one, two = (
        trained(
            *(data, vectors, "paper", 1),
            (*SHORT, f"training.epochs={epochs}", f"method.rounds.fold_epochs={epochs}"),
        )
        for epochs in (1, 2)
    )
    a_pass = (two["cpu_seconds"] - one["cpu_seconds"]) / PASSES_A_SHORT_EPOCH
    protocol = passes("paper", sentences)
    found["paper"] = {
        "short_runs": [one, two],
        "cpu_seconds_a_pass": round(a_pass, 1),
        "passes": protocol,
        "projected_cpu_seconds": round(a_pass * protocol),
    }
    found["fast"]["passes"] = passes("fast", sentences)
    single, double = (found["fast"][workers] for workers in ("1", "2"))
    found["times_cheaper"] = round(a_pass * protocol / single["cpu_seconds"], 1)
    found["two_workers_speedup"] = round(single["wall_seconds"] / double["wall_seconds"], 2)
    write_result(arguments.output, found)
    print(aligned([[name, json.dumps(found[name])] for name in ("fast", "paper", "times_cheaper")]))


if __name__ == "__main__":
    main()

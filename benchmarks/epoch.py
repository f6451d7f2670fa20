"""Speed of training: one epoch of English CoNLL beside a trainer as it is usually written, and beside the processor.

``python -m benchmarks.epoch --data FOLDER --vectors FILE --output results/epoch.json``. The contenders train the same
network on one thread: ours with the ``fast`` recipe, ours with batches of 10, and the plain trainer with the very same
batches of 10. They take turns, a slice of the epoch at a time, and do so several times from the same beginning. A time
is processor time, the least of a slice's repeats, added up over the whole epoch. Between the slices a large matrix
product tells the peak of the core. The share of it counts the arithmetic of every token with all its characters; ours
reads each distinct spelling of a batch once, so that a part of that arithmetic is saved, not done.
"""

import argparse
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import torch

from benchmarks.machine import aligned, origin, write_result
from benchmarks.plain_trainer import PlainTrainer
from trustag.corpora.locating import read_corpus
from trustag.data.encoded_corpus import EncodedCorpus, encode
from trustag.methods.table import load_recipe
from trustag.models.building import new_network
from trustag.models.network_spec import GivenVectors, NetworkSpec
from trustag.notes import unwatched
from trustag.recipes.settings import Recipe
from trustag.text.label_sets import LabelSet
from trustag.text.labels import entity_types
from trustag.training.batches import draw_batches
from trustag.training.loop import LoopSettings, Training
from trustag.training.objectives import GivenLabels
from trustag.training.schedule import fit_schedule
from trustag.training.starting_vectors import given_vectors

SEED: Final = 1
SLICES: Final = 20
REPEATS: Final = 3
PEER_BATCH: Final = 10
FLOP_A_TOKEN: Final = 1.48e6
PRODUCT_SIZE: Final = 2048
OURS, OURS_SMALL, PEER = "trustag, batches of 32", "trustag, batches of 10", "plain trainer, batches of 10"
GOALS: Final = {
    "times the plain trainer": 5.0,
    "times the plain trainer with its batches": 2.0,
    "share of the core's peak": 0.25,
}


@dataclass(frozen=True, slots=True)
class Task:
    """What every contender trains on."""

    corpus: EncodedCorpus
    vectors: GivenVectors


class Epoch(NamedTuple):
    """An epoch in progress: one item a step, how many steps there are, and the loss so far."""

    steps: Iterator[object]
    length: int
    loss_sum: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Found:
    """The least seconds of a contender's epoch, and its mean loss a sentence, which shows that it learns."""

    seconds: float
    loss: float


def our_recipe(vectors: Path, *changes: str) -> Recipe:
    """Return the ``fast`` recipe with these vectors and changes."""
    return load_recipe("fast", [f"bilstm.vectors='{vectors}'", f"training.seed={SEED}", *changes])


def small_batches(vectors: Path) -> Recipe:
    """Return the ``fast`` recipe with batches as the plain trainer has them."""
    return our_recipe(vectors, f"training.batch_size={PEER_BATCH}", "training.batches='shuffled'")


def our_epoch(task: Task, recipe: Recipe) -> Epoch:
    """Return an epoch of our training, ready to begin."""
    torch.manual_seed(SEED)
    corpus, settings = task.corpus, recipe.training
    spec = NetworkSpec(recipe.network, task.vectors, None, recipe.bilstm.finetune_vectors)
    network = new_network(corpus.tokens, corpus.labels, spec, unwatched)
    schedule = fit_schedule(settings, len(corpus), settings.batch_size, seed=settings.seed)
    objective = GivenLabels().build(corpus, network, schedule)
    training = Training(network, corpus, objective, LoopSettings(recipe.network, settings, schedule))
    length = -(-len(corpus) // settings.batch_size)
    return Epoch(training.run(None), length, lambda: training.progress.loss_sum)


def plain_epoch(task: Task) -> Epoch:
    """Return an epoch of the plain trainer, ready to begin."""
    torch.manual_seed(SEED)
    trainer = PlainTrainer(task.corpus, task.vectors)
    batches = draw_batches(task.corpus.lengths, PEER_BATCH, "shuffled", SEED, epoch=0)
    return Epoch(trainer.run(batches), len(batches), lambda: trainer.loss_sum)


def measure(task: Task, vectors: Path, repeats: int) -> tuple[dict[str, Found], float]:
    """Return what was found of each contender, and the peak of the core in FLOP/s."""
    beginnings: dict[str, Callable[[], Epoch]] = {
        OURS: lambda: our_epoch(task, our_recipe(vectors)),
        OURS_SMALL: lambda: our_epoch(task, small_batches(vectors)),
        PEER: lambda: plain_epoch(task),
    }
    least = {name: [float("inf")] * SLICES for name in beginnings}
    losses: dict[str, float] = {}
    peak = 0.0
    for repeat in range(repeats):
        print(f"repeat {repeat + 1} of {repeats} ...", file=sys.stderr)
        epochs = {name: begin() for name, begin in beginnings.items()}
        for place in range(SLICES):
            peak = max(peak, product_speed())
            for name, epoch in epochs.items():
                least[name][place] = min(least[name][place], _slice_seconds(epoch, place))
        losses = {name: epoch.loss_sum() / len(task.corpus) for name, epoch in epochs.items()}
    return {name: Found(sum(seconds), losses[name]) for name, seconds in least.items()}, peak


def _slice_seconds(epoch: Epoch, place: int) -> float:
    steps = epoch.length * (place + 1) // SLICES - epoch.length * place // SLICES
    begin = time.process_time()
    deque(islice(epoch.steps, steps), maxlen=0)
    return time.process_time() - begin


def product_speed() -> float:
    """Return the FLOP/s of one large product of matrices in single precision."""
    left, right = torch.rand(2, PRODUCT_SIZE, PRODUCT_SIZE).unbind(0)
    out = torch.empty(PRODUCT_SIZE, PRODUCT_SIZE)
    begin = time.process_time()
    torch.mm(left, right, out=out)
    return 2 * PRODUCT_SIZE**3 / (time.process_time() - begin)


def prepare(data: Path, vectors: Path) -> Task:
    """Return the training sentences of ``data``, encoded, with the vectors of their words."""
    corpus = read_corpus(str(data))
    counts = Counter(token for sentence in corpus.train for token in sentence.tokens)
    given = given_vectors(our_recipe(vectors), counts, unwatched)
    if given is None:
        raise ValueError("the recipe takes no vectors")
    labels = LabelSet.of(entity_types(label for sentence in corpus.train for label in sentence.labels))
    return Task(encode(corpus.train, labels), given)


def summary(found: dict[str, Found], peak: float, tokens: int) -> dict[str, Any]:
    """Return times, ratios and goals as the result file holds them."""
    ratios = {name: found[PEER].seconds / one.seconds for name, one in found.items()}
    shares = {name: FLOP_A_TOKEN * tokens / one.seconds / peak for name, one in found.items()}
    measures = (ratios[OURS], ratios[OURS_SMALL], shares[OURS])
    return {
        "contenders": {
            name: {
                "seconds": round(one.seconds, 2),
                "microseconds_per_token": round(1e6 * one.seconds / tokens, 2),
                "times_as_fast_as_plain": round(ratios[name], 2),
                "share_of_peak": round(shares[name], 3),
                "loss_a_sentence": round(one.loss, 3),
            }
            for name, one in found.items()
        },
        "goals": {
            name: {"found": round(value, 3), "goal": goal, "passed": value >= goal}
            for (name, goal), value in zip(GOALS.items(), measures, strict=True)
        },
    }


def main() -> None:
    """Measure, print a table and write the result file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the corpus")
    parser.add_argument("--vectors", type=Path, required=True, help="a file of word vectors")
    parser.add_argument("--output", type=Path, required=True, help="the result file to write")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    arguments = parser.parse_args()
    facts = origin(("torch", "numpy", "pytorch-crf"), SEED)
    for path in (arguments.data, arguments.vectors):
        if not path.exists():
            print(f"{path} is not there: skipped")
            return
    torch.set_num_threads(1)
    task = prepare(arguments.data, arguments.vectors)
    found, peak = measure(task, arguments.vectors, arguments.repeats)
    tokens = sum(task.corpus.lengths)
    result = summary(found, peak, tokens)
    heading = ("contender", "seconds", "µs a token", "times as fast as plain", "share of peak", "loss a sentence")
    print(aligned([heading, *((name, *row.values()) for name, row in result["contenders"].items())]))
    print(aligned([(name, goal["found"], goal["goal"], goal["passed"]) for name, goal in result["goals"].items()]))
    sizes = {"sentences": len(task.corpus), "tokens": tokens, "slices": SLICES}
    speed = {"repeats": arguments.repeats, "threads": 1, "peak_gflop_a_second": round(peak / 1e9, 1)}
    write_result(arguments.output, {**facts, **sizes, **speed, "flop_a_token": FLOP_A_TOKEN, **result})


if __name__ == "__main__":
    main()

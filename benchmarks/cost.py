"""How the cost of the chain and of training grows: with the length of sentences, the number of labels, the corpus.

``python -m benchmarks.cost --output results/cost.json`` measures processor time on one thread, the least of rounds in
which the sizes take turns, and fits the slope of each curve with both axes logarithmic: one is linear, two quadratic.
The slope of the last step is that of large sizes, where fixed costs no longer matter. No corpus is needed: the scores
are random and the sentences of the epochs are those of the built-in corpus under several seeds.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Final

import numpy as np
import torch

from benchmarks.machine import aligned, origin, write_result
from trustag.corpora.demo import demo_corpus
from trustag.crf import Chain, one_hot_mask, partial_loss, viterbi_decode
from trustag.data.encoded_corpus import encode
from trustag.methods.table import load_recipe
from trustag.models.building import new_network
from trustag.models.network_spec import NetworkSpec
from trustag.notes import unwatched
from trustag.text.label_sets import LabelSet
from trustag.text.labels import entity_types
from trustag.text.sentences import Sentence
from trustag.training.loop import LoopSettings, Training
from trustag.training.objectives import GivenLabels
from trustag.training.schedule import fit_schedule

SEED: Final = 1
LENGTHS: Final = (10, 20, 50, 100, 200, 500, 1000)
LABEL_COUNTS: Final = (5, 9, 17, 33, 65, 129)
CORPUS_SIZES: Final = (500, 1000, 2000, 4000, 8000)
ROUNDS: Final = 100
# A slope may be this much above the power it stands for: caches fill up as sizes grow.
TOLERANCE: Final = 0.15

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Curve:
    """Seconds of some work at growing sizes, the fitted slope, and the power that it must not exceed."""

    work: str
    grows: str
    setting: str
    sizes: list[int]
    seconds: list[float]
    slope: float
    slope_at_the_end: float
    at_most: int
    passed: bool


def curve(names: tuple[str, str, str], works: dict[int, Work], rounds: int, at_most: int) -> Curve:
    """Return the least time of each size over all rounds, and what it says."""
    least = dict.fromkeys(works, float("inf"))
    for work in works.values():
        work()
    for _ in range(rounds):
        for size, work in works.items():
            begin = time.process_time()
            work()
            least[size] = min(least[size], time.process_time() - begin)
    sizes, seconds = list(least), list(least.values())
    slope, end = _slope(sizes, seconds), _slope(sizes[-2:], seconds[-2:])
    passed = max(slope, end) <= at_most + TOLERANCE
    return Curve(*names, sizes, [round(s, 6) for s in seconds], round(slope, 2), round(end, 2), at_most, passed)


def _slope(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


class Scores:
    """Random scores of a batch."""

    def __init__(self, sentences: int, tokens: int, labels: int) -> None:
        draw = torch.Generator().manual_seed(SEED)
        self.emissions = torch.randn(sentences, tokens, labels, generator=draw).requires_grad_()
        moves = torch.randn(labels + 2, labels, generator=draw).requires_grad_()
        self.leaves = [self.emissions, moves]
        self.chain = Chain(moves[2:], moves[0], moves[1])
        self.mask = torch.ones(sentences, tokens, dtype=torch.bool)
        given = torch.randint(labels, (sentences, tokens), generator=draw)
        self.allowed = one_hot_mask(given, labels) | (torch.rand(sentences, tokens, labels, generator=draw) < 0.3)

    def loss(self) -> None:
        """Find the partial loss and its gradient."""
        losses = partial_loss(self.emissions, self.chain, self.mask, self.allowed).loss
        torch.autograd.grad(losses.sum(), self.leaves, retain_graph=True)

    def best(self) -> None:
        """Find the best paths."""
        viterbi_decode(self.emissions, self.chain, self.mask)


def chain_curves() -> Iterator[Curve]:
    """Yield the curves of the chain."""
    by_length = {tokens: Scores(8, tokens, 17) for tokens in LENGTHS}
    by_labels = {labels: Scores(32, 50, labels) for labels in LABEL_COUNTS}
    for grows, setting, scores, at_most in (
        ("tokens of a sentence", "8 sentences, 17 labels", by_length, 1),
        ("labels", "32 sentences of 50 tokens", by_labels, 2),
    ):
        losses: dict[int, Work] = {size: made.loss for size, made in scores.items()}
        yield curve(("partial loss and gradient", grows, setting), losses, ROUNDS, at_most)
        paths: dict[int, Work] = {size: made.best for size, made in scores.items()}
        yield curve(("best path", grows, setting), paths, ROUNDS, at_most)


def epoch_curve() -> Curve:
    """Return the curve of one epoch of training."""
    every = chain.from_iterable(demo_corpus(seed).train for seed in range(1, 100))
    sentences = list(islice(every, CORPUS_SIZES[-1]))
    works: dict[int, Work] = {size: epoch_of(sentences[:size]) for size in CORPUS_SIZES}
    setting = "sentences of the built-in corpus, recipe fast, random vectors"
    return curve(("one epoch of training", "sentences", setting), works, 2, 1)


def epoch_of(sentences: Sequence[Sentence]) -> Work:
    """Return the work of one epoch over ``sentences``; a second call trains anew."""
    recipe = load_recipe("fast", ["bilstm.random_vectors=true", "training.epochs=1"])
    labels = LabelSet.of(entity_types(label for sentence in sentences for label in sentence.labels))
    corpus = encode(sentences, labels)
    spec = NetworkSpec(recipe.network, None, None, recipe.bilstm.finetune_vectors)
    schedule = fit_schedule(recipe.training, len(corpus), recipe.training.batch_size, seed=recipe.training.seed)
    settings = LoopSettings(recipe.network, recipe.training, schedule)

    def work() -> None:
        torch.manual_seed(SEED)
        network = new_network(corpus.tokens, labels, spec, unwatched)
        for _ in Training(network, corpus, GivenLabels().build(corpus, network, schedule), settings).run(None):
            pass

    return work


def main() -> None:
    """Measure, print a table and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="the result file to write")
    output: Path = parser.parse_args().output
    torch.set_num_threads(1)
    found = [*chain_curves(), epoch_curve()]
    heading = ("work", "against", "smallest", "largest", "slope", "at the end", "at most")
    rows = [(c.work, c.grows, c.seconds[0], c.seconds[-1], c.slope, c.slope_at_the_end, c.at_most) for c in found]
    print(aligned([heading, *rows]))
    facts = origin(("torch", "numpy"), SEED)
    write_result(output, {**facts, "threads": 1, "tolerance": TOLERANCE, "curves": [asdict(c) for c in found]})


if __name__ == "__main__":
    main()

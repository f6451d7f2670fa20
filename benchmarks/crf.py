"""Speed of the CRF compared with pytorch-crf and torch-struct, on one thread, in one run.

``python -m benchmarks.crf --output results/crf.json``. All libraries get the same scores, and their results are
compared first. Times are CPU time, the minimum over many rounds in which the libraries take turns; a turn is as many
calls as it takes to be warm.
"""

import argparse
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, NamedTuple

import torch
from torch import Tensor
from torch_struct import LinearChainCRF
from torchcrf import CRF

from benchmarks.machine import aligned, origin, write_result
from trustag.crf import (
    Chain,
    log_partition,
    n_best_viterbi,
    one_hot_mask,
    partial_loss,
    token_marginals,
    viterbi_decode,
)

LABELS: Final = 17
SEED: Final = 1
TOLERANCE: Final = 1e-2
OURS: Final = "trustag"


class Shape(NamedTuple):
    """The shape of a batch, the number of rounds to measure, and the number of calls in a turn."""

    sentences: int
    tokens: int
    rounds: int
    calls: int


SHAPES: Final = (Shape(10, 15, rounds=240, calls=5), Shape(64, 100, rounds=30, calls=1))


class Contender(NamedTuple):
    """A library at a task: a description of what it computes, and the function that computes it."""

    task: str
    library: str
    does: str
    work: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Measurement:
    """CPU time per token of one library at one task and shape, and its ratio to our time."""

    task: str
    sentences: int
    tokens: int
    library: str
    does: str
    microseconds_per_token: float
    times_ours: float | None


class Scores:
    """Random emissions and transitions of one shape, in the form that each library takes."""

    def __init__(self, shape: Shape) -> None:
        generator = torch.Generator().manual_seed(SEED)
        size = (shape.sentences, shape.tokens, LABELS)
        self.emissions = (3 * torch.randn(size, generator=generator)).requires_grad_()
        self.mask = torch.ones(size[:2], dtype=torch.bool)
        self.labels = torch.randint(LABELS, size[:2], generator=generator)
        self.allowed = (torch.rand(size, generator=generator) < 0.3) | one_hot_mask(self.labels, LABELS)
        self.peer = CRF(LABELS, batch_first=True)
        for scores in self.peer.parameters():
            torch.nn.init.normal_(scores, generator=generator)
        self.chain = Chain(self.peer.transitions, self.peer.start_transitions, self.peer.end_transitions)

    def forget_gradients(self) -> None:
        """Drop the gradients of the last round, so that every round computes its own."""
        self.emissions.grad = None
        self.peer.zero_grad()

    def our_loss(self) -> Tensor:
        """Return our partial loss of the allowed labels, after computing its gradient."""
        self.forget_gradients()
        loss = partial_loss(self.emissions, self.chain, self.mask, self.allowed).loss.sum()
        torch.autograd.backward(loss)
        return loss

    def peer_loss(self) -> Tensor:
        """Return the negative log likelihood by pytorch-crf, after computing its gradient."""
        self.forget_gradients()
        loss: Tensor = -self.peer(self.emissions, self.labels, self.mask)
        torch.autograd.backward(loss)
        return loss

    @torch.no_grad()
    def our_partition(self) -> Tensor:
        """Return our log-partition (sentences,)."""
        return log_partition(self.emissions, self.chain, self.mask)

    @torch.no_grad()
    def struct_partition(self) -> Tensor:
        """Return the log-partition by torch-struct (sentences,)."""
        chain, emissions = self.chain, self.emissions
        potentials = chain.transitions.t() + emissions[:, 1:, :, None]
        potentials[:, 0] += (chain.start + emissions[:, 0])[:, None, :]
        potentials[:, -1] += chain.end[:, None]
        found: Tensor = LinearChainCRF(potentials).partition
        return found

    @torch.no_grad()
    def peer_viterbi(self) -> list[list[int]]:
        """Return the Viterbi paths by pytorch-crf."""
        found: list[list[int]] = self.peer.decode(self.emissions, self.mask)
        return found

    def contenders(self) -> list[Contender]:
        """Return all libraries at all tasks, ours first at each task."""
        batch = self.emissions, self.chain, self.mask
        loss, partition, best = "loss and gradient", "partition", "best path"
        return [
            Contender(loss, OURS, "partial loss, gradient, marginals", self.our_loss),
            Contender(loss, "pytorch-crf", "plain loss, gradient", self.peer_loss),
            Contender(loss, "torch-struct", "partition, no gradient", self.struct_partition),
            Contender(partition, OURS, "partition, no gradient", self.our_partition),
            Contender(partition, "torch-struct", "partition, no gradient", self.struct_partition),
            Contender(best, OURS, "best path", lambda: viterbi_decode(*batch)),
            Contender(best, "pytorch-crf", "best path", self.peer_viterbi),
            Contender("marginals", OURS, "marginals", lambda: token_marginals(*batch)),
            Contender("several paths", OURS, "five best paths", lambda: n_best_viterbi(*batch, 5)),
        ]

    def check_agreement(self) -> None:
        """Raise an error if the results of the libraries differ."""
        plain = partial_loss(self.emissions, self.chain, self.mask, one_hot_mask(self.labels, LABELS)).loss.sum()
        differences = {
            "the log-partition of torch-struct": (self.our_partition() - self.struct_partition()).abs().max().item(),
            "the loss of pytorch-crf": abs(plain.item() - self.peer_loss().item()),
        }
        for name, difference in differences.items():
            if difference > TOLERANCE:
                raise ArithmeticError(f"{name} differs from ours by {difference}")
        if viterbi_decode(self.emissions, self.chain, self.mask).labels.tolist() != self.peer_viterbi():
            raise ArithmeticError("the Viterbi paths of pytorch-crf differ from ours")


def least_times(works: Sequence[Callable[[], object]], shape: Shape) -> list[float]:
    """Return the minimum CPU time of one call of each function, in seconds."""
    least = [float("inf")] * len(works)
    for _ in range(shape.rounds):
        for index, work in enumerate(works):
            work()
            begin = time.process_time()
            for _ in range(shape.calls):
                work()
            least[index] = min(least[index], (time.process_time() - begin) / shape.calls)
    return least


def measure(shape: Shape) -> list[Measurement]:
    """Return the times of all libraries at one shape."""
    scores = Scores(shape)
    scores.check_agreement()
    contenders = scores.contenders()
    times = least_times([contender.work for contender in contenders], shape)
    ours = {c.task: seconds for c, seconds in zip(contenders, times, strict=True) if c.library == OURS}
    return [
        Measurement(
            task=contender.task,
            sentences=shape.sentences,
            tokens=shape.tokens,
            library=contender.library,
            does=contender.does,
            microseconds_per_token=round(seconds * 1e6 / (shape.sentences * shape.tokens), 3),
            times_ours=None if contender.library == OURS else round(seconds / ours[contender.task], 1),
        )
        for contender, seconds in zip(contenders, times, strict=True)
    ]


def main() -> None:
    """Measure all shapes, print a table and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="the result file to write")
    output: Path = parser.parse_args().output
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore", message=".*arg_constraints", category=UserWarning)
    found = [measurement for shape in SHAPES for measurement in measure(shape)]
    heading = ("shape", "task", "library", "does", "µs per token", "times ours")
    rows = [
        (f"{m.sentences}x{m.tokens}", m.task, m.library, m.does, f"{m.microseconds_per_token:.2f}", m.times_ours or "")
        for m in found
    ]
    print(aligned([heading, *rows]))
    facts = origin(("torch", "numpy", "pytorch-crf", "torch-struct"), SEED)
    write_result(output, {**facts, "labels": LABELS, "threads": 1, "measurements": [asdict(m) for m in found]})


if __name__ == "__main__":
    main()

"""Speed of the chain beside pytorch-crf and torch-struct, on one thread, in one run.

``python -m benchmarks.crf --output results/crf.json``. Every contender answers on the same scores, and the answers are
compared first. Times are processor time, the least of many rounds in which the contenders take turns; a turn is as many
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
from trustag.crf import Chain, best_paths, exactly, log_partition, n_best_paths, partial_loss, token_marginals

LABELS: Final = 17
SEED: Final = 1
TOLERANCE: Final = 1e-2
OURS: Final = "trustag"


class Shape(NamedTuple):
    """How many sentences of how many tokens, how many rounds to measure, and how many calls make a turn."""

    sentences: int
    tokens: int
    rounds: int
    calls: int


SHAPES: Final = (Shape(10, 15, rounds=240, calls=5), Shape(64, 100, rounds=30, calls=1))


class Contender(NamedTuple):
    """A library at a task: what it does there, in words, and the work itself."""

    task: str
    library: str
    does: str
    work: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Measurement:
    """Time per token of one contender at one task and shape, and how many times ours goes into it."""

    task: str
    sentences: int
    tokens: int
    library: str
    does: str
    microseconds_per_token: float
    times_ours: float | None


class Scores:
    """Random scores of one shape, in the form each library takes."""

    def __init__(self, shape: Shape) -> None:
        generator = torch.Generator().manual_seed(SEED)
        size = (shape.sentences, shape.tokens, LABELS)
        self.emissions = (3 * torch.randn(size, generator=generator)).requires_grad_()
        self.mask = torch.ones(size[:2], dtype=torch.bool)
        self.labels = torch.randint(LABELS, size[:2], generator=generator)
        self.allowed = (torch.rand(size, generator=generator) < 0.3) | exactly(self.labels, LABELS)
        self.peer = CRF(LABELS, batch_first=True)
        for scores in self.peer.parameters():
            torch.nn.init.normal_(scores, generator=generator)
        self.chain = Chain(self.peer.transitions, self.peer.start_transitions, self.peer.end_transitions)

    def forget_gradients(self) -> None:
        """Drop the gradients of the last round, so that each round pays for its own."""
        self.emissions.grad = None
        self.peer.zero_grad()

    def our_loss(self) -> Tensor:
        """Return our loss of the allowed labels, after finding its gradient."""
        self.forget_gradients()
        loss = partial_loss(self.emissions, self.chain, self.mask, self.allowed).loss.sum()
        torch.autograd.backward(loss)
        return loss

    def peer_loss(self) -> Tensor:
        """Return the loss of the given labels by pytorch-crf, after finding its gradient."""
        self.forget_gradients()
        loss: Tensor = -self.peer(self.emissions, self.labels, self.mask)
        torch.autograd.backward(loss)
        return loss

    @torch.no_grad()
    def our_partition(self) -> Tensor:
        """Return our log sum over all paths."""
        return log_partition(self.emissions, self.chain, self.mask)

    @torch.no_grad()
    def struct_partition(self) -> Tensor:
        """Return the log sum over all paths by torch-struct."""
        chain, emissions = self.chain, self.emissions
        moves = chain.transitions.t() + emissions[:, 1:, :, None]
        moves[:, 0] += (chain.start + emissions[:, 0])[:, None, :]
        moves[:, -1] += chain.end[:, None]
        found: Tensor = LinearChainCRF(moves).partition
        return found

    @torch.no_grad()
    def peer_best(self) -> list[list[int]]:
        """Return the best paths by pytorch-crf."""
        found: list[list[int]] = self.peer.decode(self.emissions, self.mask)
        return found

    def contenders(self) -> list[Contender]:
        """Return who does what, ours first at each task."""
        asked = self.emissions, self.chain, self.mask
        loss, partition, best = "loss and gradient", "partition", "best path"
        return [
            Contender(loss, OURS, "partial loss, gradient, marginals", self.our_loss),
            Contender(loss, "pytorch-crf", "plain loss, gradient", self.peer_loss),
            Contender(loss, "torch-struct", "partition, no gradient", self.struct_partition),
            Contender(partition, OURS, "partition, no gradient", self.our_partition),
            Contender(partition, "torch-struct", "partition, no gradient", self.struct_partition),
            Contender(best, OURS, "best path", lambda: best_paths(*asked)),
            Contender(best, "pytorch-crf", "best path", self.peer_best),
            Contender("marginals", OURS, "marginals", lambda: token_marginals(*asked)),
            Contender("several paths", OURS, "five best paths", lambda: n_best_paths(*asked, 5)),
        ]

    def check_agreement(self) -> None:
        """Raise if the libraries do not answer alike."""
        plain = partial_loss(self.emissions, self.chain, self.mask, exactly(self.labels, LABELS)).loss.sum()
        differences = {
            "the partition of torch-struct": (self.our_partition() - self.struct_partition()).abs().max().item(),
            "the loss of pytorch-crf": abs(plain.item() - self.peer_loss().item()),
        }
        for name, difference in differences.items():
            if difference > TOLERANCE:
                raise ArithmeticError(f"{name} differs from ours by {difference}")
        if best_paths(self.emissions, self.chain, self.mask).labels.tolist() != self.peer_best():
            raise ArithmeticError("the best paths of pytorch-crf differ from ours")


def least_times(works: Sequence[Callable[[], object]], shape: Shape) -> list[float]:
    """Return the least processor time of one call of each work in seconds."""
    least = [float("inf")] * len(works)
    for _ in range(shape.rounds):
        for place, work in enumerate(works):
            work()
            begin = time.process_time()
            for _ in range(shape.calls):
                work()
            least[place] = min(least[place], (time.process_time() - begin) / shape.calls)
    return least


def measure(shape: Shape) -> list[Measurement]:
    """Return the times of all contenders at one shape."""
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
    """Measure, print a table and write the result file."""
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

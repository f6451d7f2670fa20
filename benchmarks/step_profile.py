"""Where the time of a training step goes: an epoch of English with the default recipe's objective, part by part.

``python -m benchmarks.step_profile --data FOLDER --vectors FILE --output results/step_profile.json``. The parts are
timed while the training runs (processor time, the least of several repeats of the epoch), with batches of several
sizes in turns.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import torch

from benchmarks.epoch import Task, our_recipe, prepare
from benchmarks.machine import aligned, origin, write_result
from trustag.methods.confidence.objective import ConfidenceObjective, ConfidentLabels
from trustag.methods.confidence.settings import ConfidenceSettings
from trustag.models.bilstm import BiLSTMEncoder
from trustag.models.building import new_network
from trustag.models.characters import CharacterBiLSTM
from trustag.models.network import Network
from trustag.models.network_spec import NetworkSpec
from trustag.noise_rates.rates import NoiseRates
from trustag.notes import unwatched
from trustag.runs.records import EpochReport
from trustag.training.averages import WeightAverage
from trustag.training.loop import LoopSettings, Training
from trustag.training.optimizers import clip_gradients
from trustag.training.schedule import fit_schedule

SIZES: Final = (10, 32, 64, 128)
PARTS: Final = ("collating", "characters", "sentences", "objective", "backward", "clipping", "optimizer", "average")
REST: Final = "rest"
_RATES: Final = NoiseRates(0.09, 0.14)
Seconds = dict[str, float]


def main() -> None:
    """Measure, print a table and write the result file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    for name in ("--data", "--vectors", "--output"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"{arguments.data} is not there: skipped")
        return
    torch.set_num_threads(1)
    task = prepare(arguments.data, arguments.vectors)
    tokens = sum(task.corpus.lengths)
    least: dict[int, Seconds] = {}
    for _ in range(arguments.repeats):
        for size in SIZES:
            found = epoch_parts(task, arguments.vectors, size)
            known = least.setdefault(size, found)
            least[size] = {part: min(known[part], seconds) for part, seconds in found.items()}
    rows = [
        {"batch": size, **{part: round(1e6 * seconds / tokens, 2) for part, seconds in parts.items()}}
        for size, parts in least.items()
    ]
    print(aligned([list(rows[0]), *(list(row.values()) for row in rows)]))
    facts = {"sentences": len(task.corpus), "tokens": tokens, "repeats": arguments.repeats, "threads": 1}
    write_result(arguments.output, {**origin(["torch", "numpy"], 1), **facts, "rows": rows})


def epoch_parts(task: Task, vectors: Path, size: int) -> Seconds:
    """Return the processor seconds of each part of the second epoch, when words and spellings are known."""
    training = _training(task, vectors, size)
    spent: Seconds = defaultdict(float)
    with _timed(spent):
        begin = time.process_time()
        for report in training.run(None):
            if isinstance(report, EpochReport):
                if report.epoch == 1:
                    break
                spent.clear()
                begin = time.process_time()
    whole = time.process_time() - begin
    parts = {part: spent[part] for part in PARTS}
    parts["sentences"] -= parts["characters"]
    return {**parts, REST: whole - sum(parts.values()), "whole": whole}


def _training(task: Task, vectors: Path, size: int) -> Training:
    torch.manual_seed(1)
    recipe = our_recipe(vectors, f"training.batch_size={size}")
    spec = NetworkSpec(recipe.network, task.vectors, None, finetune_vectors=False)
    network = new_network(task.corpus.tokens, task.corpus.labels, spec, unwatched)
    schedule = fit_schedule(recipe.training, len(task.corpus), size, seed=1)
    objective = ConfidentLabels(_RATES, ConfidenceSettings()).build(task.corpus, network, schedule)
    return Training(network, task.corpus, objective, LoopSettings(recipe.network, recipe.training, schedule))


@contextmanager
def _timed(spent: Seconds) -> Iterator[None]:
    """Add up the time that each part takes while it is called."""
    with (
        patch.object(Network, "collate", _clocked(spent, "collating", Network.collate)),
        patch.object(CharacterBiLSTM, "forward", _clocked(spent, "characters", CharacterBiLSTM.forward)),
        patch.object(BiLSTMEncoder, "forward", _clocked(spent, "sentences", BiLSTMEncoder.forward)),
        patch.object(ConfidenceObjective, "__call__", _clocked(spent, "objective", ConfidenceObjective.__call__)),
        patch.object(torch.Tensor, "backward", _clocked(spent, "backward", torch.Tensor.backward)),
        patch("trustag.training.loop.clip_gradients", _clocked(spent, "clipping", clip_gradients)),
        patch.object(torch.optim.AdamW, "step", _clocked(spent, "optimizer", torch.optim.AdamW.step)),
        patch.object(WeightAverage, "update", _clocked(spent, "average", WeightAverage.update)),
    ):
        yield


def _clocked(spent: Seconds, part: str, work: Callable[..., Any]) -> Callable[..., Any]:
    def clocked(*arguments: Any, **named: Any) -> Any:
        begin = time.process_time()
        found = work(*arguments, **named)
        spent[part] += time.process_time() - begin
        return found

    return clocked


if __name__ == "__main__":
    main()

"""Whether the probabilities of trained models mean what they say, before and after the temperature found without gold.

``python -m benchmarks.calibration --runs FOLDER --data FOLDER --output results/calibration.json`` tags the clean test
splits with the models of the method that ``trustag experiment run`` left with ``--keep-jobs``.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.machine import aligned, origin, write_result
from benchmarks.systems import CORPORA
from trustag.corpora.locating import stream
from trustag.data.encoded_corpus import encode_gold
from trustag.experiments.kept_runs import KeptRun, kept_runs
from trustag.experiments.reanalysis import reanalyse
from trustag.label_quality.reliability import reliability, reliability_by_part
from trustag.models.saving import load_model
from trustag.text.spans import read_spans

Found = dict[str, Any]


def measured(run: KeptRun, data: Path) -> Found:
    """Return the calibration of a run's model on its test split, at the temperature one and at its own."""
    tagger = load_model(run.path / "model-best")
    own = reanalyse(run.path).analysis.temperature
    sentences = [
        sentence for sentence in stream(str(data / CORPORA[run.cell.corpus].folder / "test.txt")) if sentence.tokens
    ]
    truths = [sentence.gold or sentence.labels for sentence in sentences]
    truth = torch.cat(encode_gold(truths, tagger.labels)).numpy()
    tokens = [sentence.tokens for sentence in sentences]
    found: Found = {"corpus": run.cell.corpus, "seed": run.cell.seed, "temperature": own}
    for name, temperature in (("before", 1.0), ("after", own)):
        tagger.temperature = temperature
        table = np.concatenate(list(tagger.marginals(tokens)))
        labels, sure = table.argmax(1), table.max(1)
        right = labels == truth
        by_position, by_type = reliability_by_part(labels, tagger.labels.labels, sure, right)
        entities = [
            (entity.score, (entity.start, entity.end, entity.type) in set(read_spans(gold)))
            for tagged, gold in zip(tagger.tag_entities(tokens), truths, strict=True)
            for entity in tagged.entities
        ]
        scores = np.array([score for score, _ in entities])
        hits = np.array([hit for _, hit in entities], dtype=np.bool_)
        found[name] = {
            "tokens": reliability(sure, right).error,
            "entity_tokens": reliability(sure[labels > 0], right[labels > 0]).error,
            "entities": reliability(scores, hits).error,
            "by_position": {part: own_part.error for part, own_part in by_position.items()},
            "by_type": {part: own_part.error for part, own_part in by_type.items()},
        }
    return found


def main() -> None:
    """Measure every run there is and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--runs", "--data", "--output"):
        parser.add_argument(name, type=Path, required=True)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    runs = [measured(run, arguments.data) for run in kept_runs(arguments.runs, list(CORPORA))]
    if not runs:
        print(f"{arguments.runs} holds no run of the method: skipped")
        return
    write_result(arguments.output, {**origin(("torch", "numpy")), "runs": runs})
    rows = [("corpus", "seed", "temperature", "tokens", "after", "entities", "after")]
    for run in runs:
        errors = [run[when][what] for what in ("tokens", "entities") for when in ("before", "after")]
        rows.append((run["corpus"], run["seed"], f"{run['temperature']:.2f}", *(f"{error:.4f}" for error in errors)))
    print(aligned(rows))


if __name__ == "__main__":
    main()

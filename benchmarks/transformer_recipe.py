"""What the recipe ``transformer`` reaches with two versions of the package, whose defaults differ.

``python -m benchmarks.transformer_recipe --data FOLDER --sources BEFORE/src AFTER/src --output FILE`` trains MiniLM
with the default method on the first sentences of distantly labelled Wikigold, once with each version and seed.
"""

import argparse
import json
import tempfile
from itertools import islice
from pathlib import Path
from typing import Any, Final

from benchmarks.machine import aligned, origin, write_result
from benchmarks.minilm import minilm
from benchmarks.versions import commits, cpu_seconds

CORPUS: Final = "wikigold_distant"
SENTENCES: Final = 600
SMALL: Final = ("--set", "transformer.rate=0.05")


def main() -> None:
    """Train with every source and seed, and leave the scores in a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sources", type=Path, nargs=2, required=True, help="the packages before and after")
    parser.add_argument("--seeds", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--output", type=Path, required=True)
    chosen = parser.parse_args()
    model, folder = minilm(), chosen.data / CORPUS
    if model is None or not folder.is_dir():
        print(f"skipped: {folder if model else 'MiniLM'} is not here")
        return
    sources = dict(zip(("before", "after"), chosen.sources, strict=True))
    rows = []
    for seed in chosen.seeds:
        for name, source in sources.items():
            rows.append({"version": name, "seed": seed, **measure(source, folder, model, seed)})
            print(aligned([list(rows[-1]), list(rows[-1].values())]), flush=True)
    facts = {**origin(["transformers"]), "commits": commits(sources)}
    write_result(chosen.output, {**facts, "sentences": SENTENCES, "corpus": CORPUS, "rows": rows})


def measure(source: Path, folder: Path, model: Path, seed: int) -> dict[str, Any]:
    """Return scores and CPU seconds of one training."""
    with tempfile.TemporaryDirectory() as place:
        train = Path(place) / "train.conll"
        train.write_text(_first(folder / "train.txt"), encoding="utf-8")
        splits = ["--dev", str(folder / "dev.txt"), "--test", str(folder / "test.txt")]
        command = ["train", str(train), *splits, "-o", f"{place}/run", "--quiet", "--recipe", "transformer"]
        command += ["--set", f"transformer.name='{model}'", *SMALL, "--set", f"training.seed={seed}"]
        seconds = cpu_seconds(source, *command)
        manifest = json.loads((Path(place) / "run" / "manifest.json").read_text(encoding="utf-8"))
    baseline = manifest.get("baseline") or manifest.get("plain")
    return {
        "dev": round(100 * manifest["dev"]["f1"], 2),
        "test": round(100 * manifest["test"]["f1"], 2),
        "baseline_test": round(100 * baseline["test"]["f1"], 2),
        "cpu_seconds": round(seconds),
    }


def _first(path: Path) -> str:
    """Return the first sentences of a CoNLL file."""
    return "\n\n".join(islice(path.read_text(encoding="utf-8").split("\n\n"), SENTENCES)) + "\n\n"


if __name__ == "__main__":
    main()

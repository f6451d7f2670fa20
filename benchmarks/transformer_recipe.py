"""What the recipe ``transformer`` reaches with two versions of the package, whose defaults differ.

``python -m benchmarks.transformer_recipe --data FOLDER --sources BEFORE/src AFTER/src --output FILE`` trains MiniLM
with the default method on the first sentences of distantly labelled Wikigold, once with each version and seed. What the
result file already holds for these two commits is not repeated.
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
SENTENCES: Final = 200
DEV_SENTENCES: Final = 100
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
    facts = {**origin(["transformers"]), "commits": commits(sources), "corpus": CORPUS}
    facts |= {"sentences": SENTENCES, "dev_sentences": DEV_SENTENCES}
    rows = _known(chosen.output, facts["commits"])
    for seed in chosen.seeds:
        for name, source in sources.items():
            if any((row["version"], row["seed"]) == (name, seed) for row in rows):
                continue
            rows.append({"version": name, "seed": seed, **measure(source, folder, model, seed)})
            print(aligned([list(rows[-1]), list(rows[-1].values())]), flush=True)
            write_result(chosen.output, {**facts, "rows": rows})


def _known(path: Path, measured: object) -> list[dict[str, Any]]:
    """Return the rows of an earlier call that compared the same commits."""
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return list(found["rows"]) if found.get("commits") == measured else []


def measure(source: Path, folder: Path, model: Path, seed: int) -> dict[str, Any]:
    """Return scores of the models with and without the method, and the CPU seconds of one training."""
    with tempfile.TemporaryDirectory() as place:
        train, dev = Path(place) / "train.conll", Path(place) / "dev.conll"
        train.write_text(_first(folder / "train.txt", SENTENCES), encoding="utf-8")
        dev.write_text(_first(folder / "dev.txt", DEV_SENTENCES), encoding="utf-8")
        splits = ["--dev", str(dev), "--test", str(folder / "test.txt")]
        command = ["train", str(train), *splits, "-o", f"{place}/run", "--quiet", "--recipe", "transformer"]
        command += ["--set", f"transformer.name='{model}'", *SMALL, "--set", f"training.seed={seed}"]
        seconds = cpu_seconds(source, *command)
        manifest = json.loads((Path(place) / "run" / "manifest.json").read_text(encoding="utf-8"))
    models = {"method": manifest["rounds"][-1], "baseline": manifest.get("baseline") or manifest["plain"]}
    scores = {
        f"{name}_{split}": round(100 * model[split]["f1"], 2)
        for name, model in models.items()
        for split in ("dev", "test")
    }
    return {**scores, "cpu_seconds": round(seconds)}


def _first(path: Path, count: int) -> str:
    """Return the first sentences of a CoNLL file."""
    return "\n\n".join(islice(path.read_text(encoding="utf-8").split("\n\n"), count)) + "\n\n"


if __name__ == "__main__":
    main()

"""Whether two versions of the package do the same: a handful of runs, recorded with each, compared byte for byte.

``python -m benchmarks.same_behaviour record --source CHECKOUT/src --output FOLDER`` makes the runs with the package in
a checkout; ``... compare BEFORE AFTER --output results/same_behaviour.json`` says which files of the runs differ.
Weights and columns are compared by their names and bytes, JSON by its values, the report by every number it shows.
What was merely renamed between the two versions is listed in ``RENAMED`` and counts as the same.
"""

import argparse
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import tomli_w
from safetensors.numpy import load_file

from benchmarks.machine import aligned, origin, write_result
from benchmarks.minilm import minilm

SEED: Final = "training.seed=7"
TINY: Final = ("bilstm.random_vectors=true", "training.batch_size=8", "training.epochs=4", SEED)
DEMO: Final = ("bilstm.random_vectors=true", "training.batch_size=16")
FIRST: Final = 160

# Recipes in the form of the first version, which every later one reads.
RECIPES: Final = {
    "softmax": """
        extends = "fast"
        [model]
        chain = false
        [bilstm]
        random_vectors = true
        [training]
        batch_size = 8
        epochs = 4
        least_steps = 0
    """,
    "paper-two-rounds": """
        extends = "paper"
        [bilstm]
        random_vectors = true
        [training]
        epochs = 4
        [rates]
        search_step = 0.1
        [rounds]
        count = 2
        fold_epochs = 4
    """,
    "oracle-two-rounds": """
        extends = "fast"
        [bilstm]
        random_vectors = true
        [training]
        epochs = 4
        least_steps = 0
        [rates]
        source = "oracle"
        later = "measured"
        [rounds]
        count = 2
        fold_epochs = 4
        relabel = "soft"
    """,
    "rates-from-dev": """
        extends = "fast"
        [bilstm]
        random_vectors = true
        [training]
        epochs = 4
        least_steps = 0
        [rates]
        source = "dev"
        estimate_epochs = 4
        [rounds]
        fold_epochs = 4
        folds = 3
    """,
    "searched": """
        extends = "fast"
        [bilstm]
        random_vectors = true
        [training]
        epochs = 4
        least_steps = 0
        [confidence]
        scoring = "local"
        ranking = "batch"
        rounding = "stochastic"
        passes = "clean"
        [rates]
        source = "searched"
        search_step = 0.1
        search_positive_to = 0.3
        search_positive_step = 0.3
        estimate_epochs = 4
        [rounds]
        fold_epochs = 4
        relabel = "hard"
        reannotate = "all"
    """,
    "final-confidence": """
        extends = "fast"
        [bilstm]
        random_vectors = true
        [training]
        epochs = 4
        least_steps = 0
        [confidence]
        common_words = "believed"
        cut_names = "doubted"
        [rates]
        source = "given"
        negative = 0.05
        positive = 0.2
        [rounds]
        fold_epochs = 4
        final_confidence = true
        reannotate = "outside"
    """,
}

# What a later version calls otherwise, by its old name.
RENAMED: Final = {
    "weights": {
        "projection.weight": "head.projection.weight",
        "projection.bias": "head.projection.bias",
        "transitions": "head.transitions",
        "start": "head.start",
        "end": "head.end",
        "scores": "record.scores",
        "beliefs": "record.beliefs",
    },
    "records": {
        "plain": "baseline",
        "apart": "by_group",
        "cut_names": "truncated_entities",
        "pinned": "fixed",
    },
}
# What says when, where or with which names something was run, not what came out.
UNCOMPARED: Final = {
    "tables",
    "trustag",
    "versions",
    "commit",
    "machine",
    "started",
    "finished",
    "data",
    "method",
    "recipe",
}


def main() -> None:
    """Record or compare, as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("--source", type=Path, required=True, help="the folder that holds the package trustag")
    recording.add_argument("--output", type=Path, required=True)
    recording.add_argument("--only", nargs="*", help="some of the runs")
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--output", type=Path)
    chosen = parser.parse_args()
    if chosen.command == "record":
        record(chosen.source.resolve(), chosen.output.resolve(), chosen.only)
    else:
        sys.exit(compare(chosen.before, chosen.after, chosen.output))


def cases(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the arguments of each training; corpora and recipes are in ``folder``."""
    small = (str(folder / "small.jsonl"), "--dev", "demo:dev", "--test", "demo:test")
    found = {
        "confidence": ("demo", *_set(*DEMO)),
        "self-training": ("demo", "--method", "self-training", *_set(*DEMO)),
        "bilstm-crf": ("demo", "--method", "bilstm-crf", *_set(*DEMO)),
        "without-dev": (str(folder / "small.jsonl"), *_set(*TINY)),
        "reviewed": (str(folder / "reviewed.jsonl"), "--dev", "demo:dev", *_set(*TINY)),
        "small-self-training": (*small, "--method", "self-training", *_set(*TINY)),
    }
    transformer = minilm()
    if transformer is not None:
        found["context"] = (*small, "--context", str(transformer), *_set(*TINY))
    for name in RECIPES:
        found[name] = (*small, "--recipe", str(folder / f"{name}.toml"), *_set(SEED))
    found["paper-self-training"] = (
        *(*small, "--recipe", str(folder / "paper-two-rounds.toml"), "--method", "self-training"),
        *_set(SEED),
    )
    return found


def _set(*changes: str) -> list[str]:
    return [part for change in changes for part in ("--set", change)]


def record(source: Path, folder: Path, only: list[str] | None) -> None:
    """Make every run in ``folder`` with the package in ``source``, and use each model once."""
    folder.mkdir(parents=True, exist_ok=True)
    _prepare(source, folder)
    for name, arguments in cases(folder).items():
        run = folder / name
        if (only and name not in only) or (run / "done").exists():
            continue
        shutil.rmtree(run, ignore_errors=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        _trustag(source, "train", *arguments, "-o", str(run), "--workers", "2")
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
        labelled, texts = str(folder / "small.jsonl"), str(folder / "texts.txt")
        _trustag(source, "issues", str(run), labelled, "--to", "jsonl", "-o", str(run / "found.jsonl"))
        (run / "tagged.jsonl").write_text(_trustag(source, "predict", str(run), texts, "--marginals"), encoding="utf-8")
        (run / "done").write_text(json.dumps({"cpu_seconds": round(seconds, 1)}), encoding="utf-8")
        print(f"{name}: {seconds:.0f} CPU s", flush=True)


def _prepare(source: Path, folder: Path) -> None:
    """Write the corpora and recipes that the runs read."""
    if (folder / "texts.txt").exists():
        return
    _trustag(source, "convert", "demo:train", str(folder / "all.jsonl"), "--to", "jsonl")
    lines = (folder / "all.jsonl").read_text(encoding="utf-8").splitlines()[:FIRST]
    (folder / "small.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    reviewed = [json.loads(line) for line in lines]
    for number, record in enumerate(reviewed):
        if number % 3 == 0:
            record["token_sources"] = ["reviewed" if token % 2 else "given" for token in range(len(record["tokens"]))]
    (folder / "reviewed.jsonl").write_text("".join(json.dumps(line) + "\n" for line in reviewed), encoding="utf-8")
    for name, recipe in RECIPES.items():
        (folder / f"{name}.toml").write_text(_whole(recipe), encoding="utf-8")
    (folder / "texts.txt").write_text("Ann Smith moved from Lisbon to New York.\nHe slept.\n", encoding="utf-8")


def _whole(recipe: str) -> str:
    """Return a recipe with everything of the one it extends, as that is shipped with the first version."""
    own: dict[str, Any] = tomllib.loads(recipe)
    kept = Path(__file__).parent / "first_recipes"
    base = tomllib.loads((kept / f"{own.pop('extends')}.toml").read_text(encoding="utf-8"))
    for section, values in own.items():
        base.setdefault(section, {}).update(values)
    return tomli_w.dumps(base)


def _trustag(source: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(source)}
    command = [sys.executable, "-m", "trustag", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=source)
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)}: {done.stderr}")
    return done.stdout


def compare(before: Path, after: Path, output: Path | None) -> int:
    """Say of every file of every run whether it is the same; return the number of files that differ."""
    rows: list[dict[str, Any]] = []
    for run in sorted(path.parent.name for path in before.glob("*/done")):
        for name in _files(before / run):
            fault = _difference(before / run / name, after / run / name)
            rows.append({"run": run, "file": name, "same": not fault, "difference": fault})
    differing = [row for row in rows if not row["same"]]
    print(aligned([["run", "files", "differ"], *_counts(rows)]))
    for row in differing:
        print(f"{row['run']}/{row['file']}: {row['difference']}")
    seconds = {
        run: [json.loads((folder / run / "done").read_text())["cpu_seconds"] for folder in (before, after)]
        for run in sorted({row["run"] for row in rows})
        if (after / run / "done").exists()
    }
    if output is not None:
        facts = {"origin": origin(), "files": len(rows), "differing": differing, "cpu_seconds": seconds}
        write_result(output, {**facts, "runs": _counts(rows)})
    return len(differing)


def _counts(rows: list[dict[str, Any]]) -> list[list[object]]:
    runs = dict.fromkeys(row["run"] for row in rows)
    own = {run: [row for row in rows if row["run"] == run] for run in runs}
    return [[run, len(files), sum(not row["same"] for row in files)] for run, files in own.items()]


def _files(run: Path) -> list[str]:
    """Return what is compared of a run: everything but its recipe, whose settings have other names."""
    found = (path.relative_to(run) for path in run.rglob("*") if path.is_file())
    return sorted(str(path) for path in found if path.name not in {"recipe.toml", "done", "model.json"})


def _difference(before: Path, after: Path) -> str:
    """Return how two files differ, nothing where they do not."""
    if not after.exists():
        return "is missing"
    if before.read_bytes() == after.read_bytes():
        return ""
    if before.suffix == ".safetensors":
        return _tensors_differ(before, after)
    if before.suffix == ".npz":
        return _columns_differ(before, after)
    if before.suffix in {".json", ".jsonl"}:
        return _records_differ(before, after)
    if before.suffix == ".html":
        return _numbers_differ(before, after)
    return "has other bytes"


def _tensors_differ(before: Path, after: Path) -> str:
    names = RENAMED["weights"]
    one = {names.get(name, name): tensor for name, tensor in load_file(before).items()}
    other = {names.get(name, name): tensor for name, tensor in load_file(after).items()}
    return _arrays_differ(one, other)


def _columns_differ(before: Path, after: Path) -> str:
    with np.load(before) as one, np.load(after) as other:
        return _arrays_differ(dict(one), dict(other))


def _arrays_differ(one: dict[str, Any], other: dict[str, Any]) -> str:
    if one.keys() != other.keys():
        return f"holds {sorted(one.keys() ^ other.keys())} once only"
    unlike = [name for name in one if _digest(one[name]) != _digest(other[name])]
    return f"other numbers in {unlike}" if unlike else ""


def _digest(array: Any) -> tuple[object, ...]:
    values = np.asarray(array)
    return values.dtype.str, values.shape, hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()


def _records_differ(before: Path, after: Path) -> str:
    pairs = zip(_records(before), _records(after), strict=False)
    for line, (one, other) in enumerate(pairs, start=1):
        if _renamed(one) != _renamed(other):
            return f"line {line}: {json.dumps(_renamed(one))[:300]} became {json.dumps(_renamed(other))[:300]}"
    return "" if len(_records(before)) == len(_records(after)) else "has another number of lines"


def _records(path: Path) -> list[Any]:
    text = path.read_text(encoding="utf-8")
    return [json.loads(text)] if path.suffix == ".json" else [json.loads(line) for line in text.splitlines()]


def _renamed(value: Any) -> Any:
    """Return a record with the later names, without what tells only when and where it was written."""
    if isinstance(value, dict):
        names = RENAMED["records"]
        return {names.get(name, name): _renamed(part) for name, part in value.items() if name not in UNCOMPARED}
    return [_renamed(part) for part in value] if isinstance(value, list) else value


def _numbers_differ(before: Path, after: Path) -> str:
    one, other = list(_numbers(before)), list(_numbers(after))
    if sorted(one) == sorted(other):
        return ""
    only = [sorted(set(one) - set(other))[:12], sorted(set(other) - set(one))[:12]]
    return f"shows other numbers: {only[0]} became {only[1]} ({len(one)} and {len(other)} of them)"


def _numbers(page: Path) -> Iterator[str]:
    """Yield every number that a page shows to a reader, without its markup and the settings it lists."""
    text = re.sub(r"<(style|script|svg)\b.*?</\1>", " ", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"<[^>]*>", " ", text.partition("Settings and manifest</h2>")[0])
    text = re.sub(
        r"\d{4}-\d\d-\d\d \d\d:\d\d|(?:took|duration)\s+(?:\d+ (?:h|min|s)\b\s*)+", " ", text
    )  # when, and how long it took
    yield from re.findall(r"\d+(?:[.,]\d+)*", text)


if __name__ == "__main__":
    main()

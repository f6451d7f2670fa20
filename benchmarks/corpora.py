"""Acceptance on real corpora: what is read equals what is known of them, and nothing is lost in any format.

``python -m benchmarks.corpora --data FOLDER --output results/corpora.json``. The folder holds the corpora and a page,
README.md, whose table says how much they hold and how noisy they are.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from benchmarks.corpus_tables import Described, Rates, Sizes, read_descriptions
from benchmarks.machine import aligned, origin, write_result
from benchmarks.round_trips import RoundTrip, round_trip
from trustag.corpora.locating import locate
from trustag.files.registry import FORMATS
from trustag.noise.measures import measure_noise
from trustag.noise.perturbation import Perturbation, perturb
from trustag.notes import unwatched
from trustag.text.labels import entity_types
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans

RECALL: Final = 0.5
PRECISION: Final = 0.9
TOLERANCE: Final = 0.005
SEEDS: Final = (1, 2, 3)
ROUNDING: Final = (
    0.00055  # half of the last digit, and a little for a figure rounded to four digits on its way to three
)
Found = dict[str, Any]


def accept(folder: Path, described: Described) -> Found:
    """Return everything measured on one corpus; ``passed`` says whether all of it is as it should be."""
    begin = time.process_time()
    splits: Found = {}
    trips: list[RoundTrip] = []
    loaded: dict[str, list[Sentence]] = {}
    for split, expected in described.splits.items():
        located = locate(f"{folder}:{split}")
        loaded[split] = sentences = list(located.only_stream()(unwatched))
        splits[split] = _compared(asdict(_sizes(sentences)), asdict(expected))
        trips += [round_trip(described.name, located, sentences, known) for known in FORMATS.values()]
    found: Found = {
        "splits": splits,
        "types": _compared(len(_types(loaded)), described.types),
        "noise": _noise(loaded["train"], described.noise),
        "doctor": _doctor(folder, described),
        "round_trips": [{**asdict(trip), "passed": trip.passed} for trip in trips],
        "perturbed": _perturbed(folder, loaded["train"]) if described.noise is None else [],
    }
    found["cpu_seconds"] = round(time.process_time() - begin, 2)
    found["passed"] = _all_passed(found)
    return found


def _compared(found: object, expected: object) -> Found:
    return {"found": found, "expected": expected, "passed": found == expected}


def _sizes(sentences: list[Sentence]) -> Sizes:
    entities = sum(len(read_spans(_truth(sentence))) for sentence in sentences)
    return Sizes(len(sentences), sum(map(len, sentences)), entities)


def _truth(sentence: Sentence) -> tuple[str | None, ...]:
    return sentence.labels if sentence.gold is None else sentence.gold


def _types(loaded: Mapping[str, list[Sentence]]) -> set[str]:
    return set(entity_types(label for part in loaded.values() for sentence in part for label in _truth(sentence)))


def _noise(train: list[Sentence], expected: Rates | None) -> Found | None:
    if expected is None:
        return None
    measured = measure_noise(train, Scheme.IOB2)
    found = asdict(Rates(measured.entities.precision, measured.entities.recall, measured.tau_p, measured.tau_n))
    passed = all(abs(found[name] - rate) <= ROUNDING for name, rate in asdict(expected).items())
    return {
        "found": {name: round(rate, 6) for name, rate in found.items()},
        "expected": asdict(expected),
        "passed": passed,
    }


def _doctor(folder: Path, described: Described) -> Found:
    """Let the command examine the corpus; 0 and 1 are both sound verdicts, and its counts must be right."""
    code, output, seconds = _command("doctor", str(folder), "--json", "--quiet")
    passed = code in {0, 1}
    said = json.loads(output) if passed else {"splits": [], "findings": []}
    sizes = [(split["sentences"], split["tokens"]) for split in said["splits"]]
    expected = [(sizes.sentences, sizes.tokens) for sizes in described.splits.values()]
    return {
        "exit_code": code,
        "cpu_seconds": seconds,
        "findings": {finding["check"]: finding["count"] for finding in said["findings"]},
        "passed": passed and sizes == expected,
    }


def _perturbed(folder: Path, train: list[Sentence]) -> list[Found]:
    """Damage a clean corpus with every seed, once more through the command, and compare with what was asked for."""
    found = []
    for seed in SEEDS:
        measured = perturb(train, Perturbation(RECALL, PRECISION, seed)).measured.entities
        found.append(_achieved({"seed": seed, "by": "library"}, measured.precision, measured.recall))
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "noisy.conll"
        asked = ("--recall", str(RECALL), "--precision", str(PRECISION), "--seed", str(SEEDS[0]))
        code, _, seconds = _command("perturb", f"{folder}:train", "--output", str(target), *asked, "--quiet")
        if code:
            return [*found, {"seed": SEEDS[0], "by": "command", "exit_code": code, "passed": False}]
        measured = measure_noise(locate(str(target)).only_stream()(unwatched)).entities
    command = _achieved({"seed": SEEDS[0], "by": "command"}, measured.precision, measured.recall)
    same = all(command[rate] == found[0][rate] for rate in ("precision", "recall"))
    return [*found, {**command, "cpu_seconds": seconds, "passed": command["passed"] and same}]


def _achieved(run: Found, precision: float, recall: float) -> Found:
    passed = abs(precision - PRECISION) <= TOLERANCE and abs(recall - RECALL) <= TOLERANCE
    return {**run, "precision": round(precision, 4), "recall": round(recall, 4), "passed": passed}


def _command(*arguments: str) -> tuple[int, str, float]:
    """Run the command line as a user does; returns its exit code, its output and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-m", "trustag", *arguments], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode, done.stdout, round(seconds, 2)


def _all_passed(found: object) -> bool:
    """Tell whether every part of a result that says whether it passed did."""
    if isinstance(found, dict):
        return found.get("passed", True) is True and all(_all_passed(part) for part in found.values())
    return all(map(_all_passed, found)) if isinstance(found, list) else True


def _table(corpora: Mapping[str, Found]) -> str:
    rows = [["corpus", "sizes", "types", "noise", "doctor", "round trips", "perturbed", "cpu s", "verdict"]]
    for name, found in corpora.items():
        trips = [trip["passed"] for trip in found["round_trips"]]
        draws = [draw["passed"] for draw in found["perturbed"]]
        rows.append(
            [
                name,
                _verdict(_all_passed(found["splits"])),
                _verdict(_all_passed(found["types"])),
                _verdict(_all_passed(found["noise"])) if found["noise"] else "-",
                f"exit {found['doctor']['exit_code']}, {found['doctor']['cpu_seconds']} s",
                f"{sum(trips)} of {len(trips)}",
                f"{sum(draws)} of {len(draws)}" if draws else "-",
                str(found["cpu_seconds"]),
                _verdict(found["passed"]),
            ]
        )
    return aligned(rows)


def _verdict(passed: bool) -> str:
    return "right" if passed else "WRONG"


def main() -> int:
    """Run from the command line; the exit code is 1 where something is not as it should be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    facts = origin(("msgspec", "pyarrow", "spacy"))
    page = arguments.data / "README.md"
    if not page.is_file():
        print(f"{page} is not there: nothing to measure")
        write_result(arguments.output, {**facts, "skipped": "the corpora are not there"})
        return 0
    corpora = {}
    for name, described in read_descriptions(page).items():
        print(f"{name} ...", file=sys.stderr)
        corpora[name] = accept(arguments.data / name, described)
    print(_table(corpora))
    passed = all(found["passed"] for found in corpora.values())
    write_result(arguments.output, {**facts, "passed": passed, "formats": list(FORMATS), "corpora": corpora})
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())

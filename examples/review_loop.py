"""Does a person's review pay? Train, have issues reviewed, apply the answers, train again.

``python examples/review_loop.py CORPUS --vectors FILE -o FOLDER`` takes a folder with train, dev and test files whose
training file carries gold labels in a third column. The gold labels play the reviewer: they answer the issues that
stand first in the list; for comparison as many labels where models are least sure which reading is right; and as many
at random places. Everything goes through the commands a user would type: ``trustag train``, ``trustag apply``,
``trustag train``. What has been done before is not repeated, so that the loop may be interrupted;
``FOLDER/review_loop.json`` holds the scores.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from trustag.corpora.locating import stream
from trustag.issues.filtering import in_order
from trustag.runs.issue_files import issues_of_run
from trustag.seeded_random import SeededRandom
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

ORDERS = ("worst first", "least sure first", "random")
Place = tuple[int, int, int]  # a sentence, its first token under review, and the one after the last


@dataclass(frozen=True, slots=True)
class Loop:
    """What all trainings share: the corpus, the vectors, and further options of ``trustag train``."""

    corpus: Path
    vectors: tuple[str, ...]
    options: tuple[str, ...]
    folder: Path

    def train(self, data: Path, name: str, seed: int) -> dict[str, Any]:
        """Train on ``data`` unless that is done, and return the manifest of the run."""
        run = self.folder / name
        splits = [part for split in ("dev", "test") for part in (f"--{split}", str(self.split(split)))]
        command = ["train", str(data), *splits, "-o", str(run), "--resume", "--quiet", "--workers", "1"]
        trustag(*command, *self.vectors, *self.options, "--set", f"training.seed={seed}")
        manifest: dict[str, Any] = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
        return manifest

    def split(self, name: str) -> Path:
        """Return the file of a split."""
        return next(path for path in sorted(self.corpus.glob(f"{name}.*")))


def trustag(*arguments: str) -> None:
    """Run a command as a user would; a failure is shown and ends the loop."""
    done = subprocess.run([sys.executable, "-m", "trustag", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)


def worst_places(run: Path, count: int) -> list[Place]:
    """Return the places of the first issues in the list of a run."""
    with (run / "issues.jsonl").open(encoding="utf-8") as lines:
        issues = [json.loads(line) for _, line in zip(range(count), lines, strict=False)]
    return [(issue["sentence"], issue["first"], issue["end"]) for issue in issues]


def least_sure_places(run: Path, sentences: Sequence[Sentence], labels: int) -> list[Place]:
    """Return the places of issues whose two readings are nearly as probable, until they hold ``labels`` labels."""
    places: list[Place] = []
    reviewed: set[tuple[int, int]] = set()
    for issue in in_order(issues_of_run(run), "unsure"):
        if len(reviewed) >= labels:
            break
        place = whole_entities(sentences[issue.sentence], (issue.sentence, issue.first, issue.end))
        places.append(place)
        reviewed.update((place[0], inside) for inside in range(*place[1:]))
    return places


def random_places(sentences: Sequence[Sentence], labels: int, seed: int) -> list[Place]:
    """Return places drawn by chance until they and the entities they touch hold ``labels`` labels."""
    tokens = [(number, token) for number, sentence in enumerate(sentences) for token in range(len(sentence))]
    places: list[Place] = []
    reviewed: set[tuple[int, int]] = set()
    for number, token in SeededRandom(seed, "places to review").shuffled(tokens):
        if len(reviewed) >= labels:
            break
        if (number, token) not in reviewed:
            place = whole_entities(sentences[number], (number, token, token + 1))
            places.append(place)
            reviewed.update((number, inside) for inside in range(*place[1:]))
    return places


def whole_entities(sentence: Sentence, place: Place) -> Place:
    """Return ``place`` with every given and every right entity that it touches."""
    number, first, end = place
    spans = [*read_spans(sentence.labels), *read_spans(sentence.gold or ())]
    while True:
        touched = [span for span in spans if span.start < end and span.end > first]
        wider = min([first, *(span.start for span in touched)]), max([end, *(span.end for span in touched)])
        if wider == (first, end):
            return number, first, end
        first, end = wider


def answers(sentences: Sequence[Sentence], places: Iterable[Place]) -> Iterator[dict[str, Any]]:
    """Yield what the reviewer says: the right entities of each place, in the form that ``trustag review`` exports."""
    seen: set[Place] = set()
    for asked in places:
        place = number, first, end = whole_entities(sentences[asked[0]], asked)
        if place not in seen:
            seen.add(place)
            given, right = (
                _inside(read_spans(own or ()), first, end)
                for own in (sentences[number].labels, gold_of(sentences[number]))
            )
            yield {
                "issue": "-".join(map(str, asked)),
                "verdict": "rejected" if given == right else "edited",
                "sentence": number,
                "first": first,
                "end": end,
                "spans": [{"start": span.start, "end": span.end, "label": span.type} for span in right],
                "reviewer": "gold",
                "in_force": True,
            }


def gold_of(sentence: Sentence) -> Sequence[str | None]:
    """Return the right labels of a sentence, which must be there."""
    if sentence.gold is None:
        sys.exit(f"{sentence.source}: no gold labels to answer with; give a training file with three columns")
    return sentence.gold


def _inside(spans: Iterable[Span], first: int, end: int) -> list[Span]:
    return [span for span in spans if first <= span.start and span.end <= end]


def reviewed(loop: Loop, name: str, seed: int, places: Sequence[Place]) -> dict[str, Any]:
    """Answer at ``places`` of the first run, apply, train again; returns the scores and what was reviewed."""
    first = loop.folder / f"seed-{seed}" / "first"
    sentences = list(stream(str(first / "given.jsonl")))
    said = list(answers(sentences, places))
    folder = loop.folder / f"seed-{seed}"
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in said), encoding="utf-8")
    corrected = folder / f"{name}.conll"
    trustag(
        "apply", str(first), "-o", str(corrected), "--answers", str(folder / f"{name}.jsonl"), "--overwrite", "--quiet"
    )
    manifest = loop.train(corrected, f"seed-{seed}/{name}", seed)
    return {
        "labels": sum(line["end"] - line["first"] for line in said),
        "places": len(said),
        "wrong": sum(line["verdict"] == "edited" for line in said),
        "dev": manifest["dev"]["f1"],
        "test": manifest["test"]["f1"],
    }


def loop_of(loop: Loop, seed: int, counts: Sequence[int]) -> list[dict[str, Any]]:
    """Return the scores of one seed: before any review, and after each number of reviewed issues, in every order."""
    manifest = loop.train(loop.split("train"), f"seed-{seed}/first", seed)
    before = {"labels": 0, "places": 0, "wrong": 0, "dev": manifest["dev"]["f1"], "test": manifest["test"]["f1"]}
    rows = [{"seed": seed, "order": order, "issues": 0, **before} for order in ORDERS]
    first = loop.folder / f"seed-{seed}" / "first"
    sentences = list(stream(str(first / "given.jsonl")))
    for count in counts:
        worst = reviewed(loop, f"worst-{count}", seed, worst_places(first, count))
        rows.append({"seed": seed, "order": "worst first", "issues": count, **worst})
        others = {
            "least-sure": least_sure_places(first, sentences, worst["labels"]),
            "random": random_places(sentences, worst["labels"], seed),
        }
        for order, (name, places) in zip(ORDERS[1:], others.items(), strict=True):
            found = reviewed(loop, f"{name}-{count}", seed, places)
            rows.append({"seed": seed, "order": order, "issues": count, **found})
    return rows


def main() -> None:
    """Go round the loop with every seed, and show what review brings."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("corpus", type=Path, help="folder with train, dev and test files")
    options.add_argument("-o", "--output", type=Path, required=True, help="folder for runs and scores")
    options.add_argument("--vectors", help="word vectors, by file or name; random ones by default")
    options.add_argument("--issues", type=int, nargs="+", default=[100, 300], help="how many of the worst to review")
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--at-once", type=int, default=2, help="seeds side by side")
    options.add_argument(
        "--set", dest="settings", action="append", default=[], help="further settings of the trainings"
    )
    chosen = options.parse_args()
    vectors = ("--vectors", chosen.vectors) if chosen.vectors else ("--set", "bilstm.random_vectors=true")
    settings = [part for setting in ("method.rounds.baseline=false", *chosen.settings) for part in ("--set", setting)]
    loop = Loop(chosen.corpus, vectors, tuple(settings), chosen.output)
    seeds = range(1, chosen.seeds + 1)
    with ThreadPoolExecutor(chosen.at_once) as pool:
        rows = [row for own in pool.map(lambda seed: loop_of(loop, seed, chosen.issues), seeds) for row in own]
    (chosen.output / "review_loop.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    print("issues  order             labels reviewed  places that were wrong  dev F1  test F1")
    for count in (0, *chosen.issues):
        for order in ORDERS:
            own = [row for row in rows if (row["issues"], row["order"]) == (count, order)]
            labels, wrong, dev, test = (mean(row[name] for row in own) for name in ("labels", "wrong", "dev", "test"))
            print(f"{count:6}  {order:<16}  {labels:15.0f}  {wrong:22.0f}  {100 * dev:6.2f}  {100 * test:7.2f}")


if __name__ == "__main__":
    main()

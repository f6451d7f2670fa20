"""Doubtful labels sent through real annotation servers and back: what arrives there, and what comes of the answers.

``python -m benchmarks.annotation_tools --output results/annotation_tools.json`` trains on a part of the demo corpus,
and writes a second run over texts that tools stumble over. The queue of each goes to a fresh Label Studio and a fresh
doccano as the documentation tells a user to send it; tasks are answered over there in every way, exported, and put into
the corpus by ``trustag apply``. What arrived is compared with what was sent, and the corrected corpus, byte for byte,
with one that is worked out from the answers alone. Tools that are not in the folder ``--tools`` are installed there.
"""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from benchmarks.annotation_answers import KINDS, UNKNOWN, Answer, expected_lines, planned
from benchmarks.annotation_servers import Task, Tool, install, version
from benchmarks.awkward_texts import write_awkward_run
from benchmarks.doccano_server import Doccano
from benchmarks.killing import write_corpus
from benchmarks.label_studio_server import LabelStudio
from benchmarks.machine import aligned, origin, write_result
from trustag.review.reviewed_run import ReviewedRun, open_reviewed_run

TOOLS: Final[tuple[Tool, ...]] = (LabelStudio(), Doccano())
# Enough for suggestions of every kind; that they are good ones does not matter here.
SETTINGS: Final = (
    *("bilstm.random_vectors=true", "bilstm.min_count=1", "method.rounds.fold_epochs=8"),
    *("training.batch_size=4", "training.epochs=8", "training.least_steps=0"),
)
OWN_TEXT: Final = "A text that somebody else put into the project ."


def trustag(*arguments: object) -> str:
    """Run the command line; return what it refused, or nothing."""
    command = [sys.executable, "-m", "trustag", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr.strip() or f"exit code {done.returncode}" if done.returncode else ""


def demo_run(folder: Path) -> Path:
    """Return a run trained on the beginning of the demo corpus."""
    corpus, run = folder / "corpus", folder / "demo-run"
    corpus.mkdir()
    write_corpus(corpus)
    settings = [part for setting in SETTINGS for part in ("--set", setting)]
    _insist(trustag("train", corpus, "-o", run, "--quiet", *settings))
    return run


def awkward_run(folder: Path) -> Path:
    """Return a run over texts that tools stumble over."""
    write_awkward_run(folder / "awkward-run", len(KINDS))
    return folder / "awkward-run"


def round_trip(tool: Tool, programs: Path, run: Path, folder: Path) -> dict[str, Any]:
    """Send the queue of a run through a tool and back; return what was counted on the way."""
    reviewed = open_reviewed_run(run)
    queue = folder / f"tasks.{'json' if tool.form == 'label-studio' else 'jsonl'}"
    _insist(trustag("issues", run, "-o", queue, "--to", tool.form, "--quiet"))
    sent = tool.sent(queue)
    unknown = [UNKNOWN] if any(None in sentence.labels for sentence in reviewed.sentences) else []
    data = folder / "server"
    data.mkdir()
    with tool.project(programs, data, [*reviewed.types, *unknown]) as session:
        session.import_file(queue)
        arrived = session.tasks()
        tool.plain_text(folder / f"own{queue.suffix}", OWN_TEXT)
        session.import_file(folder / f"own{queue.suffix}")
        answers = list(planned(arrived, reviewed.sentences, reviewed.types))
        for answer in answers:
            answer.give(session, reviewed.sentences[answer.task.sentence or 0])
        (own,) = (task for task in session.tasks() if task.sentence is None)
        session.submit(own, ())
        exports = session.exports(folder)
    counts = Counter(answer.kind for answer in answers)
    found = {**compared(sent, arrived), "annotations": {kind: counts[kind] for kind in KINDS}}
    decided = {answer.task.sentence or 0: answer for answer in answers if answer.decides}
    found["answers"] = len(decided)
    found["exports"] = {name: applied(reviewed, path, decided, folder) for name, path in exports.items()}
    return {**found, "passed": _is_passed(found)}


def compared(sent: Sequence[Task], arrived: Sequence[Task]) -> dict[str, int]:
    """Count the tasks that were sent, those that arrived, and in how many of these each part is the same."""
    pairs = list(zip(sent, arrived, strict=False))
    return {
        "tasks_sent": len(sent),
        "tasks_arrived": len(arrived),
        "arrived_whole": sum(one == replace(other, id=one.id) for one, other in pairs),
        "same_sentence": sum(one.sentence == other.sentence for one, other in pairs),
        "same_text": sum(one.text == other.text for one, other in pairs),
        "opens_with_suggestion": sum(one.opens_with == other.opens_with for one, other in pairs),
        "same_given": sum(one.given == other.given for one, other in pairs),
        "same_scores": sum(one.scores == other.scores for one, other in pairs),
    }


def applied(run: ReviewedRun, export: Path, answers: Mapping[int, Answer], folder: Path) -> dict[str, Any]:
    """Put the answers of an export into the corpus, and count labels that are as they must be, and those that are not.

    Lines hold a label each, with the word, the gold label and who gave it.
    """
    given, corrected, changes = (folder / f"{export.stem}-{name}" for name in ("given.conll", "c.conll", "changes"))
    _insist(trustag("convert", run.path / "given.jsonl", given, "--quiet"))
    refused = trustag("apply", run.path, "-o", corrected, "--changes", changes, "--answers", export, "--quiet")
    if refused:
        return {"refused": refused, "answers_read": 0, "bytes_are_equal": False}
    expected = expected_lines(_text(given), run.sentences, answers)
    before, after = _text(given).split("\n"), _text(corrected).split("\n")
    same = sum(one == other for one, other in zip(expected, after, strict=False) if one)
    labels = sum(map(len, run.sentences))
    return {
        "answers_read": len({json.loads(line)["sentence"] for line in _text(changes).splitlines()}),
        "labels": labels,
        "labels_changed": sum(
            row.split(" ")[1] != new.split(" ")[1] for row, new in zip(before, after, strict=True) if row
        ),
        "labels_as_expected": same,
        "labels_not_as_expected": labels - same,
        "bytes_are_equal": "\n".join(expected) == _text(corrected),
    }


def _text(path: Path) -> str:
    # Not by read_text, for which a line may end in other ways too.
    return path.read_bytes().decode()


def _is_passed(found: Mapping[str, Any]) -> bool:
    arrived = [found[name] for name in compared([], [])]
    came_back = [
        one["bytes_are_equal"] and one["answers_read"] == found["answers"] for one in found["exports"].values()
    ]
    return len(set(arrived)) == 1 and all(came_back)


def _insist(refused: str) -> None:
    if refused:
        raise RuntimeError(refused)


def main() -> None:
    """Go round with every tool and every run, print the counts and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="the result file to write")
    parser.add_argument("--run", type=Path, help="a run to take the queue from, instead of one on the demo corpus")
    parser.add_argument(
        "--tools", type=Path, help="where the tools are, or shall be, installed; else for this time only"
    )
    chosen = parser.parse_args()
    # Ended from outside, it ends what it has started as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    facts = origin(("httpx",))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runs = {"demo corpus": chosen.run or demo_run(folder), "awkward texts": awkward_run(folder)}
        found: dict[str, dict[str, Any]] = {}
        for tool in TOOLS:
            programs = install(tool, chosen.tools or folder / "tools")
            queues = {}
            for title, run in runs.items():
                work = folder / tool.package / title.replace(" ", "-")
                work.mkdir(parents=True)
                queues[title] = round_trip(tool, programs, run, work)
                print(aligned([[tool.name, title, json.dumps(queues[title], indent=1)]]), flush=True)
            found[tool.name] = {"version": version(tool, programs), "queues": queues}
    passed = all(queue["passed"] for tool in found.values() for queue in tool["queues"].values())
    write_result(chosen.output, {**facts, "tools": found, "passed": passed})
    if not passed:
        sys.exit("something did not come through as it was sent")


if __name__ == "__main__":
    main()

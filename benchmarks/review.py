"""Speed of the review page with a hundred thousand issues in the queue.

``python -m benchmarks.review --output results/review.json`` writes a run, opens it, and asks the application for pages
and decisions, in process and without a network. Times are the least of several rounds: of the processor, and on the
clock, which holds the wait for the disk too.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import httpx

from benchmarks.machine import aligned, origin, write_result
from trustag.issues.issue import Issue, to_record
from trustag.review.decisions import DecisionLog
from trustag.review.reviewed_run import open_reviewed_run
from trustag.review.security import Access
from trustag.review.server import application
from trustag.review.session import ReviewSession
from trustag.text.spans import Span

ISSUES: Final = 100_000
TOKENS: Final = 24
ROUNDS: Final = 7
GOALS: Final = {"the first page": 300.0, "a page by a filter nobody used before": 300.0, "a decision": 50.0}

HOST: Final = "127.0.0.1:8000"
HEADERS: Final = {"Cookie": "trustag_8000=key; trustag_reviewer=Ann", "Origin": f"http://{HOST}"}


def write_run(folder: Path) -> None:
    """Write a run with two issues in each sentence; every thousandth word is the same."""
    (folder / "manifest.json").write_text("{}")
    with (folder / "given.jsonl").open("w") as given, (folder / "issues.jsonl").open("w") as issues:
        for number in range(ISSUES // 2):
            tokens = [f"word{(number * TOKENS + place) % 1000}" for place in range(TOKENS)]
            labels = ["O", "B-PER", *["O"] * (TOKENS - 2)]
            given.write(json.dumps({"tokens": tokens, "ner_tags": labels}) + "\n")
            score = 1 - number / ISSUES
            wrong = Issue(number, 1, 2, "type", (Span(1, 2, "PER"),), (Span(1, 2, "ORG"),), score, 0.1, 0.9)
            missed = Issue(number, 9, 11, "missed", (), (Span(9, 11, "LOC"),), score / 2, 0.1, 0.9)
            for issue in (wrong, missed):
                issues.write(json.dumps(to_record(issue)) + "\n")


def least(work: Callable[[int], Any]) -> dict[str, float]:
    """Return the least milliseconds that ``work`` took in any round."""
    rounds = []
    for number in range(ROUNDS):
        clock, processor = time.perf_counter(), time.process_time()
        work(number)
        rounds.append((time.process_time() - processor, time.perf_counter() - clock))
    processor, clock = (min(column) * 1e3 for column in zip(*rounds, strict=True))
    return {"processor_milliseconds": round(processor, 1), "clock_milliseconds": round(clock, 1)}


def measurements(folder: Path) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield each kind of request and how long it takes."""
    clock, processor = time.perf_counter(), time.process_time()
    run = open_reviewed_run(folder)
    session = ReviewSession(run, DecisionLog(run.decisions, run.fingerprint))
    started = time.process_time() - processor, time.perf_counter() - clock
    yield (
        "start",
        {
            "processor_milliseconds": round(started[0] * 1e3, 1),
            "clock_milliseconds": round(started[1] * 1e3, 1),
        },
    )
    app = application(session, Access("key", 8000, frozenset({HOST})))

    async def ask(path: str, form: dict[str, str] | None) -> int:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=f"http://{HOST}") as client:
            method = "GET" if form is None else "POST"
            return (await client.request(method, path, data=form, headers=HEADERS)).status_code

    def answered(path: str, form: dict[str, str] | None, status: int) -> None:
        found = asyncio.run(ask(path, form))
        if found != status:
            raise RuntimeError(f"{path} was answered by {found}")

    def decide(path: str, rank: int) -> None:
        form = {"issue": run.issues[rank].id, "version": "0", "verdict": "accepted"}
        answered(path, form, 303)

    yield "the first page", least(lambda _: answered("/", None, 200))
    yield "a page by a filter nobody used before", least(lambda n: answered(f"/?word=word{n}&least=0.0{n}", None, 200))
    yield "a decision", least(lambda number: decide("/decide", number))
    alike = len(session.open_identical(run.issues[100])) + 1
    yield f"a decision on {alike:,} identical cases", least(lambda number: decide("/decide?identical", 100 + number))
    session.close()


def main() -> None:
    """Measure, print a table and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="the result file to write")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_run(Path(folder))
        found = dict(measurements(Path(folder)))
    print(aligned([[name, *row.values()] for name, row in found.items()]))
    goals = {
        f"milliseconds for {name}": {
            "found": found[name]["clock_milliseconds"],
            "goal": goal,
            "passed": found[name]["clock_milliseconds"] < goal,
        }
        for name, goal in GOALS.items()
    }
    facts = origin(("starlette", "jinja2"))
    write_result(arguments.output, {**facts, "issues": ISSUES, "measurements": found, "goals": goals})


if __name__ == "__main__":
    main()

"""Break runs of the command line off at chosen moments, go on with ``--resume``, and compare how they end."""

import hashlib
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import trustag
from trustag.corpora.demo import demo_corpus
from trustag.files import conll
from trustag.files.formats import WriteOptions
from trustag.notes import unwatched
from trustag.text.sentences import Sentence

SIZES: Final = {"train": 300, "dev": 60, "test": 60}
LONGEST_WAIT: Final = 600.0
_SECONDS_BETWEEN_LOOKS: Final = 0.001
_TIMES: Final = frozenset({"started", "finished"})


class Aim(NamedTuple):
    """When a signal is sent, and to whom: once ``is_reached`` says so of the run's folder, up to ``spread`` s later."""

    name: str
    is_reached: Callable[[Path, int], bool]
    spread: float
    sends: signal.Signals = signal.SIGKILL
    hits: Literal["main", "worker"] = "main"


class Subject(NamedTuple):
    """What is broken off: how it is trained, where its signals are aimed, and what its folder shows of the moment."""

    method: str
    settings: Sequence[str]
    aims: Sequence[Aim]
    turns: int
    stood: Callable[[Path], str]


def has(run: Path, *patterns: str) -> bool:
    """Tell whether a run's folder holds anything of the kind."""
    return any(any(run.glob(pattern)) for pattern in patterns)


def write_corpus(folder: Path) -> list[Sentence]:
    """Write the beginning of each split of the demo corpus into ``folder`` and return the test sentences."""
    corpus = demo_corpus()
    for split, size in SIZES.items():
        with (folder / f"{split}.conll").open("wb") as stream:
            conll.write(getattr(corpus, split)[:size], stream, WriteOptions(), unwatched)
    return list(corpus.test[: SIZES["test"]])


def outcome(run: Path, sentences: list[Sentence]) -> dict[str, str]:
    """Return the checksums of every file of a finished run, its times left out, and of what its model predicts.

    The report is left out: it shows the others, and when and where they were made.
    """
    found = {}
    for file in sorted(path for path in run.rglob("*") if path.is_file() and path.name != "report.html"):
        content = file.read_bytes()
        if file.name == "manifest.json":
            facts = json.loads(content)
            content = json.dumps({key: facts[key] for key in facts if key not in _TIMES}).encode()
        found[str(file.relative_to(run))] = hashlib.sha256(content).hexdigest()
    model = trustag.load(run)
    tokens = [sentence.tokens for sentence in sentences]
    found["predicted labels"] = hashlib.sha256(json.dumps(model.predict_tokens(tokens)).encode()).hexdigest()
    tables = b"".join(table.tobytes() for table in model.predict_marginals(tokens))
    found["predicted probabilities"] = hashlib.sha256(tables).hexdigest()
    return found


class Victim:
    """A run on the corpus in ``folder`` that signals are sent to; it is begun, and gone on with, as often as needed."""

    def __init__(self, subject: Subject, folder: Path, run: Path) -> None:
        self.subject = subject
        self.folder = folder
        self.run = run
        self.log = folder / f"{run.name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def strike(self, aim: Aim, rng: random.Random) -> dict[str, Any]:
        """Send a signal at the moment aimed at, and say whether it hit and where the run then stood."""
        turn, delay = rng.randint(1, self.subject.turns), rng.random() * aim.spread
        process = self._running()
        began = time.monotonic()
        while process.poll() is None and time.monotonic() - began < LONGEST_WAIT:
            if aim.is_reached(self.run, turn) and (aim.hits == "main" or workers_of(process.pid)):
                break
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        time.sleep(delay)
        workers = workers_of(process.pid)
        if aim.hits == "worker":
            is_hit = process.poll() is None and bool(workers) and _kill(rng.choice(workers))
        else:
            process.send_signal(aim.sends)
            process.wait()
            is_hit = process.returncode == (-signal.SIGKILL if aim.sends is signal.SIGKILL else 130)
            wait_for_end_of(workers)
        stood = self.subject.stood(self.run) if is_hit else "ended before"
        is_writing = is_hit and any(self.run.rglob(".*"))
        return {"aim": aim.name, "hits": aim.hits, "hit": is_hit, "stood": stood, "half_written": is_writing}

    def finish(self) -> str:
        """Let the run end, and return what it said on the way."""
        if self._running().wait():
            raise RuntimeError(self.log.read_text(encoding="utf-8"))
        return self.log.read_text(encoding="utf-8")

    def _running(self) -> "subprocess.Popen[bytes]":
        if self.process is None or self.process.poll() is not None:
            settings = [part for setting in self.subject.settings for part in ("--set", setting)]
            resume = ["--resume"] if self.run.exists() else []
            command = [sys.executable, "-m", "trustag", "train", str(self.folder), "-o", str(self.run)]
            command += ["--method", self.subject.method]
            with self.log.open("ab") as log:
                self.process = subprocess.Popen([*command, *settings, *resume], stdout=subprocess.DEVNULL, stderr=log)
        return self.process


def workers_of(process: int) -> list[int]:
    """Return the worker processes of a run, as the system lists them, thread by thread of who began them."""
    try:
        threads = Path(f"/proc/{process}/task").glob("*/children")
        children = [child for thread in threads for child in thread.read_text(encoding="utf-8").split()]
        return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
    except OSError:
        return []


def _kill(worker: int) -> bool:
    """Kill a worker process; tell whether it was there."""
    killing = subprocess.run(["kill", "-KILL", str(worker)], capture_output=True, check=False)
    return killing.returncode == 0


def wait_for_end_of(workers: Sequence[int]) -> None:
    """Wait until orphaned workers have ended, so that what the folder shows is final."""
    began = time.monotonic()
    while any(Path(f"/proc/{worker}").exists() for worker in workers) and time.monotonic() - began < LONGEST_WAIT:
        time.sleep(_SECONDS_BETWEEN_LOOKS)


class Bench:
    """Makes broken runs beside an unbroken one and keeps what became of each."""

    def __init__(self, subject: Subject, folder: Path, seed: int) -> None:
        self.subject = subject
        self.folder = folder
        self.random = random.Random(seed)
        self.sentences = write_corpus(folder)
        self.runs: list[dict[str, Any]] = []
        unbroken = self._victim("unbroken")
        unbroken.finish()
        self.expected = outcome(unbroken.run, self.sentences)

    def strike_often(self, aims: Sequence[Aim]) -> None:
        """Make one run, struck at each of ``aims`` in turn, and compare its end."""
        victim = self._victim(f"run-{len(self.runs)}")
        signals = [victim.strike(aim, self.random) for aim in aims]
        self._compare(victim, signals, None)

    def strike_and_damage(self, aim: Aim, kind: str, damage: Callable[[Path, str], None]) -> None:
        """Make one run that is struck once, after which something in its folder is damaged."""
        victim = self._victim(f"run-{len(self.runs)}")
        signals = [victim.strike(aim, self.random)]
        damage(victim.run, kind)
        self._compare(victim, signals, kind)

    def _victim(self, name: str) -> Victim:
        return Victim(self.subject, self.folder, self.folder / name)

    def _compare(self, victim: Victim, signals: list[dict[str, Any]], damaged: str | None) -> None:
        said = "broken checkpoint" in victim.finish()
        found = outcome(victim.run, self.sentences)
        differing = sorted(name for name in {*found, *self.expected} if found.get(name) != self.expected.get(name))
        report = {"signals": signals, "damaged": damaged, "said_broken": said, "differing": differing}
        self.runs.append({**report, "passed": not differing and said == (damaged is not None)})
        print(len(self.runs), [one["stood"] for one in signals], damaged or "", differing or "equal", flush=True)

"""Models, runs, logs of decisions and checkpoints with mutated files, and every command that reads them."""

import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import trustag.pipeline  # noqa: F401 - so that it is loaded once, before children are made
from attack.here import in_children, run_here
from attack.law import Ending, Tally
from attack.mutating import changed
from attack.small import TRAININGS, trained, write_corpus
from attack.unfinished import checksummed, unfinished
from trustag.review.decisions import DecisionLog
from trustag.review.entries import Verdict
from trustag.review.reviewed_run import open_reviewed_run
from trustag.review.session import ReviewAction, ReviewSession

Command: TypeAlias = tuple[str, ...]

_MODEL: Final[tuple[Command, ...]] = (
    ("predict", "{subject}", "{folder}/text.txt", "--json"),
    ("predict", "{subject}", "Ann Smith moved to Paris."),
    ("evaluate", "{subject}", "{folder}/corpus/test.conll"),
    ("issues", "{subject}", "{folder}/corpus/test.conll", "--top", "3"),
)
_RUN: Final[tuple[Command, ...]] = (
    ("issues", "{subject}", "--top", "5"),
    ("issues", "{subject}", "--by", "form"),
    ("issues", "{subject}", "-o", "{folder}/out.json", "--to", "label-studio", "--overwrite"),
    ("report", "{subject}", "-o", "{folder}/out.html", "--overwrite"),
    ("compare", "{subject}", "{folder}/run-bilstm-crf"),
    ("apply", "{subject}", "-o", "{folder}/out.jsonl", "--overwrite"),
    ("review", "{subject}", "--export", "{folder}/out.jsonl", "--overwrite"),
    ("predict", "{subject}", "{folder}/text.txt"),
    ("train", "{folder}/corpus", "-o", "{subject}", "--resume"),
)
_DECISIONS: Final[tuple[Command, ...]] = (
    ("apply", "{subject}", "-o", "{folder}/out.jsonl", "--overwrite"),
    ("review", "{subject}", "--export", "{folder}/out.jsonl", "--overwrite"),
    ("review", "{subject}", "--recover"),
    ("report", "{subject}", "-o", "{folder}/out.html", "--overwrite"),
)


@dataclass(frozen=True, slots=True)
class Subject:
    """What is mutated: files in a folder, the commands that read them, and how many tries are made."""

    name: str
    path: Path
    files: tuple[str, ...]  # as patterns
    commands: tuple[Command, ...]
    tries: int


class Mutation:
    """One try after the other: mutate a file, run a command, put everything back."""

    def __init__(self, subject: Subject, folder: Path, seed: int) -> None:
        self.subject = subject
        self.folder = folder
        self.seed = seed
        self.whole = _contents(subject.path)
        chosen = {path for pattern in subject.files for path in subject.path.glob(pattern) if path.is_file()}
        self.targets = sorted(str(path.relative_to(subject.path)) for path in chosen)

    def __call__(self, number: int) -> Ending:
        """Make a try."""
        rng = random.Random(f"{self.seed} {self.subject.name} {number}")
        name = rng.choice(self.targets)
        command = rng.choice(self.subject.commands)
        self._damage(name, rng)
        words = [word.format(subject=self.subject.path, folder=self.folder) for word in command]
        try:
            ending = run_here(words)
        finally:
            self._put_back()
        left = [str(path) for path in self.folder.rglob("*.part")]
        if left:
            return Ending(98, "", f"left behind: {left}")
        return ending

    def what(self, number: int) -> tuple[str, str]:
        """Return the name of the file that a try mutated, and the whole try in words."""
        rng = random.Random(f"{self.seed} {self.subject.name} {number}")
        name = rng.choice(self.targets)
        return Path(name).name, f"try {number}, {name}, {' '.join(rng.choice(self.subject.commands))}"

    def _damage(self, name: str, rng: random.Random) -> None:
        path = self.subject.path / name
        way = rng.random()
        if way < 0.01:
            path.unlink()
        elif way < 0.02:
            path.unlink()
            path.mkdir()
        elif way < 0.03:
            path.unlink()
            path.symlink_to(path)
        elif way < 0.05:
            path.write_bytes(self.whole[rng.choice(list(self.whole))])
        else:
            path.write_bytes(changed(name, self.whole[name], rng))
        if path.name in {"progress.json", "tensors.safetensors"} and rng.random() < 0.5:
            checksummed(path.parent)

    def _put_back(self) -> None:
        for path in sorted(self.subject.path.rglob("*"), reverse=True):
            name = str(path.relative_to(self.subject.path))
            if path.is_symlink() or (path.is_file() and name not in self.whole):
                path.unlink()
            elif path.is_dir() and name in self.whole:
                shutil.rmtree(path)
        for name, content in self.whole.items():
            path = self.subject.path / name
            if not path.is_file() or path.read_bytes() != content:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def decided(run: Path) -> None:
    """Make decisions on the issues of a run, of every kind."""
    opened = open_reviewed_run(run)
    session = ReviewSession(opened, DecisionLog(opened.decisions, opened.fingerprint, opened.older_fingerprint))
    for number, issue in enumerate(session.queue.issues[:60]):
        version = session.state.version(issue.id)
        verdict: Verdict = "rejected" if number % 3 else "accepted"
        session.decide(ReviewAction(issue.id, version, verdict, f"reviewer {number % 4}", "so" if number % 5 else ""))
        if number % 7 == 0:
            session.undo("reviewer 0")
    session.close()


def subjects(folder: Path) -> Sequence[Subject]:
    """Return everything that is mutated, made in ``folder``."""
    write_corpus(folder)
    (folder / "text.txt").write_text("Ann Smith moved to Paris.\n\nHe stayed.\n", encoding="utf-8")
    plain, method = trained(folder, "bilstm-crf"), trained(folder, "confidence")
    softmax = trained(folder, "noise-adaptation")
    reviewed = folder / "reviewed"
    shutil.copytree(method, reviewed, ignore=shutil.ignore_patterns("jobs", "model-last"))
    shutil.rmtree(method / "jobs")
    decided(reviewed)
    stopped = unfinished(folder, TRAININGS[0])
    stopped_method = unfinished(folder, TRAININGS[4])
    resume = tuple(TRAININGS[0].arguments(folder, Path("{subject}")))
    resume_method = tuple(TRAININGS[4].arguments(folder, Path("{subject}")))
    more = ("--resume", "--workers", "1", "--quiet")
    return (
        Subject("model with a CRF", plain / "model-best", ("*",), _MODEL, 2_500),
        Subject("model with a softmax", softmax / "model-best", ("*",), _MODEL, 1_500),
        Subject("run", method, ("*",), _RUN, 3_500),
        Subject("decisions", reviewed, ("decisions.sqlite",), _DECISIONS, 2_000),
        Subject("checkpoints", stopped, ("jobs/**/*",), ((*resume, *more),), 500),
        Subject("finished jobs", stopped_method, ("jobs/**/*", "*"), ((*resume_method, *more),), 300),
    )


def attack(seed: int, share: float) -> Iterator[dict[str, object]]:
    """Make all tries and yield how they ended."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for subject in subjects(folder):
            tally = Tally()
            mutation = Mutation(subject, folder, seed)
            for number, ending in in_children(mutation, max(1, round(subject.tries * share))):
                tally.count(*mutation.what(number), ending)
            print(subject.name, sum(tally.tries.values()), len(tally.broken), file=sys.stderr, flush=True)
            yield {subject.name: tally.facts()}

"""The files of a run by name, and how a run is begun and finished."""

import hashlib
import json
import os
import platform
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import tomli_w

from trustag._version import __version__
from trustag.errors import InputError
from trustag.files.outputs import new_file, remove_drafts
from trustag.recipes.settings import Recipe
from trustag.runs.records import EpochReport
from trustag.runs.writer_lock import is_lock_file
from trustag.text.sentences import REVIEWED, Sentence

_VERSIONED: Final = ("torch", "numpy", "safetensors", "pydantic")


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The places inside a run."""

    path: Path

    @property
    def recipe(self) -> Path:
        """The recipe with every setting written out."""
        return self.path / "recipe.toml"

    @property
    def best(self) -> Path:
        """The model of the best epoch."""
        return self.path / "model-best"

    @property
    def last(self) -> Path:
        """The model of the last epoch."""
        return self.path / "model-last"

    @property
    def metrics(self) -> Path:
        """One JSON line an epoch."""
        return self.path / "metrics.jsonl"

    @property
    def manifest(self) -> Path:
        """What was run, on what, by what."""
        return self.path / "manifest.json"

    @property
    def jobs(self) -> Path:
        """The trainings that the run consists of, where there are several."""
        return self.path / "jobs"

    @property
    def rates(self) -> Path:
        """The noise rates, and where they come from."""
        return self.path / "rates.json"

    @property
    def search(self) -> Path:
        """Every pair of noise rates that was tried, with its dev F1: one JSON line each."""
        return self.path / "search.jsonl"

    @property
    def rounds(self) -> Path:
        """One JSON line for each round of self-training."""
        return self.path / "rounds.jsonl"

    @property
    def given(self) -> Path:
        """The training corpus as the run took it in, as JSON lines; all other files number its sentences."""
        return self.path / "given.jsonl"

    @property
    def places(self) -> Path:
        """Where each of these sentences stands in the user's files: one JSON line each."""
        return self.path / "places.jsonl"

    @property
    def issues(self) -> Path:
        """The label issues, worst first: one JSON line each."""
        return self.path / "issues.jsonl"

    @property
    def report(self) -> Path:
        """What the run found, as a page to look at."""
        return self.path / "report.html"

    @property
    def relabelled(self) -> Path:
        """The training corpus with its new labels: CoNLL text, or JSON lines where its tokens ask for them."""
        return self.relabelled_lines if self.relabelled_lines.exists() else self.relabelled_text

    @property
    def relabelled_text(self) -> Path:
        """The training corpus with its new labels as CoNLL text."""
        return self.path / "relabelled.conll"

    @property
    def relabelled_lines(self) -> Path:
        """The training corpus with its new labels as JSON lines, for tokens that CoNLL text cannot hold."""
        return self.path / "relabelled.jsonl"

    @property
    def changes(self) -> Path:
        """One JSON line for every label that a round changed."""
        return self.path / "changes.jsonl"

    @property
    def confidence(self) -> Path:
        """What was found of every label, as arrays."""
        return self.path / "confidence.npz"

    @property
    def checkpoints(self) -> Path:
        """Snapshots to resume from; removed when the run is complete."""
        return self.path / "checkpoints"

    def fold(self, number: int, fold: int) -> "RunFolder":
        """Return the training of a fold of a round, both counted from 1."""
        return RunFolder(self.jobs / f"round-{number}" / f"fold-{fold}")

    @property
    def first_round(self) -> Path:
        """The trainings of the first round, where the method trains in rounds."""
        return self.jobs / "round-1"

    def table(self, stem: str) -> Path:
        """Return where the records of a method are, by file stem, such as ``rounds``."""
        return self.path / f"{stem}.jsonl"

    @property
    def step(self) -> Path:
        """How far the present epoch of a training is; there while it runs."""
        return self.path / "step.txt"

    @property
    def decisions(self) -> Path:
        """Every decision that people took on issues of the run."""
        return self.path / "decisions.sqlite"

    @property
    def context(self) -> Path:
        """A frozen transformer and its features of every sentence; removed when the run is complete."""
        return self.path / "context"


def open_run(path: Path, recipe: Recipe, data: Mapping[str, str], *, resume: bool, overwrite: bool) -> RunFolder:
    """Return the run folder at ``path``: a new one, or with ``resume`` the one that was begun with the same things."""
    run = RunFolder(path)
    if not resume and not overwrite:
        refuse_existing(path)
    tidy(run)
    if resume and run.manifest.exists():
        _check_same(run, recipe, data)
        return run
    if overwrite:
        _clear(run)
    path.mkdir(parents=True, exist_ok=True)
    write_text(run.recipe, tomli_w.dumps(recipe.model_dump()))
    write_text(run.manifest, json.dumps(_manifest(recipe, data), indent=2))
    return run


def refuse_existing(path: Path) -> None:
    """Refuse a folder in which anything is but the lock of its writer."""
    if path.exists() and not all(map(is_lock_file, path.iterdir())):
        raise InputError(
            "already exists", where=path, remedy="continue with --resume, start anew with --overwrite, or rename"
        )


def require_run(path: Path) -> RunFolder:
    """Return the run in a folder, which must have been begun."""
    run = RunFolder(path)
    if not run.manifest.is_file():
        finding = f"is no run: it holds no {run.manifest.name}"
        raise InputError(finding, where=path, remedy="name a folder of trustag train")
    return run


def tidy(run: RunFolder) -> None:
    """Remove the halves that killed processes left in a run, or in one of the trainings it consists of."""
    for part in _parts(run):
        remove_drafts(part)


def _clear(run: RunFolder) -> None:
    """Remove what an earlier run has left, and nothing else."""
    for part in (*_tables(run), *_parts(run), run.checkpoints):
        if part.is_dir():
            shutil.rmtree(part)
        else:
            part.unlink(missing_ok=True)


def _tables(run: RunFolder) -> list[Path]:
    """Return the tables that the method of a finished run left."""
    try:
        names = json.loads(run.manifest.read_text(encoding="utf-8")).get("tables", [])
    except (OSError, ValueError, AttributeError):
        return []
    return [run.table(name) for name in names if isinstance(name, str) and Path(name).name == name]


def _parts(run: RunFolder) -> tuple[Path, ...]:
    """Return everything that a run writes as a whole."""
    models, relabelled = (run.best, run.last), (run.relabelled_text, run.relabelled_lines)
    findings = (run.rates, run.search, run.rounds, run.changes, run.confidence, run.issues, run.report)
    given = (run.given, run.places)
    return (run.recipe, run.metrics, run.manifest, *given, run.context, run.jobs, *models, *relabelled, *findings)


def _check_same(run: RunFolder, recipe: Recipe, data: Mapping[str, str]) -> None:
    known = json.loads(run.manifest.read_text(encoding="utf-8"))
    if run.recipe.read_text(encoding="utf-8") != tomli_w.dumps(recipe.model_dump()):
        raise InputError(
            "was begun with other settings", where=run.recipe, remedy="resume with the same, or start anew"
        )
    if known["data"] != dict(data):
        raise InputError("was begun on other data", where=run.manifest, remedy="resume with the same, or start anew")


def write_metrics(run: RunFolder, history: Iterable[EpochReport]) -> None:
    """Write the metrics of every epoch so far; a killed run never leaves half a line."""
    write_text(run.metrics, "".join(json.dumps(asdict(report)) + "\n" for report in history))


def fingerprint(sentences: Iterable[Sentence]) -> str:
    """Return a checksum of tokens, labels and gold labels, and of which labels a person has decided on."""
    digest = hashlib.sha256()
    for sentence in sentences:
        digest.update(json.dumps([sentence.tokens, sentence.labels, sentence.gold]).encode())
        if REVIEWED in (sentence.token_sources or ()):
            digest.update(json.dumps(sentence.token_sources).encode())
    return digest.hexdigest()


def _manifest(recipe: Recipe, data: Mapping[str, str]) -> dict[str, Any]:
    return {
        "trustag": __version__,
        "method": recipe.method["name"],
        "seed": recipe.training.seed,
        "data": dict(data),
        "versions": {"python": platform.python_version(), **{name: _version(name) for name in _VERSIONED}},
        "commit": _commit(),
        "machine": {"system": platform.platform(), "processor": platform.processor(), "cores": os.cpu_count()},
        "started": now(),
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def _commit() -> str | None:
    """Return the commit of the working directory, where there is one."""
    try:
        done = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False)  # noqa: S607
    except OSError:
        return None
    return done.stdout.strip() or None


def write_records(path: Path, records: Iterable[object]) -> None:
    """Put one JSON line for each record in place of whatever is at ``path``, as a whole."""
    write_text(path, "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))


def write_text(path: Path, text: str) -> None:
    """Put ``text`` in place of whatever is at ``path``, as a whole."""
    with new_file(path, overwrite=True) as stream:
        stream.write(text.encode())


def now() -> str:
    """Return the time as manifests note it."""
    return datetime.now(UTC).isoformat(timespec="seconds")

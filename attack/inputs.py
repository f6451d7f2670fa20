"""Files and folders that change or vanish while a command reads them, at drawn moments."""

import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import trustag.pipeline  # noqa: F401 - so that it is loaded once, before children are made
from attack.commands import ended
from attack.here import started
from attack.law import Tally
from attack.small import trained, write_corpus
from trustag.corpora.demo import demo_corpus
from trustag.corpora.survey import Survey
from trustag.files.formats import FileFormat, WriteOptions
from trustag.files.registry import FORMATS
from trustag.notes import unwatched

_COPIES: Final = 3  # of the demo corpus, so that reading takes a while
_TRIES: Final = 8  # of each command


@dataclass(frozen=True, slots=True)
class Reading:
    """A command that reads ``read``, and what it writes, if anything."""

    name: str
    arguments: tuple[str, ...]
    read: Path
    output: Path | None = None


def _vanish(path: Path, rng: random.Random) -> None:  # noqa: ARG001 - as all of them
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def _cut(path: Path, rng: random.Random) -> None:
    file = _file(path, rng)
    with file.open("rb+") as stream:
        stream.truncate(rng.randrange(file.stat().st_size + 1))


def _grow(path: Path, rng: random.Random) -> None:
    with _file(path, rng).open("ab") as stream:
        stream.write(rng.choice([b"\x00\xff\xfe", b"{", b"one more line\n", rng.randbytes(5_000)]))


def _overwrite(path: Path, rng: random.Random) -> None:
    file = _file(path, rng)
    with file.open("rb+") as stream:
        stream.seek(rng.randrange(max(1, file.stat().st_size)))
        stream.write(rng.randbytes(300))


def _replace(path: Path, rng: random.Random) -> None:
    file = _file(path, rng)
    other = file.with_name("other")
    other.write_bytes(rng.choice([b"", b"Ann B-PER\n", b"[]", rng.randbytes(500)]))
    other.replace(file)


def _become_a_folder(path: Path, rng: random.Random) -> None:
    file = _file(path, rng)
    file.unlink()
    file.mkdir()


def _file(path: Path, rng: random.Random) -> Path:
    return rng.choice(sorted(one for one in path.rglob("*") if one.is_file())) if path.is_dir() else path


_WAYS: Final[tuple[Callable[[Path, random.Random], None], ...]] = (
    *(_vanish, _cut, _grow, _overwrite, _replace, _become_a_folder),
)


def readings(folder: Path) -> list[Reading]:
    """Return commands that read files of every format, models and runs, all in ``folder``."""
    write_corpus(folder)
    plain, method = trained(folder, "bilstm-crf"), trained(folder, "confidence")
    shutil.rmtree(plain / "jobs", ignore_errors=True)
    shutil.rmtree(method / "jobs", ignore_errors=True)
    sentences = demo_corpus().train * _COPIES
    text = folder / "text.txt"
    text.write_text("\n".join(sentence.text for sentence in sentences[:1500]), encoding="utf-8")
    found = []
    tags = Survey().add(sentences).tags
    for name, known in FORMATS.items():
        if isinstance(known, FileFormat):
            corpus, out = folder / f"corpus-{name}{known.suffixes[0]}", folder / f"out-{name}.jsonl"
            with corpus.open("wb") as stream:
                known.write(sentences, stream, WriteOptions(tags=tags), unwatched)
            found.append(
                Reading(f"convert from {name}", ("convert", str(corpus), str(out), "--from", name), corpus, out)
            )
    conll, out = folder / "corpus-conll.conll", folder / "out"
    found += [
        Reading("doctor", ("doctor", str(conll)), conll),
        Reading("train", ("train", str(conll), "-o", str(out), "--set", "training.epochs=0"), conll),
        Reading(
            "predict, its texts",
            ("predict", str(plain), str(text), "-o", str(out) + ".jsonl"),
            text,
            Path(f"{out}.jsonl"),
        ),
        Reading("predict, its model", ("predict", str(plain), "Ann met Bob."), plain / "model-best"),
        Reading("report, its run", ("report", str(method), "-o", str(out) + ".html"), method, Path(f"{out}.html")),
        Reading("issues, its run", ("issues", str(method)), method),
        Reading("apply, its run", ("apply", str(method), "-o", str(out) + ".conll"), method, Path(f"{out}.conll")),
    ]
    return found


def attack(seed: int, share: float) -> Iterator[dict[str, object]]:
    """Change what commands read, while they read it, and yield what became of it."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for reading in readings(folder):
            rng = random.Random(f"{seed} {reading.name}")
            for _ in range(max(1, round(_TRIES * share))):
                _attempt(reading, folder, rng, tally)
            print(reading.name, len(tally.broken), file=sys.stderr, flush=True)
    yield tally.facts()


def _attempt(reading: Reading, folder: Path, rng: random.Random, tally: Tally) -> None:
    kept, log = folder / "kept", folder / "command.log"
    (shutil.copytree if reading.read.is_dir() else shutil.copy)(reading.read, kept)
    way, moment = rng.choice(_WAYS), rng.random() ** 2
    log.write_bytes(b"")
    child = started(reading.arguments, log)
    time.sleep(moment)
    way(reading.read, rng)
    ending = ended(child, log)
    finding = None
    if reading.output is not None and ending.code == 2 and reading.output.exists():
        finding = "left an output although it failed"
    tally.count(reading.name, f"{reading.name}, {way.__name__.strip('_')} after {moment:.2f} s", ending, finding)
    for path in (reading.read, reading.output, folder / "out"):
        if path is not None and path.exists():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    kept.rename(reading.read)

"""Run folders written by hand, as small as their figures allow, and readings of real ones that share no code."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from trustag.runs.reading import RunFiles, open_runs

NAMES = ("O", "B-PER", "I-PER", "E-PER", "S-PER", "B-LOC", "I-LOC", "E-LOC", "S-LOC")


@dataclass
class Token:
    """A training token in IOBES: its labels, whether the run trusts the given one, and the probability of that."""

    text: str
    given: str | None
    new_label: str
    gold: str | None = None
    trusted: bool = True
    score: float = 0.9


FINE = Token("quietly", "O", "O", "O")
ONE_OF_EACH = [
    [FINE, FINE],
    [FINE, Token("Ann", "O", "S-PER", "S-PER", trusted=False)],
    [Token("New", "S-LOC", "B-LOC", "B-LOC", trusted=False), Token("York", "O", "E-LOC", "E-LOC", trusted=False)],
    [Token("Paris", "S-PER", "S-LOC", "S-LOC", trusted=False)],
    [Token("slept", "S-PER", "O", "O", trusted=False)],
    [Token("Bob", "S-PER", "S-PER", "S-PER", trusted=False)],
    [Token("Rome", "O", "O", "S-LOC")],
    [Token("Zoe", "S-PER", "S-PER", None), Token("Oz", None, "S-LOC", "S-LOC"), Token("hm", "O", "O", None, False)],
]
# Noise-rate pairs (O, entity) with the dev F1 they led to.
SEPARATE_SEARCH = [(0.0, 0.0, 0.5), (0.1, 0.0, 0.7), (0.2, 0.0, 0.6), (0.1, 0.0, 0.7), (0.1, 0.1, 0.8), (0.1, 0.2, 0.1)]
FULL_SEARCH = [(0.0, 0.0, 0.5), (0.0, 0.1, 0.6), (0.1, 0.0, 0.9), (0.1, 0.1, 0.2)]


@dataclass
class WrittenRun:
    """What to put into a run folder; whatever is empty is left out."""

    data: str = "some data"
    recipe: str = ""
    scores: dict[str, Any] = field(default_factory=dict)
    sentences: Sequence[Sequence[Token]] = ()
    rounds: Sequence[dict[str, Any]] = ()
    changes: Sequence[dict[str, Any]] = ()
    search: Sequence[tuple[float, float, float]] = ()
    rates: tuple[float, float] | None = None
    epochs: Sequence[dict[str, Any]] = ()
    folds: Sequence[Sequence[dict[str, Any]]] = ()

    def write(self, path: Path) -> Path:
        path.mkdir(parents=True)
        manifest: dict[str, Any] = {"data": {"train": self.data}, **self.scores}
        if self.sentences:
            labels = sum(map(len, self.sentences))
            manifest["labels"] = {"round": 1, "labels": labels}
            self._write_labels(path)
        (path / "manifest.json").write_text(json.dumps(manifest))
        (path / "recipe.toml").write_text(self.recipe)
        if self.rates is not None:
            rates = {"source": "searched", "negative": self.rates[0], "positive": self.rates[1]}
            (path / "rates.json").write_text(json.dumps(rates))
        points = [dict(zip(("negative", "positive", "dev_f1"), point, strict=True)) for point in self.search]
        lines = {"rounds": self.rounds, "changes": self.changes, "search": points, "metrics": self.epochs}
        for name, records in lines.items():
            if records:
                write_lines(path / f"{name}.jsonl", records)
        for number, epochs in enumerate(self.folds, start=1):
            fold = path / "jobs" / "round-1" / f"fold-{number}"
            fold.mkdir(parents=True)
            write_lines(fold / "metrics.jsonl", epochs)
        return path

    def open(self, path: Path) -> RunFiles:
        return opened(self.write(path))

    def _write_labels(self, path: Path) -> None:
        tokens = [token for sentence in self.sentences for token in sentence]
        numbers = [NAMES.index(token.given) if token.given is not None else -1 for token in tokens]
        np.savez(
            path / "confidence.npz",
            sentence=np.repeat(np.arange(len(self.sentences)), [len(sentence) for sentence in self.sentences]),
            label=np.array(numbers, dtype=np.int16),
            score=np.array([token.score for token in tokens], dtype=np.float32),
            trusted=np.array([token.trusted for token in tokens]),
            names=np.array(NAMES),
        )
        write_relabelled(path, self.sentences)


def write_relabelled(run: Path, sentences: Sequence[Sequence[Token]]) -> None:
    records = []
    for sentence in sentences:
        record: dict[str, Any] = {"tokens": [token.text for token in sentence]}
        record["ner_tags"] = [token.new_label for token in sentence]
        if any(token.gold is not None for token in sentence):
            record["gold_tags"] = [token.gold for token in sentence]
        records.append(record)
    write_lines(run / "relabelled.jsonl", records)


def write_lines(path: Path, records: Sequence[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def opened(path: Path) -> RunFiles:
    (run,) = open_runs([path])
    return run


def epoch(number: int, f1: float | None, **facts: float) -> dict[str, Any]:
    return {"epoch": number, "loss": 1.0, "f1": f1, "facts": facts}


def labelled(recall: float, entities: int = 100) -> list[list[Token]]:
    """Return as many sentences of one entity as said, of which this share has its label."""
    named = round(recall * entities)
    return [[Token("Ann", "S-PER" if number < named else "O", "S-PER", "S-PER")] for number in range(entities)]

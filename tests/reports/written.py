"""Run folders with everything a report shows, written by hand, and a reading of pages that shares no code with them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np

from tests.figures.written import Token, write_lines, write_relabelled
from trustag.issues.issue import Issue, to_record
from trustag.runs.reading import RunFiles, open_runs
from trustag.text.label_sets import LabelSet
from trustag.text.labels import entity_types
from trustag.text.schemes import Scheme

VOID = {"meta", "link", "br", "hr", "img", "input"}


@dataclass
class Assessed(Token):
    """A token with everything that a run records; the new label (``new_label``) is also the suggested one."""

    suggested_score: float = 0.95
    mean: float = 0.8
    spread: float = 0.1


@dataclass
class FullRun:
    """What to put into a run folder, as a run with one round leaves it."""

    sentences: Sequence[Sequence[Assessed]]
    issues: Sequence[Issue] | None = None
    seed: int = 1
    recipe: str = "[training]\nseed = 1\n[rounds]\ncount = 1\n"
    manifest: dict[str, Any] = field(default_factory=dict)
    rates: dict[str, Any] = field(default_factory=dict)

    def write(self, path: Path) -> Path:
        path.mkdir(parents=True)
        tokens = [token for sentence in self.sentences for token in sentence]
        changes = [
            {"round": 1, "sentence": n, "token": t, "text": token.text, "before": token.given, "after": token.new_label}
            | {"score_before": token.score, "score_after": token.suggested_score}
            for n, sentence in enumerate(self.sentences)
            for t, token in enumerate(sentence)
            if token.given != token.new_label
        ]
        facts = {"round": 1, "labels": len(tokens), "changed": len(changes)}
        manifest = {
            "trustag": "0.1.0",
            "seed": self.seed,
            "data": {"train": "a", "dev": "b", "test": "c"},
            "started": "2025-01-01T10:00:00+00:00",
            "finished": "2025-01-01T10:01:15+00:00",
            "best_epoch": 1,
            "dev": {"precision": 0.9, "recall": 0.8, "f1": 0.8471},
            "test": {"precision": 0.8, "recall": 0.7, "f1": 0.7467},
            "plain": {"dev": {"precision": 0.9, "recall": 0.5, "f1": 0.6429}, "test": None},
            "labels": facts,
        }
        rates = {"source": "auto", "negative": 0.25, "positive": 0.1, "negative_interval": [0.2, 0.3]}
        rates |= {"positive_interval": [0.05, 0.2], "apart": {}}
        (path / "manifest.json").write_text(json.dumps(manifest | self.manifest))
        (path / "recipe.toml").write_text(self.recipe)
        (path / "rates.json").write_text(json.dumps(rates | self.rates))
        round_line = {"round": 1, "fold_dev_f1": [0.7, 0.8], "final_dev_f1": 0.8471, "changed": len(changes)}
        write_lines(path / "rounds.jsonl", [round_line])
        write_lines(path / "changes.jsonl", changes)
        epochs = [
            {"epoch": n, "loss": 2.0 - n, "f1": 0.5 + 0.3 * n, "facts": {"distrusted_negative": 0.1 * n}}
            for n in (0, 1)
        ]
        for epoch in epochs:
            epoch["facts"] |= {"distrusted_positive": 0.2 * epoch["epoch"]}  # type: ignore[operator]
        write_lines(path / "metrics.jsonl", epochs)
        for fold in (1, 2):
            place = path / "jobs" / "round-1" / f"fold-{fold}"
            place.mkdir(parents=True)
            write_lines(place / "metrics.jsonl", epochs)
        self._write_labels(path, tokens)
        if self.issues is not None:
            write_lines(path / "issues.jsonl", [to_record(issue) for issue in self.issues])
            write_lines(path / "given.jsonl", [_given(sentence) for sentence in self.sentences])
        return path

    def open(self, path: Path) -> RunFiles:
        (run,) = open_runs([self.write(path)])
        return run

    def _write_labels(self, path: Path, tokens: Sequence[Assessed]) -> None:
        used = (label for token in tokens for label in (token.given, token.new_label) if label is not None)
        names = LabelSet.of(entity_types(used) or ["PER"], Scheme.IOBES).labels
        numbers = [-1 if token.given is None else names.index(token.given) for token in tokens]
        np.savez(
            path / "confidence.npz",
            sentence=np.repeat(np.arange(len(self.sentences)), [len(sentence) for sentence in self.sentences]),
            label=np.array(numbers, dtype=np.int16),
            score=np.array([token.score for token in tokens], dtype=np.float32),
            trusted=np.array([token.trusted for token in tokens]),
            suggested=np.array([names.index(token.new_label) for token in tokens], dtype=np.int16),
            suggested_score=np.array([token.suggested_score for token in tokens], dtype=np.float32),
            mean=np.array([token.mean for token in tokens], dtype=np.float32),
            spread=np.array([token.spread for token in tokens], dtype=np.float32),
            names=np.array(names),
        )
        write_relabelled(path, self.sentences)


def _given(sentence: Sequence[Assessed]) -> dict[str, Any]:
    return {"tokens": [token.text for token in sentence], "ner_tags": [token.given for token in sentence]}


class PageReader(HTMLParser):
    """Reads a page: every element with its attributes, all text, and whether what is opened is closed."""

    def __init__(self, page: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(page.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag
        if tag in {"td", "th"}:
            self.texts.append(" ")

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] != "style":
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.elements)

"""Checksums of the files of a run, to compare runs byte by byte."""

import hashlib
import json
from pathlib import Path


def models_and_metrics(path: Path) -> dict[str, str]:
    """Return a checksum of each model file, of the metrics and of the recipe."""
    return checksums(path, [*path.glob("model-*/*"), path / "metrics.jsonl", path / "recipe.toml"])


def contents(path: Path) -> dict[str, str]:
    """Return a checksum of everything in a run that must not depend on when, where and how often it ran."""
    names = ["model-best/*", "model-last/*", "*.jsonl", "rates.json", "relabelled.conll", "confidence.npz"]
    return checksums(path, [file for name in names for file in path.glob(name)])


def checksums(path: Path, files: list[Path]) -> dict[str, str]:
    return {str(file.relative_to(path)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def everything(path: Path) -> dict[str, str]:
    """Return a checksum of every file of a run, hidden ones too; dates are left out."""
    found = {}
    for file in (file for file in path.rglob("*") if file.is_file()):
        content = file.read_bytes()
        if file.name == "manifest.json":
            facts = json.loads(content)
            content = json.dumps({name: facts[name] for name in facts if name not in {"started", "finished"}}).encode()
        found[str(file.relative_to(path))] = hashlib.sha256(content).hexdigest()
    return found

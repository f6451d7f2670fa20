"""The table of confidence and the relabelled corpus are read together, and refused where they do not fit."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.figures.written import ONE_OF_EACH, WrittenRun
from trustag.errors import InputError
from trustag.runs.label_columns import read_columns, read_run_labels
from trustag.text.schemes import Scheme


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return WrittenRun(sentences=ONE_OF_EACH).write(tmp_path / "run")


def test_what_was_written_is_read(run: Path) -> None:
    found = read_run_labels(run / "confidence.npz", run / "relabelled.jsonl")
    assert (found.scheme, found.has_gold) == (Scheme.IOBES, True)
    for sentence, expected in zip(found.sentences, ONE_OF_EACH, strict=True):
        assert sentence.tokens == tuple(token.text for token in expected)
        assert sentence.given == tuple(token.given for token in expected)
        assert sentence.relabelled == tuple(token.new_label for token in expected)
        assert sentence.score == pytest.approx(tuple(token.score for token in expected))
        distrusted = tuple(token.given is not None and not token.trusted for token in expected)
        assert sentence.distrusted == distrusted


def test_noise_is_measured_where_there_is_gold(run: Path) -> None:
    noise = read_run_labels(run / "confidence.npz", run / "relabelled.jsonl").noise()
    pairs = [(t.given, t.gold) for row in ONE_OF_EACH for t in row if t.given is not None and t.gold is not None]
    outside = [given == gold for given, gold in pairs if given == "O"]
    assert noise.tau_n == pytest.approx(outside.count(False) / len(outside))


BROKEN: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "shorter": (lambda table: {**table, "label": table["label"][:-1]}, "the column 'label' is not as it should be"),
    "wrong kind": (lambda table: {**table, "trusted": table["score"]}, "the column 'trusted' is not as it should be"),
    "absent": (lambda table: {name: table[name] for name in table if name != "score"}, "cannot be read"),
    "another corpus": (lambda table: {**table, "sentence": table["sentence"] + 1}, "does not hold the sentences of"),
    "unknown label": (lambda table: {**table, "names": table["names"][:2]}, "label number"),
    "no scheme": (
        lambda table: {**table, "label": table["label"] * 0, "names": np.array(["O", "S-PER"])},
        "no tagging scheme has the positions 'S'",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_table_that_does_not_fit_is_refused(name: str, run: Path) -> None:
    change, message = BROKEN[name]
    path = run / "confidence.npz"
    with np.load(path) as archive:
        table = dict(archive)
    changed: Any = change(table)
    np.savez(path, **changed)
    with pytest.raises(InputError, match=message):
        read_run_labels(path, run / "relabelled.jsonl")


def test_no_table_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "confidence.npz"
    path.write_bytes(b"PK\x03\x04 broken")
    with pytest.raises(InputError, match="cannot be read"):
        read_columns(path)

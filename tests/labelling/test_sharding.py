"""Labels do not depend on how many processes give them."""

from pathlib import Path

import pytest

from trustag.engines.choice import read_engine
from trustag.labelling import sharding
from trustag.labelling.configuration import build_labeller, read_settings
from trustag.labelling.sharding import in_batches, label_batch, label_by
from trustag.notes import unwatched
from trustag.text.sentences import Sentence


def documents(count: int) -> list[list[Sentence]]:
    made = []
    for number in range(count):
        texts = [f"We met Ann Weber{number} in Oslo", f"Weber{number} left Acme Ltd."]
        made.append([Sentence(tuple(text.split()), (None,) * len(text.split())) for text in texts])
    return made


def test_batches_keep_the_order_and_have_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharding, "BATCH_TOKENS", 25)
    batches = list(in_batches(documents(5)))
    assert [len(batch) for batch in batches] == [3, 2]
    assert [one for batch in batches for one in batch] == documents(5)
    assert list(in_batches([])) == []


@pytest.mark.slow
def test_worker_processes_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharding, "BATCH_TOKENS", 30)
    (tmp_path / "a.txt").write_text("LOC\tOslo\n")
    settings = read_settings(None, {"rules": ["en"], "candidates": "capitals"}, [str(tmp_path / "a.txt")])
    labeller = build_labeller(settings, unwatched)
    with read_engine("local:1").open() as engine:
        alone = list(label_by(engine, labeller, documents(12), 1))
    with read_engine("local:2").open() as engine:
        together = list(label_by(engine, labeller, iter(documents(12)), 2))
    assert together == alone
    assert len(alone) == 24


def test_a_batch_is_labelled_by_its_settings(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("LOC\tOslo\n")
    settings = read_settings(None, {}, [str(tmp_path / "a.txt")])
    found = label_batch(settings.model_dump_json(), documents(2))
    assert [one.sentence.labels.count("B-LOC") for one in found] == [1, 0, 1, 0]

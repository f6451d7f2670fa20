"""Chunks come in order from any engine, and no further ahead is read than it needs."""

from pathlib import Path

import pytest

from tests.batch_tagging.made_sentences import made, records
from trustag.batch_tagging import tagged_chunks as module
from trustag.batch_tagging.tagged_chunks import TaggingOptions, chunk_of, loaded_model, tagged_chunks
from trustag.engines import Engine
from trustag.engines.in_process import InProcess
from trustag.engines.worker_processes import WorkerProcesses


@pytest.mark.parametrize("workers", [1, 2])
def test_chunks_keep_the_order_and_say_what_the_model_says(
    model: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(module, "SENTENCES", 16)
    taken = 0

    def counted() -> "object":
        nonlocal taken
        for sentence in made(100):
            taken += 1
            yield sentence

    options = TaggingOptions(min_score=0.2)
    engine: Engine = InProcess() if workers == 1 else WorkerProcesses(workers)
    with engine:
        lines, counts = b"", []
        for chunk in tagged_chunks(engine, workers, model, counted(), options):  # type: ignore[arg-type]
            lines += chunk.lines
            counts.append(chunk.count)
            assert taken <= sum(counts) + 16 * (2 * workers + 1)
    assert counts == [16] * 6 + [4]
    whole = chunk_of(loaded_model(model), list(made(100)), options)
    assert records(lines) == records(whole.lines)
    assert whole.left_out > 0


def test_marginals_are_added_where_wanted(model: Path) -> None:
    (record,) = records(chunk_of(loaded_model(model), list(made(1)), TaggingOptions(marginals=True)).lines)
    assert len(record["marginals"]) == len(record["tokens"])
    assert sum(record["marginals"][0].values()) == pytest.approx(1, abs=1e-5)

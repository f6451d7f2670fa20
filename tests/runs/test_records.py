"""Records of a run: whatever is written is read again, and what no run writes is refused."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.runs.records import (
    ChangeRecord,
    EpochReport,
    FoundRatesRecord,
    LabelFacts,
    Manifest,
    RoundRecord,
    Score,
    ScoresRecord,
    SearchPoint,
)

SHARES = st.floats(0, 1)
COUNTS = st.integers(0, 2**53)
LABELS = st.none() | st.sampled_from(["O", "B-PER", "I-geo-loc"])
RECORDS = st.one_of(
    st.builds(EpochReport, COUNTS, st.floats(-1e30, 1e30), SHARES, SHARES, SHARES, st.booleans(), COUNTS),
    st.builds(RoundRecord, COUNTS, st.lists(st.none() | SHARES, max_size=3).map(tuple), SHARES, COUNTS),
    st.builds(SearchPoint, SHARES, SHARES, SHARES),
    st.builds(ChangeRecord, COUNTS, COUNTS, COUNTS, LABELS, LABELS, st.none() | SHARES, st.none() | SHARES, st.text()),
    st.builds(FoundRatesRecord, st.just("auto"), SHARES, SHARES, st.none() | st.tuples(SHARES, SHARES)),
)


@given(RECORDS)
def test_records_come_back_from_json(record: Any) -> None:
    assert msgspec.json.decode(msgspec.json.encode(record), type=type(record)) == record


@given(st.dictionaries(st.text(max_size=3), st.integers()))
def test_what_later_versions_add_is_ignored(more: dict[str, int]) -> None:
    own = {"negative": 0.1, "positive": 0.2, "dev_f1": 0.5}
    assert msgspec.convert({**more, **own}, SearchPoint) == SearchPoint(0.1, 0.2, 0.5)


@pytest.mark.parametrize(
    ("kind", "record"),
    [
        (SearchPoint, {"negative": 0.1, "positive": 2, "dev_f1": 0.5}),
        (EpochReport, {"epoch": -1, "loss": 0.0}),
        (ChangeRecord, {"round": 1, "sentence": 0, "token": 0, "before": "O", "after": "PERSON"}),
        (RoundRecord, {"round": 1, "fold_dev_f1": [0.5], "final_dev_f1": "high", "changed": 0}),
        (Manifest, {"data": {}}),
    ],
)
def test_what_no_run_writes_is_refused(kind: Any, record: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(record, kind)


def manifest(**values: Any) -> Manifest:
    return msgspec.convert({"data": {"train": "checksum"}, **values}, Manifest)


@given(st.integers(0, 4), st.integers(0, 3))
def test_the_model_of_the_new_labels_is_that_of_the_chosen_round(chosen: int, rounds: int) -> None:
    scores = tuple(ScoresRecord(test=Score(number / 10)) for number in range(rounds))
    found = Manifest(manifest().data, labels=LabelFacts(chosen, 10), rounds=scores).relabelled
    assert found == (scores[chosen - 1] if 1 <= chosen <= rounds else None)


def test_scores_are_those_of_the_kept_model() -> None:
    found = manifest(dev={"f1": 0.5}, test={"f1": 0.4}, baseline={"dev": {"f1": 0.6}})
    assert found.scores == ScoresRecord(Score(0.5), Score(0.4))
    assert manifest().relabelled is None

"""How well distrust finds wrong labels: counted over the whole corpus, negatives and positives apart."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from trustag.label_quality.detection import detection

TOKENS = st.lists(st.tuples(st.integers(-1, 2), st.integers(-1, 2), st.booleans()), max_size=40)


def columns(tokens: list[tuple[int, int, bool]]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    given, gold, distrusted = zip(*tokens, strict=True) if tokens else ((), (), ())
    return (
        torch.tensor(given, dtype=torch.long),
        torch.tensor(gold, dtype=torch.long),
        torch.tensor(distrusted, dtype=torch.bool),
    )


@given(tokens=TOKENS)
def test_counts_are_those_of_a_plain_loop(tokens: list[tuple[int, int, bool]]) -> None:
    found = detection(*columns(tokens))
    known = [(label, truth, doubt) for label, truth, doubt in tokens if label >= 0 and truth >= 0]
    for counts, is_entity in ((found.negative, False), (found.positive, True)):
        own = [(label != truth, doubt) for label, truth, doubt in known if (label > 0) == is_entity]
        assert counts.support == sum(wrong for wrong, _ in own)
        assert counts.found == sum(doubt for _, doubt in own)
        assert counts.correct == sum(wrong and doubt for wrong, doubt in own)


def test_batches_are_added_up_not_averaged() -> None:
    small = [(1, 2, True)]
    large = [(1, 1, True)] * 9 + [(1, 2, True)]
    assert detection(*columns(small + large)).positive.precision == pytest.approx(2 / 11)
    mean = sum(detection(*columns(batch)).positive.precision for batch in (small, large)) / 2
    assert mean == pytest.approx(0.55)

"""How many ``O`` occurrences of a name are visible in an epoch: never more than the settings say, else all."""

from collections import Counter

import torch
from hypothesis import given
from hypothesis import strategies as st

from trustag.methods.confidence.negative_sampling import NegativeSampler
from trustag.noise.surface_names import name_runs

NAMES = st.lists(st.lists(st.sampled_from(["Ann", "New York", "EFE", None]), max_size=6).map(tuple), max_size=12)


@given(names=NAMES, most=st.integers(1, 4), epoch=st.integers(0, 3), data=st.data())
def test_as_many_occurrences_of_a_name_are_visible_as_allowed_or_all(
    names: list[tuple[str | None, ...]], most: int, epoch: int, data: st.DataObject
) -> None:
    tokens = sum(map(len, names))
    outside = torch.tensor(data.draw(st.lists(st.booleans(), min_size=tokens, max_size=tokens)), dtype=torch.bool)
    visible = NegativeSampler(names, outside, most, seed=1).visible(epoch)
    occurrences: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    bound = torch.zeros(tokens, dtype=torch.bool)
    for name, run in name_runs(names):
        marks = [bool(visible[token]) for token in run]
        assert len(set(marks)) == 1  # a name is visible as a whole or not at all
        if all(bool(outside[token]) for token in run):
            occurrences[name] += 1
            shown[name] += marks[0]
            bound[run.start : run.stop] = True
    assert shown == {name: min(most, count) for name, count in occurrences.items()}
    assert visible[~bound].all()


def test_epochs_show_other_occurrences_and_the_same_epoch_the_same() -> None:
    names, outside = [("EFE",)] * 40, torch.ones(40, dtype=torch.bool)
    epochs = [NegativeSampler(names, outside, 3, seed=1).visible(epoch).tolist() for epoch in (0, 1, 0)]
    assert epochs[0] == epochs[2] != epochs[1]
    assert epochs[0] != NegativeSampler(names, outside, 3, seed=2).visible(0).tolist()


def test_without_a_limit_all_are_visible() -> None:
    assert NegativeSampler([("EFE",)] * 9, torch.ones(9, dtype=torch.bool), 0, seed=1).visible(0).all()

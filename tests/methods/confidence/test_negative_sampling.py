"""How often a name is told to be no entity in an epoch: never more than the settings say, never less than it could."""

from collections import Counter

import torch
from hypothesis import given
from hypothesis import strategies as st

from trustag.confidence.tellings import Tellings
from trustag.noise.surface_names import name_runs

NAMES = st.lists(st.lists(st.sampled_from(["Ann", "New York", "EFE", None]), max_size=6).map(tuple), max_size=12)


@given(names=NAMES, most=st.integers(1, 4), epoch=st.integers(0, 3), data=st.data())
def test_each_name_is_told_at_as_many_places_as_allowed_or_at_all_it_has(
    names: list[tuple[str | None, ...]], most: int, epoch: int, data: st.DataObject
) -> None:
    tokens = sum(map(len, names))
    outside = torch.tensor(data.draw(st.lists(st.booleans(), min_size=tokens, max_size=tokens)), dtype=torch.bool)
    told = Tellings(names, outside, most, seed=1).told(epoch)
    places: Counter[str] = Counter()
    heard: Counter[str] = Counter()
    bound = torch.zeros(tokens, dtype=torch.bool)
    for name, run in name_runs(names):
        marks = [bool(told[token]) for token in run]
        assert len(set(marks)) == 1  # a name is told as a whole
        if all(bool(outside[token]) for token in run):
            places[name] += 1
            heard[name] += marks[0]
            bound[run.start : run.stop] = True
    assert heard == {name: min(most, count) for name, count in places.items()}
    assert told[~bound].all()


def test_epochs_tell_other_places_and_the_same_epoch_the_same() -> None:
    names, outside = [("EFE",)] * 40, torch.ones(40, dtype=torch.bool)
    epochs = [Tellings(names, outside, 3, seed=1).told(epoch).tolist() for epoch in (0, 1, 0)]
    assert epochs[0] == epochs[2] != epochs[1]
    assert epochs[0] != Tellings(names, outside, 3, seed=2).told(0).tolist()


def test_without_a_limit_all_is_told() -> None:
    assert Tellings([("EFE",)] * 9, torch.ones(9, dtype=torch.bool), 0, seed=1).told(0).all()

"""What slots become: names for every split and names held out, apart from each other and in proportion."""

import pytest

from trustag.corpora.demo.slots import NUMBERS, entity_slots
from trustag.seeded_random import SeededRandom

SLOTS = entity_slots(SeededRandom(1))


@pytest.mark.parametrize("slot", SLOTS)
def test_a_quarter_of_the_names_is_held_out_and_none_is_in_both(slot: str) -> None:
    names = SLOTS[slot]
    assert names.type in {"PER", "LOC", "ORG", "MISC"}
    every = [*names.common, *names.held_out]
    assert len(every) >= 8
    if slot != "short":  # two people may have the same initial and last name
        assert len(set(every)) == len(every)
    assert len(names.held_out) == -(-len(every) // 4)
    assert all(name == " ".join(name.split()) and "{" not in name for name in every)


def test_the_seed_decides_which_names_are_held_out_and_not_which_there_are() -> None:
    other = entity_slots(SeededRandom(2))
    assert other != SLOTS
    assert entity_slots(SeededRandom(1)) == SLOTS
    for slot in ("first", "last", "city", "country", "company", "cup"):
        assert {*SLOTS[slot].common, *SLOTS[slot].held_out} == {*other[slot].common, *other[slot].held_out}


def test_no_slot_is_a_name_and_a_number() -> None:
    assert not set(NUMBERS) & set(SLOTS)
    assert all(len(values) > 1 and values[0] >= 0 for values in NUMBERS.values())

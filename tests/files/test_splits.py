"""Names of splits as files and folders spell them; names that say two things say nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.files.splits import SPLITS, split_of

SPELLINGS = {
    "train": ["train", "training"],
    "dev": ["dev", "devel", "development", "valid", "val", "validation", "testa"],
    "test": ["test", "testing", "testb"],
}
EVERY = [(spelling, split) for split, spellings in SPELLINGS.items() for spelling in spellings]


@given(
    st.sampled_from(EVERY), st.sampled_from(["", "eng.", "conll-2003_", "x/"]), st.sampled_from(["", ".txt", "-00001"])
)
def test_a_spelling_is_found_between_other_words_in_any_case(name: tuple[str, str], before: str, after: str) -> None:
    spelling, split = name
    for written in (spelling, spelling.upper(), spelling.capitalize()):
        assert split_of(f"{before}{written}{after}") == split


@given(st.sampled_from(EVERY), st.sampled_from(EVERY))
def test_two_spellings_say_something_only_if_they_agree(first: tuple[str, str], second: tuple[str, str]) -> None:
    expected = first[1] if first[1] == second[1] else None
    assert split_of(f"{first[0]}.{second[0]}") == expected


@pytest.mark.parametrize("name", ["", "notes.txt", "trainer.py", "contest.txt", "latest", "devices.csv", "retrain"])
def test_a_word_that_merely_holds_a_spelling_says_nothing(name: str) -> None:
    assert split_of(name) is None


def test_every_split_names_itself() -> None:
    assert [split_of(split) for split in SPLITS] == ["train", "dev", "test"]

"""One column is spelled in one way: with positions or as bare types, and each spelling means one label."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.errors import InputError
from trustag.files.spelled_tags import SpelledTags, is_bare_type
from trustag.notes import Note

TYPES = ("PER", "LOC", "person-actor", "Größe")
POSITIONED = [f"{letter}-{kind}" for letter in "BIES" for kind in TYPES]
NEUTRAL = ["O", "-", "?"]


@given(st.lists(st.sampled_from([*POSITIONED, "O"])))
def test_tags_with_positions_mean_themselves(tags: list[str]) -> None:
    notes: list[Note] = []
    spelled = SpelledTags("file", notes.append)
    assert [spelled[tag] for tag in tags] == tags
    assert not notes


@given(st.lists(st.sampled_from([*TYPES, "O"])))
def test_bare_types_are_inside_tags_and_one_note_says_so(tags: list[str]) -> None:
    notes: list[Note] = []
    spelled = SpelledTags("file", notes.append)
    assert [spelled[tag] for tag in tags] == [tag if tag == "O" else f"I-{tag}" for tag in tags]
    types = [tag for tag in tags if tag != "O"]
    assert len(notes) == bool(types)
    if types:
        assert types[0] in notes[0].detail
        assert notes[0].source is not None
        assert notes[0].source.file == "file"


@given(st.lists(st.sampled_from(NEUTRAL)), st.sampled_from(POSITIONED), st.sampled_from(TYPES), st.booleans())
def test_both_spellings_in_one_column_are_refused_with_both_tags(
    before: list[str], positioned: str, bare: str, turned: bool
) -> None:
    first, second = (bare, positioned) if turned else (positioned, bare)
    spelled = SpelledTags("file", lambda _: None)
    for tag in (*before, first):
        assert (spelled[tag] is None) == (tag in {"-", "?"})
    with pytest.raises(InputError) as caught:
        spelled[second]
    assert first in str(caught.value)
    assert second in str(caught.value)
    assert spelled[first] is not None, "what was read before stays read"


@pytest.mark.parametrize("text", ["O", "B-PER", "I-", "-", "?", "None", "", "9", "_", "a b", "X", "X-PER"])
def test_what_is_no_bare_type(text: str) -> None:
    assert not is_bare_type(text)

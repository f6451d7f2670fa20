"""Mentions are found where their words stand: whole words first, longer ones first, never two at one spot."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.files.mention_search import UnlocatedMention, locate_mentions
from trustag.files.text_spans import TextSpan
from trustag.notes import Note
from trustag.text.sentences import Source

WHERE = Source("file", 7)


def placed(
    text: str, *mentions: UnlocatedMention, before: tuple[TextSpan, ...] = ()
) -> tuple[list[tuple[str, int, str]], int]:
    """The words, start and type of every entity that has been placed, and how many notes there are."""
    notes: list[Note] = []
    found = locate_mentions(text, mentions, WHERE, notes.append, before)
    assert all(note.source == WHERE for note in notes)
    return sorted((text[span.start : span.end], span.start, span.type) for span in found), len(notes)


WORDS = st.lists(st.sampled_from(["York", "New", "new", "Yorkshire", "in"]), min_size=1, max_size=6)


@given(
    WORDS, st.lists(st.sampled_from(["York", "New York", "new", "Yorkshire", "Oslo", " "]), max_size=5), st.booleans()
)
def test_entities_spell_their_words_and_share_no_character(
    words: list[str], names: list[str], everywhere: bool
) -> None:
    text = " ".join(words)
    notes: list[Note] = []
    mentions = [UnlocatedMention(name, "X", everywhere=everywhere) for name in names]
    found = locate_mentions(text, mentions, WHERE, notes.append)
    covered = [index for span in found for index in range(span.start, span.end)]
    assert len(covered) == len(set(covered))
    assert {text[span.start : span.end].lower() for span in found} <= {name.strip().lower() for name in names}
    if not everywhere:
        dropped = sum(note.kind == "dropped" for note in notes)
        assert len(found) + dropped == len(names)


def test_longer_mentions_choose_first_and_whole_words_are_preferred() -> None:
    assert placed("New York", UnlocatedMention("York", "PER"), UnlocatedMention("New York", "LOC")) == (
        [("New York", 0, "LOC")],
        1,
    )
    assert placed("Yorkshire York", UnlocatedMention("York", "LOC")) == ([("York", 10, "LOC")], 0)
    assert placed("Yorkshire", UnlocatedMention("York", "LOC")) == ([("York", 0, "LOC")], 0)
    assert placed("YORK", UnlocatedMention("York", "LOC")) == ([("YORK", 0, "LOC")], 1)


def test_one_mention_is_one_entity_unless_all_are_meant() -> None:
    assert placed("Bo Bo Bo", UnlocatedMention("Bo", "PER"))[0] == [("Bo", 0, "PER")]
    assert [
        start for _, start, _ in placed("Bo Bo Bo", UnlocatedMention("Bo", "PER"), UnlocatedMention("Bo", "PER"))[0]
    ] == [0, 3]
    assert [start for _, start, _ in placed("Bo Bo Bo", UnlocatedMention("Bo", "PER", everywhere=True))[0]] == [0, 3, 6]


@given(st.integers(0, 12))
def test_a_wrong_offset_leads_to_the_nearest_place(near: int) -> None:
    found, notes = placed("Bo and Bo or Bo", UnlocatedMention("Bo", "PER", near=near))
    assert abs(found[0][1] - near) == min(abs(start - near) for start in (0, 7, 13))
    assert notes == 1


def test_what_is_taken_stays_taken() -> None:
    taken = TextSpan(0, 2, "LOC")
    assert placed("Bo Bo", UnlocatedMention("Bo", "PER"), before=(taken,)) == ([("Bo", 0, "LOC"), ("Bo", 3, "PER")], 0)
    assert placed("Bo", UnlocatedMention("Bo", "PER"), before=(taken,)) == ([("Bo", 0, "LOC")], 1)

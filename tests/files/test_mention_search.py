"""Mentions are found where their words stand: whole words first, longer ones first, never two at one spot."""

import re

from hypothesis import given
from hypothesis import strategies as st

from trustag.files.formats import Occurrences
from trustag.files.mention_search import MentionSearch, UnlocatedMention
from trustag.files.text_spans import TextSpan
from trustag.notes import Note
from trustag.text.sentences import Source

WHERE = Source("file", 7)


def placed(
    text: str, *mentions: UnlocatedMention, before: tuple[TextSpan, ...] = (), occurrences: Occurrences = "first"
) -> tuple[list[tuple[str, int, str]], int]:
    """The words, start and type of every entity that has been placed, and how many notes there are."""
    notes: list[Note] = []
    found = MentionSearch(text, WHERE, occurrences, notes.append).locate(mentions, before)
    assert all(note.source == WHERE for note in notes)
    reported = [note for note in notes if note.kind != "info"]
    return sorted((text[span.start : span.end], span.start, span.type) for span in found), len(reported)


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
    found = MentionSearch(text, WHERE, "first", notes.append).locate(mentions)
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
    assert placed("Yorkshire", UnlocatedMention("York", "LOC")) == ([], 1)
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


def reported(
    text: str, *mentions: UnlocatedMention, occurrences: Occurrences = "unknown"
) -> tuple[list[str], list[str]]:
    """Type and start of every entity, and what the notes say."""
    notes: list[Note] = []
    found = MentionSearch(text, WHERE, occurrences, notes.append).locate(mentions)
    return sorted(f"{span.start} {span.type}" for span in found), [str(note) for note in notes]


BERLIN = UnlocatedMention("Berlin", "LOC")


def test_words_named_once_that_stand_again_are_unknown_unless_chosen_otherwise_and_always_counted() -> None:
    text = "Berlin, Berlin and Berliner in Berlin"
    start = "file:7: info: words that stand more often than they are mentioned: LOC 'Berlin' 2 times more in "
    for occurrences, others, meaning in (("unknown", "-", "unknown"), ("first", None, "O"), ("all", "LOC", "LOC")):
        found, notes = reported(text, BERLIN, occurrences=occurrences)  # type: ignore[arg-type]
        assert found == sorted(["0 LOC", *([f"8 {others}", f"31 {others}"] if others else [])])
        assert notes == [f"{start}{text!r}, read as {meaning}"]


def test_nothing_is_left_over_if_all_are_mentioned_or_part_of_other_entities() -> None:
    assert reported("Berlin Berlin", BERLIN, BERLIN) == (["0 LOC", "7 LOC"], [])
    assert reported("Berlin in New Berlin", BERLIN, UnlocatedMention("New Berlin", "LOC")) == (["0 LOC", "10 LOC"], [])
    everywhere = UnlocatedMention("Berlin", "LOC", everywhere=True)
    assert reported("Berlin Berlin", everywhere) == (["0 LOC", "7 LOC"], [])
    assert reported("Berlin Berlin", UnlocatedMention("Berlin", "LOC", near=8))[0] == ["7 LOC"]


def test_words_of_two_types_stay_unknown_where_all_are_asked_for() -> None:
    found, notes = reported("Bo Bo Bo", UnlocatedMention("Bo", "PER"), UnlocatedMention("Bo", "ORG"), occurrences="all")
    assert found == ["0 PER", "3 ORG", "6 -"]
    assert "ORG/PER 'Bo' once more" in notes[0]


def test_every_place_in_a_script_without_spaces_is_a_border() -> None:
    assert reported("北京很大。我爱北京", UnlocatedMention("北京", "LOC"))[0] == ["0 LOC", "7 -"]
    assert reported("在Ann家", UnlocatedMention("Ann", "PER"))[0] == ["1 PER"]


def test_particles_adjoin_names_in_scripts_without_case_and_whole_words_still_come_first() -> None:
    seoul = UnlocatedMention("서울", "LOC")
    assert reported("서울에서 산다", seoul)[0] == ["0 LOC"]
    assert reported("서울에서 서울 산다", seoul)[0] == ["5 LOC"]


@given(
    st.lists(st.sampled_from(["Bo", "Bob", "北", "北京", " ", "."]), max_size=8).map("".join),
    st.sampled_from(["Bo", "北"]),
)
def test_whole_words_are_those_a_regular_expression_finds(text: str, words: str) -> None:
    found, _ = reported(text, UnlocatedMention(words, "X"), occurrences="all")
    pattern = "北" if words == "北" else r"(?<![A-Za-z])Bo(?![A-Za-z])"
    assert sorted(int(place.split()[0]) for place in found) == [match.start() for match in re.finditer(pattern, text)]

"""Trusted sentences beside noisy ones: marked, in one scheme, and none of them twice."""

import pytest

from trustag.corpora.trusted_sentences import with_trusted
from trustag.notes import Note
from trustag.text.sentences import GIVEN, REVIEWED, Sentence

NOISY = [Sentence(("Ann", "Smith", "ran"), ("B-PER", "O", "O")), Sentence(("Lisbon",), ("O",), gold=("B-LOC",))]


def test_trusted_labels_are_reviewed_and_all_others_as_given() -> None:
    notes: list[Note] = []
    trusted = [Sentence(("Bob", "Jones", "left"), ("B-PER", "I-PER", "O"))] * 20
    found = with_trusted(NOISY, trusted, notes.append)
    assert [sentence.tokens for sentence in found] == [sentence.tokens for sentence in [*NOISY, *trusted]]
    assert [sentence.labels for sentence in found] == [sentence.labels for sentence in [*NOISY, *trusted]]
    assert {sentence.token_sources[0] for sentence in found[:2] if sentence.token_sources} == {GIVEN}
    assert all(sentence.token_sources == (REVIEWED,) * 3 for sentence in found[2:])
    assert found[1].gold == ("B-LOC",)
    assert notes == []


def test_trusted_labels_are_written_in_the_scheme_of_the_noisy_ones() -> None:
    noisy = [Sentence(("Ann", "Smith", "ran"), ("B-PER", "I-PER", "O"))]
    trusted = [Sentence(("Bob", "Jones", "Ann"), ("B-PER", "E-PER", "S-PER"))]
    *_, last = with_trusted(noisy, trusted, lambda _: None)
    assert last.labels == ("B-PER", "I-PER", "B-PER")


def test_a_noisy_sentence_that_is_trusted_too_is_left_out_and_counted() -> None:
    notes: list[Note] = []
    trusted = [Sentence(("Lisbon",), ("B-LOC",))]
    found = with_trusted(NOISY, trusted, notes.append)
    assert [sentence.labels for sentence in found if sentence.tokens == ("Lisbon",)] == [("B-LOC",)]
    assert any(note.kind == "left out" and "1 of 2" in note.detail for note in notes)
    assert any("few trusted sentences" in note.reason for note in notes)


@pytest.mark.parametrize("label", [None])
def test_unknown_trusted_labels_stay_unknown_and_are_counted(label: None) -> None:
    notes: list[Note] = []
    *_, last = with_trusted(NOISY, [Sentence(("Rome", "x"), ("B-LOC", label))], notes.append)
    assert last.labels == ("B-LOC", None)
    assert any("unknown" in note.reason for note in notes)

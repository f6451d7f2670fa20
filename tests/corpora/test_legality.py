"""Labels leave in the scheme that is asked for, with the entities they came with; illegal ones as asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles import intended_phrases, is_legal
from tests.strategies import sentences
from trustag.corpora.legality import SchemeChange, rewritten
from trustag.errors import InputError
from trustag.notes import Note
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence, Source

ILLEGAL = Sentence(("a", "b", "c"), ("O", "I-PER", "I-PER"), source=Source("file", 10, token_lines=True))
PARTING = [Scheme.IOB2, Scheme.IOBES, Scheme.BILOU, Scheme.BMES, Scheme.IOE2]


@given(sentences(), st.sampled_from(PARTING))
def test_entities_survive_a_change_of_scheme_and_the_result_is_legal(sentence: Sentence, target: Scheme) -> None:
    notes: list[Note] = []
    (found,) = rewritten([sentence], SchemeChange(Scheme.IOB2, target), notes.append)
    assert notes == []
    for before, after in ((sentence.labels, found.labels), (sentence.gold, found.gold)):
        if before is None:
            assert after is None
            continue
        assert after is not None
        assert is_legal(after, target.value)
        assert intended_phrases(after, target.value) == intended_phrases(before, "IOB2")
        assert [label is None for label in after] == [label is None for label in before]


@given(sentences())
def test_legal_labels_without_a_wish_are_the_very_same_sentence(sentence: Sentence) -> None:
    (found,) = rewritten([sentence], SchemeChange(Scheme.IOB2, on_illegal="error"), lambda _: None)
    assert found is sentence


def test_illegal_labels_are_kept_refused_or_repaired() -> None:
    notes: list[Note] = []
    assert list(rewritten([ILLEGAL], SchemeChange(Scheme.IOB2), notes.append)) == [ILLEGAL]
    assert notes == []
    (repaired,) = rewritten([ILLEGAL], SchemeChange(Scheme.IOB2, on_illegal="repair"), notes.append)
    assert repaired.labels == ("O", "B-PER", "I-PER")
    assert [str(note.source) for note in notes] == ["file:11"]
    assert "I-PER" in notes[0].detail


@pytest.mark.parametrize(
    "change",
    [
        SchemeChange(Scheme.IOB2, on_illegal="error"),
        SchemeChange(Scheme.IOB2, Scheme.IOBES),
        SchemeChange(Scheme.IOB2, must_be_read=True),
    ],
)
def test_illegal_labels_that_must_be_read_are_refused_with_their_line(change: SchemeChange) -> None:
    with pytest.raises(InputError, match="^file:11.*I-PER.*--on-illegal"):
        list(rewritten([ILLEGAL], change, lambda _: None))
    hidden = Sentence(("a",), ("O",), ("I-PER",), source=Source("file", 3))
    with pytest.raises(InputError, match="^file:3"):
        list(rewritten([hidden], change, lambda _: None))


def test_neighbours_that_a_scheme_joins_are_noted() -> None:
    notes: list[Note] = []
    pair = Sentence(("Ann", "Bo", "Rome"), ("B-PER", "B-PER", "B-LOC"))
    (found,) = rewritten([pair], SchemeChange(Scheme.IOB2, Scheme.IO), notes.append)
    assert found.labels == ("I-PER", "I-PER", "I-LOC")
    assert [note.detail for note in notes] == ["Ann Bo"]

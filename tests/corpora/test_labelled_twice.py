"""Sentences labelled twice: found beside trusted labels, in the training corpus and in a file of their own."""

from collections.abc import Sequence

from trustag.corpora.labelled_twice import labelled_twice
from trustag.notes import Note, unwatched
from trustag.text.sentences import Corpus, Sentence

NAMES = [f"Ann{number}" for number in range(10)]


def sentences(names: Sequence[str], label: str) -> tuple[Sentence, ...]:
    return tuple(Sentence((name, "ran"), (label, "O")) for name in names)


def pairs_of(corpus: Corpus) -> list[tuple[str, str | None, str | None]]:
    """Return the first word of each sentence labelled twice, with its noisy and its clean label."""
    found = labelled_twice(corpus, unwatched)
    return [(own.tokens[0], own.labels[0], (own.gold or own.labels)[0]) for own in found]


def test_the_noisy_labels_of_trusted_sentences_are_taken_from_the_training_corpus() -> None:
    corpus = Corpus(sentences(NAMES, "B-LOC"), trusted=sentences(NAMES[:4], "B-PER"))
    assert pairs_of(corpus) == [(name, "B-LOC", "B-PER") for name in NAMES[:4]]


def test_a_training_sentence_that_stands_there_twice_counts_twice() -> None:
    noisy = sentences(NAMES, "B-LOC") + sentences(NAMES[:1], "O")
    found = pairs_of(Corpus(noisy, trusted=sentences(NAMES[:2], "B-PER")))
    assert sorted(found) == sorted([("Ann0", "B-LOC", "B-PER"), ("Ann0", "O", "B-PER"), ("Ann1", "B-LOC", "B-PER")])


def test_a_few_sentences_that_are_the_same_by_chance_show_nothing() -> None:
    corpus = Corpus(sentences(NAMES[:2], "B-LOC"), trusted=sentences(NAMES, "B-PER"))
    assert pairs_of(corpus) == []


def test_noisy_labels_beside_trusted_ones_are_a_pair() -> None:
    trusted = (Sentence(("Bob", "ran"), ("B-LOC", "O"), gold=("B-PER", "O")),)
    corpus = Corpus(sentences(NAMES, "B-LOC"), trusted=trusted)
    assert pairs_of(corpus) == [("Bob", "B-LOC", "B-PER")]


def test_noisy_labels_of_dev_and_trusted_sentences_come_from_a_file_of_their_own() -> None:
    notes: list[Note] = []
    corpus = Corpus(
        sentences(NAMES, "B-LOC"),
        dev=sentences(["Dev"], "B-PER"),
        trusted=sentences(["Bob"], "B-PER"),
        noisy=sentences(["Dev", "Bob", "Nobody"], "O"),
    )
    assert pairs_of(corpus) == [("Dev", "O", "B-PER"), ("Bob", "O", "B-PER")]
    labelled_twice(corpus, notes.append)
    assert [note.kind for note in notes] == ["left out"]
    assert "1 of 3" in notes[0].detail


def test_dev_sentences_that_also_stand_in_training_are_no_pairs_of_their_own() -> None:
    corpus = Corpus(sentences(NAMES, "B-LOC"), dev=sentences(NAMES[:5], "B-PER"))
    assert pairs_of(corpus) == []

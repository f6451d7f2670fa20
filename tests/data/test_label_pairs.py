"""Labels of sentences labelled twice, as indices."""

from trustag.data.label_pairs import encode_pairs
from trustag.text.label_sets import LabelSet
from trustag.text.sentences import Sentence

LABELS = LabelSet.of(("PER", "LOC"))


def test_both_labels_are_encoded_in_the_scheme_of_training() -> None:
    twice = [
        Sentence(("Ann", "Lee", "ran"), ("B-PER", "O", None), gold=("B-PER", "I-PER", "O")),
        Sentence((), (), gold=()),
        Sentence(("Rome",), ("B-LOC",), gold=("B-GOD",)),
    ]
    found = encode_pairs(twice, LABELS)
    index = LABELS.index
    assert found.given.tolist() == [index["S-PER"], 0, -1, index["S-LOC"]]
    assert found.clean.tolist() == [index["B-PER"], index["E-PER"], 0, len(LABELS)]
    assert found.lengths == (3, 1)


def test_no_sentence_gives_no_labels() -> None:
    found = encode_pairs([], LABELS)
    assert (len(found.given), len(found.clean), found.lengths) == (0, 0, ())

"""Matching: the dictionary that labels make, the segmentation against all segmentations, and what is certain."""

from collections.abc import Sequence
from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from trustag.data.encoded_corpus import EncodedCorpus, encode
from trustag.methods.autoner.matching import Dictionary, StretchMatch, best_matches, dictionary_of, matches_of
from trustag.methods.autoner.settings import AutoNERSettings
from trustag.text.label_sets import LabelSet
from trustag.text.sentences import GIVEN, REVIEWED, Sentence
from trustag.text.spans import read_spans

LABELS = LabelSet.of(["LOC", "PER"])
WORDS = ("A", "B", "C")
PHRASES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(tuple)


def encoded(*rows: tuple[str, str], reviewed: Sequence[tuple[int, int]] = ()) -> EncodedCorpus:
    """Return sentences written as words and labels; ``-`` is an unknown label."""
    sentences = []
    for number, (words, labels) in enumerate(rows):
        given = tuple(None if label == "-" else label for label in labels.split())
        sources = tuple(REVIEWED if (number, token) in reviewed else GIVEN for token in range(len(given)))
        sentences.append(Sentence(tuple(words.split()), given, token_sources=sources))
    return encode(sentences, LABELS)


@given(st.lists(st.sampled_from(WORDS), max_size=7), st.sets(PHRASES, max_size=4), st.sets(PHRASES, max_size=4))
def test_matches_have_the_largest_sum_of_squared_lengths(
    tokens: list[str], core: set[tuple[str, ...]], phrases: set[tuple[str, ...]]
) -> None:
    dictionary = Dictionary(dict.fromkeys(core, ("PER",)), phrases)
    found = best_matches(tuple(tokens), dictionary)
    assert all(one.end <= other.first for one, other in pairwise(found))
    for match in found:
        words = tuple(tokens[match.first : match.end])
        assert match.types == (("PER",) if words in core else ())
        assert words in core | phrases
    spots = [
        (first, end)
        for first in range(len(tokens))
        for end in range(first + 1, len(tokens) + 1)
        if tuple(tokens[first:end]) in core | phrases
    ]
    best = 0
    for size in range(len(spots) + 1 if len(spots) <= 8 else 0):
        for chosen in combinations(sorted(spots), size):
            if all(one[1] <= other[0] for one, other in pairwise(chosen)):
                best = max(best, sum((end - first) ** 2 for first, end in chosen))
    if len(spots) <= 8:
        assert sum((match.end - match.first) ** 2 for match in found) == best


CORPUS = encoded(
    ("New York beat Ann Lee today", "B-LOC E-LOC O O O O"),
    ("Ann Lee left New York", "B-PER E-PER O B-PER E-PER"),
    ("the Old Mill and Ann Lee", "O O O O B-PER E-PER"),
    ("Old Mill closed the door", "O O O O O"),
    ("NEW YORK is The place", "O O O S-LOC O"),
)


def dictionary(**changes: object) -> Dictionary:
    settings = AutoNERSettings.model_validate(changes)
    return dictionary_of(CORPUS, [read_spans(labels) for labels in CORPUS.label_names()], settings)


def test_the_dictionary_has_frequent_types_and_repeated_capitalised_phrases() -> None:
    found = dictionary()
    assert found.core[("New", "York")] == ("LOC", "PER")
    assert found.core[("Ann", "Lee")] == ("PER",)
    assert ("The",) not in found.core, "it also occurs in lower case"
    assert found.phrases == {("Old", "Mill")}
    assert found.types(("NEW", "YORK")) == ("LOC", "PER")
    assert dictionary(least_share=0.6).core[("New", "York")] == ()
    assert dictionary(unknown_phrases=False).phrases == frozenset()
    assert dictionary(least_repeats=3).phrases == frozenset()


def test_labels_are_matches_as_they_are_or_wherever_their_words_stand() -> None:
    as_labelled = matches_of(CORPUS, AutoNERSettings())
    assert as_labelled[0] == [StretchMatch(0, 2, ("LOC",))]
    assert as_labelled[1] == [StretchMatch(0, 2, ("PER",)), StretchMatch(3, 5, ("PER",))]
    assert as_labelled[3] == [StretchMatch(0, 2, ())]
    everywhere = matches_of(CORPUS, AutoNERSettings(source="dictionary"))
    assert everywhere[0] == [StretchMatch(0, 2, ("LOC", "PER")), StretchMatch(3, 5, ("PER",))]
    assert everywhere[2] == [StretchMatch(1, 3, ()), StretchMatch(4, 6, ("PER",))]
    assert everywhere[4] == [StretchMatch(0, 2, ("LOC", "PER"))]


def test_what_a_person_has_decided_on_is_matched_as_it_is_and_unknown_labels_are_phrases() -> None:
    rows = (("Ann Lee met Ann Lee", "S-PER O O B-PER E-PER"), ("x Ann Lee", "- O O"))
    own = encoded(*rows, reviewed=[(0, 0), (0, 1)])
    for source in ("labels", "dictionary"):
        found = matches_of(own, AutoNERSettings.model_validate({"source": source}))
        assert found[0] == [StretchMatch(0, 1, ("PER",)), StretchMatch(3, 5, ("PER",))]
        assert found[1][0] == StretchMatch(0, 1, ())
    assert matches_of(own, AutoNERSettings(source="dictionary"))[1][1] == StretchMatch(1, 3, ("PER",))

import pytest
from seqeval.metrics import f1_score

from tests.aggregation.simulated import three_sources
from trustag.aggregation.labellings import Labellings, from_files
from trustag.aggregation.merging import Merged, Rule, merge
from trustag.errors import InputError
from trustag.notes import Note, unwatched
from trustag.text.sentences import Sentence
from trustag.text.soft_labels import PROBABILITIES, read_probabilities


@pytest.fixture(scope="module")
def annotators() -> Labellings:
    return three_sources(1200)


def f1(merged: Merged) -> float:
    labels = [[label or "O" for label in sentence.labels] for sentence in merged.sentences]
    return float(f1_score([list(sentence.gold or ()) for sentence in merged.sentences], labels))


@pytest.mark.parametrize("rule", ["hmm", "dawid-skene"])
def test_a_model_of_the_sources_is_better_than_the_vote_and_than_the_best_of_them(
    annotators: Labellings, rule: Rule
) -> None:
    merged = merge(annotators, rule, 0.0, unwatched)
    best = max(source.measured.f1 for source in merged.sources if source.measured is not None)
    assert f1(merged) > best
    assert f1(merged) > f1(merge(annotators, "vote", 0.0, unwatched))
    assert merged.unknown == 0


def test_nothing_is_lost(annotators: Labellings) -> None:
    merged = merge(annotators, "hmm", 0.0, unwatched)
    for before, after, given in zip(annotators.sentences, merged.sentences, annotators.given, strict=True):
        assert after.tokens == before.tokens
        assert after.gold == before.gold
        assert tuple(after.columns[name] for name in annotators.names) == given


def test_the_column_of_probabilities_goes_with_the_labels(annotators: Labellings) -> None:
    merged = merge(annotators, "hmm", 0.9, unwatched)
    unsure = 0
    for sentence in merged.sentences:
        for label, text in zip(sentence.labels, sentence.columns[PROBABILITIES], strict=True):
            chances = read_probabilities(text)
            if label is None:
                unsure += 1
            elif label == "O":
                assert chances["O"] >= 0.89
    assert unsure == merged.unknown > 0


def tied(*labels: str) -> Labellings:
    rows = {str(number): [Sentence(("Ann",), (label,))] for number, label in enumerate(labels)}
    return from_files(rows, unwatched)


def test_a_tied_vote_is_unknown_and_says_so() -> None:
    assert merge(tied("B-PER", "O"), "vote", 0.0, unwatched).sentences[0].labels == (None,)
    assert merge(tied("B-PER", "O", "B-LOC"), "vote", 0.0, unwatched).unknown == 1
    won = merge(tied("B-PER", "O", "B-PER"), "vote", 0.0, unwatched).sentences[0]
    assert won.labels == ("B-PER",)
    assert won.token_sources == ("0+2",)


def test_two_sources_are_few() -> None:
    notes: list[Note] = []
    merge(tied("B-PER", "B-PER"), "hmm", 0.0, notes.append)
    assert [note.reason for note in notes] == ["few sources"]


def test_sources_without_any_entity_are_refused() -> None:
    with pytest.raises(InputError, match="no source has an entity"):
        merge(tied("O", "O", "O"), "hmm", 0.0, unwatched)


def test_what_nobody_labelled_stays_unknown() -> None:
    rows = {name: [Sentence(("Ann", "?"), ("B-PER", None))] for name in "abc"}
    assert merge(from_files(rows, unwatched), "hmm", 0.0, unwatched).sentences[0].labels == ("B-PER", None)

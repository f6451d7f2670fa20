"""Entity-level issues from a user's own labels and probabilities, called as cleanlab's functions are."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trustag
from trustag.errors import InputError
from trustag.issues.from_probabilities import find_entity_issues
from trustag.issues.issue import Kind
from trustag.text.sentences import Sentence
from trustag.text.spans import Span

NAMES = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")
WORDS = ("Ann", "Smith", "left", "Oslo", "today")
ROW = (1, 2, 0, 3, 0)
RATES = (0.05, 0.05)

Rows = list[list[int]]
Tables = list[npt.NDArray[np.float64]]


def consistent(sentences: int = 12) -> tuple[list[tuple[str, ...]], Rows, Tables]:
    """Return sentences whose labels a model agrees with, each a little less surely than the one before."""
    rows = [list(ROW) for _ in range(sentences)]
    return [WORDS] * sentences, rows, [sure_of(ROW, 0.95 - 0.005 * number) for number in range(sentences)]


def sure_of(row: tuple[int, ...], probability: float, classes: int = len(NAMES)) -> npt.NDArray[np.float64]:
    """Return probabilities (tokens, classes) of a model that is that sure of ``row``."""
    table = np.full((len(row), classes), (1 - probability) / (classes - 1))
    table[np.arange(len(row)), list(row)] = probability
    return table


@pytest.mark.parametrize(
    ("changes", "kind", "first", "end"),
    [
        ({0: 0, 1: 0}, "missed", 0, 2),
        ({3: 0}, "missed", 3, 4),
        ({2: 3}, "spurious", 2, 3),
        ({3: 1}, "type", 3, 4),
        ({1: 0}, "boundary", 0, 2),
    ],
)
@pytest.mark.parametrize("rates", [None, RATES])
def test_a_planted_error_is_first(
    changes: dict[int, int], kind: Kind, first: int, end: int, rates: tuple[float, float] | None
) -> None:
    tokens, labels, tables = consistent()
    for token, label in changes.items():
        labels[7][token] = label
    found = find_entity_issues(tokens, labels, tables, class_names=NAMES, noise_rates=rates)
    worst = found[0]
    assert (worst.sentence, worst.first, worst.end, worst.kind) == (7, first, end, kind)
    assert worst.score > 0.5
    assert len(found.sentences) == len(tokens)


def test_labels_that_the_model_agrees_with_are_no_issues() -> None:
    assert not find_entity_issues(*consistent(), class_names=NAMES, noise_rates=RATES)


def test_issues_suggest_the_whole_entity() -> None:
    tokens, labels, tables = consistent()
    labels[3][:2] = [0, 0]
    worst = find_entity_issues(tokens, labels, tables, class_names=NAMES)[0]
    assert (worst.given, worst.suggested) == ((), (Span(0, 2, "PER"),))


@given(
    st.lists(st.tuples(st.integers(0, 2), st.floats(0.02, 0.96), st.booleans()), min_size=1, max_size=8),
    st.tuples(st.floats(0.01, 0.4), st.floats(0.01, 0.4)),
)
def test_single_tokens_have_the_scores_of_their_labels(
    drawn: list[tuple[int, float, bool]], rates: tuple[float, float]
) -> None:
    names = ("O", "PER", "LOC")
    tokens = [(f"word{number}",) for number in range(len(drawn))]
    labels = [[label] for label, _, _ in drawn]
    tables = [sure_of((label,), probability, 3) for label, probability, _ in drawn]
    found = find_entity_issues(tokens, labels, tables, class_names=names, noise_rates=rates)
    _, by_token = trustag.get_label_quality_scores(labels, tables, class_names=names, noise_rates=rates)
    for issue in found:
        assert issue.score == pytest.approx(1 - float(by_token[issue.sentence].iloc[0]), abs=1e-4)
    assert [issue.score for issue in found] == sorted((issue.score for issue in found), reverse=True)


def test_neighbouring_tokens_of_one_type_are_one_entity() -> None:
    tables = [sure_of((1, 1, 0), 0.9, 2)] * 6
    labels = [[1, 1, 0]] * 5 + [[0, 0, 0]]
    found = find_entity_issues([("New", "York", "slept")] * 6, labels, tables, class_names=("O", "LOC"))
    assert (found[0].sentence, found[0].suggested) == (5, (Span(0, 2, "LOC"),))
    assert found.sentences[0] == Sentence(("New", "York", "slept"), ("I-LOC", "I-LOC", "O"))


def test_empty_sentences_keep_their_numbers() -> None:
    tokens, labels, tables = consistent()
    labels[2][3] = 0
    found = find_entity_issues(
        [(), *tokens], [[], *labels], [np.zeros((0, len(NAMES))), *tables], class_names=NAMES, noise_rates=RATES
    )
    assert found[0].sentence == 3
    assert found.sentences[0].tokens == ()
    assert not find_entity_issues([()], [[]], [np.zeros((0, 1))], class_names=NAMES)
    assert not find_entity_issues([], [], [], class_names=NAMES)


def test_unknown_labels_are_filled_in_by_no_issue_of_their_own() -> None:
    tokens, labels, tables = consistent()
    labels[4] = [-1] * len(ROW)
    assert all(issue.sentence != 4 for issue in find_entity_issues(tokens, labels, tables, class_names=NAMES))


@pytest.mark.parametrize(
    ("tokens", "labels", "shapes", "names", "message"),
    [
        ([("a",)], [[0], [0]], [(1, 3)], "OBI", "hold 1, 2 and 1 sentences"),
        ([("a", "b")], [[0]], [(2, 3)], "OBI", "sentence 0 .*1 labels for 2 tokens"),
        ([("a", "b")], [[0, 0]], [(1, 3)], "OBI", r"shape \(1, 3\) for 2 tokens and 3 classes"),
        ([("a",)], [[3]], [(1, 3)], "OBI", "label 3 of 3 classes"),
        ([("a",)], [[0]], [(1, 2)], "BI", "hold O once"),
        ([("a",)], [[0]], [(1, 3)], "OMU", "no tagging scheme has the positions M, U"),
    ],
)
def test_bad_arguments_are_one_clear_line(
    tokens: list[tuple[str, ...]], labels: Rows, shapes: list[tuple[int, int]], names: str, message: str
) -> None:
    classes = [letter if letter == "O" else f"{letter}-PER" for letter in names]
    tables = [np.full(shape, 1 / shape[1]) for shape in shapes]
    with pytest.raises(InputError, match=message) as error:
        find_entity_issues(tokens, labels, tables, class_names=classes)
    assert "\n" not in str(error.value)


def test_probabilities_that_are_no_numbers_are_refused() -> None:
    tokens, labels, tables = consistent(2)
    tables[1][0, 0] = np.nan
    with pytest.raises(InputError, match="sentence 1 .*not a number"):
        find_entity_issues(tokens, labels, tables, class_names=NAMES)


def test_labels_that_depend_on_their_neighbours_are_refused() -> None:
    names, row = ("O", "B-PER", "I-PER"), (2, 0, 2, 1)
    with pytest.raises(InputError, match="IOB1"):
        find_entity_issues([tuple("abcd")], [list(row)], [sure_of(row, 0.9, 3)], class_names=names)


def test_cleanlabs_own_example_is_accepted() -> None:
    cleanlab = pytest.importorskip("cleanlab.token_classification.rank")
    # The shapes of cleanlab's documentation: lists of class indices, one array (tokens, classes) a sentence.
    names = ["O", "MISC", "PER", "ORG", "LOC"]
    tokens = [["A", "?weird", "sentence"], ["A", "valid", "sentence"], ["An", "sentence", "with", "a", "typo"]]
    labels = [[0, 0, 1], [0, 0, 0], [0, 0, 0, 0, 4]]
    tables = [sure_of((0, 0, 2), 0.9, 5), sure_of((0, 0, 0), 0.8, 5), sure_of((0, 0, 0, 0, 4), 0.7, 5)]
    sentence_scores, _ = cleanlab.get_label_quality_scores(labels, tables)
    found = trustag.find_entity_issues(tokens, labels, tables, class_names=names)
    assert (found[0].sentence, found[0].first, found[0].kind) == (0, 2, "type")
    assert int(np.argmin(sentence_scores)) == found[0].sentence

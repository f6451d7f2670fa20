"""Issues have the probabilities that enumeration of all label paths gives, and come worst first."""

from itertools import pairwise, product
from math import exp

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from trustag.confidence.probabilities import confidence
from trustag.crf import Chain
from trustag.crf.outputs import Judgement
from trustag.issues.finding import Witness, find_issues
from trustag.issues.issue import Issue
from trustag.issues.ranking import LIKELY, fitted_ranking
from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans

LABELS = LabelSet(("LOC", "PER"), "S")
NAMES = LABELS.labels
RATES = (0.1, 0.2)
LENGTHS = [3, 1, 4]


def drawn_judgement(seed: int) -> Judgement:
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> torch.Tensor:
        return 2 * torch.randn(shape, generator=generator)

    return Judgement(LENGTHS, draw(sum(LENGTHS), 3), Chain(draw(3, 3), draw(3), draw(3)))


def found_issues(
    judgement: Judgement,
    given_labels: torch.Tensor,
    held: torch.Tensor | None = None,
    rates: tuple[float, float] = RATES,
) -> list[Issue]:
    rows = torch.split(given_labels, LENGTHS)
    sentences = [
        Sentence(("w",) * len(row), tuple(NAMES[label] if label >= 0 else None for label in row.tolist()))
        for row in rows
    ]
    witness = Witness(
        given_labels,
        judgement.marginals(),
        judgement.best_labels,
        judgement.probabilities_of,
        held=None if held is None else lambda _: held,
    )
    return find_issues(sentences, witness, LABELS, Scheme.IOBES, rates)


def enumerated(judgement: Judgement, sentence: int, first: int, labels: tuple[int, ...]) -> float:
    """Return the probability that tokens carry ``labels``, by adding up every path."""
    emissions = torch.split(judgement.emissions, LENGTHS)[sentence].tolist()
    moves, start, end = (
        scores.tolist() for scores in (judgement.chain.transitions, judgement.chain.start, judgement.chain.end)
    )
    total = inside = 0.0
    for path in product(range(3), repeat=len(emissions)):
        score = start[path[0]] + end[path[-1]] + sum(row[label] for row, label in zip(emissions, path, strict=True))
        weight = exp(score + sum(moves[one][other] for one, other in pairwise(path)))
        total += weight
        inside += weight * (path[first : first + len(labels)] == labels)
    return inside / total


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000), st.lists(st.integers(-1, 2), min_size=8, max_size=8))
def test_readings_have_their_exact_probabilities(seed: int, numbers: list[int]) -> None:
    judgement, given_labels = drawn_judgement(seed), torch.tensor(numbers)
    issues = found_issues(judgement, given_labels)
    for issue in issues:
        for reading, score in ((issue.given, issue.given_score), (issue.suggested, issue.suggested_score)):
            types = {span.start: span.type for span in reading}  # single tokens, all of them
            labels = tuple(NAMES.index(f"S-{types[t]}") if t in types else 0 for t in range(issue.first, issue.end))
            assert score == pytest.approx(enumerated(judgement, issue.sentence, issue.first, labels), abs=1e-5)
    assert [issue.score for issue in issues] == sorted((issue.score for issue in issues), reverse=True)
    assert all(0 <= issue.score <= 1 for issue in issues)


def doubted_outside(judgement: Judgement, given_labels: torch.Tensor, rates: tuple[float, float]) -> list[bool]:
    """Return which ``O`` labels are more likely wrong than right."""
    labels, believed = given_labels.numpy(), confidence(judgement.marginals(), given_labels).numpy()
    wrong = fitted_ranking(labels, believed, None, rates).how_wrong(believed, None, labels > 0)
    doubted: list[bool] = ((wrong > LIKELY) & (labels == 0)).tolist()
    return doubted


def best_path(judgement: Judgement, sentence: int, ruled_out: list[bool]) -> tuple[int, ...]:
    """Return the best of all paths of a sentence that are not ``O`` where that is ruled out."""
    paths = product(range(3), repeat=LENGTHS[sentence])
    allowed = [path for path in paths if not any(out and not label for label, out in zip(path, ruled_out, strict=True))]
    return max(allowed, key=lambda path: enumerated(judgement, sentence, 0, path))


@settings(deadline=None, max_examples=25)
@given(
    st.integers(0, 1000),
    st.lists(st.integers(0, 2), min_size=8, max_size=8),
    st.sampled_from([RATES, (0.7, 0.1)]),
)
def test_every_disagreement_is_listed_once(seed: int, numbers: list[int], rates: tuple[float, float]) -> None:
    """Models disagree with a label where their best path does, of those without an ``O`` that is probably wrong."""
    judgement, given_labels = drawn_judgement(seed), torch.tensor(numbers)
    issues = found_issues(judgement, given_labels, rates=rates)
    doubted = doubted_outside(judgement, given_labels, rates)
    differing, start = set(), 0
    for sentence, length in enumerate(LENGTHS):
        own = slice(start, start + length)
        readings = numbers[own], best_path(judgement, sentence, doubted[own])
        spans = (read_spans([NAMES[label] for label in row]) for row in readings)
        differing |= {(sentence, *span[:2]) for span in set.symmetric_difference(*map(set, spans))}
        start += length
    assert {(issue.sentence, issue.first, issue.end) for issue in issues} == differing


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000))
def test_an_outside_that_is_probably_wrong_is_always_an_issue(seed: int) -> None:
    judgement, given_labels = drawn_judgement(seed), torch.zeros(8, dtype=torch.long)
    doubted = doubted_outside(judgement, given_labels, (0.7, 0.1))
    assume(any(doubted))
    listed = {
        (issue.sentence, token)
        for issue in found_issues(judgement, given_labels, rates=(0.7, 0.1))
        for token in range(issue.first, issue.end)
    }
    places = [(sentence, token) for sentence, length in enumerate(LENGTHS) for token in range(length)]
    assert {place for place, is_doubted in zip(places, doubted, strict=True) if is_doubted} <= listed


def test_where_nothing_can_be_an_entity_nothing_is_suggested() -> None:
    judgement = Judgement([2], torch.zeros(2, 1), Chain(torch.zeros(1, 1), torch.zeros(1), torch.zeros(1)))
    given_labels = torch.zeros(2, dtype=torch.long)
    witness = Witness(given_labels, judgement.marginals(), judgement.best_labels, judgement.probabilities_of)
    sentence = Sentence(("a", "b"), ("O", "O"))
    assert find_issues([sentence], witness, LabelSet((), "S"), Scheme.IOBES, (0.9, 0.1)) == []


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000), st.lists(st.integers(0, 2), min_size=8, max_size=8))
def test_parts_are_believed_without_the_outside(seed: int, numbers: list[int]) -> None:
    """With one position and two types: an entity at all, and an entity of the given type."""
    judgement, given_labels = drawn_judgement(seed), torch.tensor(numbers)
    rows, marginals = torch.split(given_labels, LENGTHS), torch.split(judgement.marginals(), LENGTHS)
    for issue in found_issues(judgement, given_labels):
        tokens = [token for token in range(issue.first, issue.end) if rows[issue.sentence][token] > 0]
        table = marginals[issue.sentence]
        if not tokens:
            assert (issue.position_score, issue.type_score) == (None, None)
            continue
        own = [float(table[token, rows[issue.sentence][token]]) for token in tokens]
        assert issue.position_score == pytest.approx(min(1 - float(table[token, 0]) for token in tokens), abs=1e-5)
        assert issue.type_score == pytest.approx(min(own), abs=1e-5)


def test_held_is_the_share_over_the_labels_that_would_change() -> None:
    judgement = drawn_judgement(3)
    given_labels = (judgement.best_labels() + 1) % 3
    held = torch.linspace(0, 1, 8)
    for issue in found_issues(judgement, given_labels, held):
        place = [0, 3, 4][issue.sentence] + issue.first
        assert issue.held == pytest.approx(float(held[place]))  # single tokens, all of them changed


def test_an_issue_with_a_label_that_was_ruled_out_is_nearly_certain() -> None:
    judgement = drawn_judgement(3)
    given_labels = (judgement.best_labels() + 1) % 3
    before = {issue.id: issue.score for issue in found_issues(judgement, given_labels)}
    sentences = [
        Sentence(("w",) * len(row), tuple(NAMES[label] for label in row.tolist()))
        for row in torch.split(given_labels, LENGTHS)
    ]
    ruled_out = given_labels == 1
    asked = judgement.marginals(), judgement.best_labels, judgement.probabilities_of
    witness = Witness(given_labels, *asked, ruled_out=ruled_out)
    after = {issue.id: issue for issue in find_issues(sentences, witness, LABELS, Scheme.IOBES, RATES)}
    assert after.keys() == before.keys()
    for name, issue in after.items():
        is_out = given_labels[sum(LENGTHS[: issue.sentence]) + issue.first] == 1
        assert 1 - issue.score == pytest.approx((1 - before[name]) / (10 if is_out else 1))

"""Issues have the probabilities that enumeration of all label paths gives, and come worst first."""

from itertools import pairwise, product
from math import exp

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from trustag.confidence.issues.finding import Witness, find_issues
from trustag.confidence.issues.issue import Issue
from trustag.confidence.judgement import Judgement
from trustag.crf import Chain
from trustag.text.labels import LabelSet
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


def found_issues(judgement: Judgement, given_labels: torch.Tensor, held: torch.Tensor | None = None) -> list[Issue]:
    rows = torch.split(given_labels, LENGTHS)
    sentences = [
        Sentence(("w",) * len(row), tuple(NAMES[label] if label >= 0 else None for label in row.tolist()))
        for row in rows
    ]
    witness = Witness(
        given_labels, judgement.best_labels(), judgement.marginals(), judgement.probabilities_of, held=held
    )
    return find_issues(sentences, witness, LABELS, Scheme.IOBES, RATES)


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
    rows, best = torch.split(given_labels, LENGTHS), torch.split(judgement.best_labels(), LENGTHS)
    for issue in issues:
        own = slice(issue.first, issue.end)
        for reading, score in ((rows, issue.given_score), (best, issue.suggested_score)):
            labels = tuple(reading[issue.sentence][own].tolist())
            assert score == pytest.approx(enumerated(judgement, issue.sentence, issue.first, labels), abs=1e-5)
    assert [issue.score for issue in issues] == sorted((issue.score for issue in issues), reverse=True)
    assert all(0 <= issue.score <= 1 for issue in issues)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000), st.lists(st.integers(0, 2), min_size=8, max_size=8))
def test_every_disagreement_is_listed_once(seed: int, numbers: list[int]) -> None:
    judgement, given_labels = drawn_judgement(seed), torch.tensor(numbers)
    issues = found_issues(judgement, given_labels)
    differing = set()
    for sentence, (old, new) in enumerate(
        zip(torch.split(given_labels, LENGTHS), torch.split(judgement.best_labels(), LENGTHS), strict=True)
    ):
        spans = (read_spans([NAMES[label] for label in row.tolist()]) for row in (old, new))
        differing |= {(sentence, *span[:2]) for span in set.symmetric_difference(*map(set, spans))}
    assert {(issue.sentence, issue.first, issue.end) for issue in issues} == differing


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

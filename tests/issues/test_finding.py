"""Issues have the probabilities that enumeration of all label paths gives, and come worst first."""

from itertools import pairwise, product
from math import exp

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from trustag.confidence.probabilities import confidence
from trustag.crf import Chain
from trustag.crf.crf_outputs import CRFOutputs
from trustag.issues.evidence import LabelEvidence
from trustag.issues.finding import evidence_ranking, find_issues
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


def random_outputs(seed: int) -> CRFOutputs:
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> torch.Tensor:
        return 2 * torch.randn(shape, generator=generator)

    return CRFOutputs(LENGTHS, draw(sum(LENGTHS), 3), Chain(draw(3, 3), draw(3), draw(3)))


def found_issues(
    outputs: CRFOutputs,
    given_labels: torch.Tensor,
    held: torch.Tensor | None = None,
    rates: tuple[float, float] = RATES,
) -> list[Issue]:
    rows = torch.split(given_labels, LENGTHS)
    sentences = [
        Sentence(("w",) * len(row), tuple(NAMES[label] if label >= 0 else None for label in row.tolist()))
        for row in rows
    ]
    evidence = LabelEvidence(
        given_labels,
        outputs.marginals(),
        outputs.best_labels,
        outputs.probabilities_of,
        agreement=None if held is None else lambda _: held,
    )
    return find_issues(sentences, evidence, LABELS, Scheme.IOBES, evidence_ranking(evidence, rates))


def enumerated(outputs: CRFOutputs, sentence: int, first: int, labels: tuple[int, ...]) -> float:
    """Return the probability that tokens carry ``labels``, by adding up every path."""
    emissions = torch.split(outputs.emissions, LENGTHS)[sentence].tolist()
    moves, start, end = (
        scores.tolist() for scores in (outputs.chain.transitions, outputs.chain.start, outputs.chain.end)
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
def test_label_sequences_have_their_exact_probabilities(seed: int, numbers: list[int]) -> None:
    outputs, given_labels = random_outputs(seed), torch.tensor(numbers)
    issues = found_issues(outputs, given_labels)
    for issue in issues:
        for spans, score in ((issue.given, issue.given_score), (issue.suggested, issue.suggested_score)):
            types = {span.start: span.type for span in spans}  # single tokens, all of them
            labels = tuple(NAMES.index(f"S-{types[t]}") if t in types else 0 for t in range(issue.first, issue.end))
            assert score == pytest.approx(enumerated(outputs, issue.sentence, issue.first, labels), abs=1e-5)
    assert [issue.score for issue in issues] == sorted((issue.score for issue in issues), reverse=True)
    assert all(0 <= issue.score <= 1 for issue in issues)


def doubted_outside(outputs: CRFOutputs, given_labels: torch.Tensor, rates: tuple[float, float]) -> list[bool]:
    """Return which ``O`` labels are more likely wrong than right."""
    labels, scores = given_labels.numpy(), confidence(outputs.marginals(), given_labels).numpy()
    wrong = fitted_ranking(labels, scores, None, rates).how_wrong(scores, None, labels > 0)
    doubted: list[bool] = ((wrong > LIKELY) & (labels == 0)).tolist()
    return doubted


def best_path(outputs: CRFOutputs, sentence: int, ruled_out: list[bool]) -> tuple[int, ...]:
    """Return the best of all paths of a sentence that are not ``O`` where that is ruled out."""
    paths = product(range(3), repeat=LENGTHS[sentence])
    allowed = [path for path in paths if not any(out and not label for label, out in zip(path, ruled_out, strict=True))]
    return max(allowed, key=lambda path: enumerated(outputs, sentence, 0, path))


@settings(deadline=None, max_examples=25)
@given(
    st.integers(0, 1000),
    st.lists(st.integers(0, 2), min_size=8, max_size=8),
    st.sampled_from([RATES, (0.7, 0.1)]),
)
def test_every_disagreement_is_listed_once(seed: int, numbers: list[int], rates: tuple[float, float]) -> None:
    """Models disagree with a label where their best path does, of those without an ``O`` that is probably wrong."""
    outputs, given_labels = random_outputs(seed), torch.tensor(numbers)
    issues = found_issues(outputs, given_labels, rates=rates)
    doubted = doubted_outside(outputs, given_labels, rates)
    differing, start = set(), 0
    for sentence, length in enumerate(LENGTHS):
        own = slice(start, start + length)
        sequences = numbers[own], best_path(outputs, sentence, doubted[own])
        spans = (read_spans([NAMES[label] for label in row]) for row in sequences)
        differing |= {(sentence, *span[:2]) for span in set.symmetric_difference(*map(set, spans))}
        start += length
    assert {(issue.sentence, issue.first, issue.end) for issue in issues} == differing


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000))
def test_an_outside_that_is_probably_wrong_is_always_an_issue(seed: int) -> None:
    outputs, given_labels = random_outputs(seed), torch.zeros(8, dtype=torch.long)
    doubted = doubted_outside(outputs, given_labels, (0.7, 0.1))
    assume(any(doubted))
    listed = {
        (issue.sentence, token)
        for issue in found_issues(outputs, given_labels, rates=(0.7, 0.1))
        for token in range(issue.first, issue.end)
    }
    tokens = [(sentence, token) for sentence, length in enumerate(LENGTHS) for token in range(length)]
    assert {token for token, is_doubted in zip(tokens, doubted, strict=True) if is_doubted} <= listed


def test_where_nothing_can_be_an_entity_nothing_is_suggested() -> None:
    outputs = CRFOutputs([2], torch.zeros(2, 1), Chain(torch.zeros(1, 1), torch.zeros(1), torch.zeros(1)))
    given_labels = torch.zeros(2, dtype=torch.long)
    evidence = LabelEvidence(given_labels, outputs.marginals(), outputs.best_labels, outputs.probabilities_of)
    sentence = Sentence(("a", "b"), ("O", "O"))
    assert (
        find_issues([sentence], evidence, LabelSet((), "S"), Scheme.IOBES, evidence_ranking(evidence, (0.9, 0.1))) == []
    )


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000), st.lists(st.integers(0, 2), min_size=8, max_size=8))
def test_parts_are_scored_without_the_outside(seed: int, numbers: list[int]) -> None:
    """With one position and two types: an entity at all, and an entity of the given type."""
    outputs, given_labels = random_outputs(seed), torch.tensor(numbers)
    rows, marginals = torch.split(given_labels, LENGTHS), torch.split(outputs.marginals(), LENGTHS)
    for issue in found_issues(outputs, given_labels):
        tokens = [token for token in range(issue.first, issue.end) if rows[issue.sentence][token] > 0]
        table = marginals[issue.sentence]
        if not tokens:
            assert (issue.position_score, issue.type_score) == (None, None)
            continue
        own = [float(table[token, rows[issue.sentence][token]]) for token in tokens]
        assert issue.position_score == pytest.approx(min(1 - float(table[token, 0]) for token in tokens), abs=1e-5)
        assert issue.type_score == pytest.approx(min(own), abs=1e-5)


def test_held_is_the_share_over_the_labels_that_would_change() -> None:
    outputs = random_outputs(3)
    given_labels = (outputs.best_labels() + 1) % 3
    held = torch.linspace(0, 1, 8)
    for issue in found_issues(outputs, given_labels, held):
        index = [0, 3, 4][issue.sentence] + issue.first
        assert issue.held == pytest.approx(float(held[index]))  # single tokens, all of them changed


def test_an_issue_with_a_label_known_to_be_wrong_is_nearly_certain() -> None:
    outputs = random_outputs(3)
    given_labels = (outputs.best_labels() + 1) % 3
    before = {issue.id: issue.score for issue in found_issues(outputs, given_labels)}
    sentences = [
        Sentence(("w",) * len(row), tuple(NAMES[label] for label in row.tolist()))
        for row in torch.split(given_labels, LENGTHS)
    ]
    known_wrong = given_labels == 1
    asked = outputs.marginals(), outputs.best_labels, outputs.probabilities_of
    evidence = LabelEvidence(given_labels, *asked, known_wrong=known_wrong)
    after = {
        issue.id: issue
        for issue in find_issues(sentences, evidence, LABELS, Scheme.IOBES, evidence_ranking(evidence, RATES))
    }
    assert after.keys() == before.keys()
    for name, issue in after.items():
        is_out = given_labels[sum(LENGTHS[: issue.sentence]) + issue.first] == 1
        assert 1 - issue.score == pytest.approx((1 - before[name]) / (10 if is_out else 1))

"""Weights of binary rounds: every step against slow loops."""

import math
from collections.abc import Sequence
from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from tests.methods.cbl.small import LABELS, encoded, small_corpus
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus, encode
from trustag.methods.cbl.weights import constrained_weights, initial_weights, known_entities, not_learned, typed_weights
from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme
from trustag.text.sentences import GIVEN, REVIEWED, Sentence

PROBABILITIES = st.integers(1, 99).map(lambda percent: percent / 100)
TOKENS = st.lists(st.tuples(PROBABILITIES, st.sampled_from([1, 0, NO_LABEL, NO_LABEL])), min_size=1, max_size=9)


def chosen(weights: Tensor) -> list[bool]:
    return (weights[:, 1] == 1).tolist()


def log_likelihood(choice: Sequence[int], entity: Sequence[float]) -> float:
    return sum(math.log(p if z else 1 - p) for z, p in zip(choice, entity, strict=True))


@given(TOKENS, st.integers(0, 9))
def test_the_chosen_tokens_are_the_most_likely_of_their_number(rows: list[tuple[float, int]], wanted: int) -> None:
    entity, known = [row[0] for row in rows], [row[1] for row in rows]
    budget = min(max(wanted, known.count(1)), len(rows) - known.count(0))
    weights = constrained_weights(torch.tensor(entity), torch.tensor(known), budget / len(rows))
    choice = [int(value) for value in chosen(weights)]
    allowed = [(k,) if k != NO_LABEL else (0, 1) for k in known]
    best = max(log_likelihood(z, entity) for z in product(*allowed) if sum(z) == budget)
    assert all(value in options for value, options in zip(choice, allowed, strict=True))
    assert sum(choice) == budget
    assert log_likelihood(choice, entity) == pytest.approx(best)


@given(TOKENS, st.integers(0, 9))
def test_where_the_share_is_an_upper_bound_the_best_choice_is_a_part_of_ours(
    rows: list[tuple[float, int]], wanted: int
) -> None:
    entity, known = [row[0] for row in rows], [row[1] for row in rows]
    budget = min(max(wanted, known.count(1)), len(rows) - known.count(0))
    ours = chosen(constrained_weights(torch.tensor(entity), torch.tensor(known), budget / len(rows)))
    likely = [int(z and (k == 1 or p > 0.5)) for z, p, k in zip(ours, entity, known, strict=True)]
    allowed = [(k,) if k != NO_LABEL else (0, 1) for k in known]
    best = max(log_likelihood(z, entity) for z in product(*allowed) if sum(z) <= budget)
    assert log_likelihood(likely, entity) == pytest.approx(best)


def slow_weights(entity: Sequence[float], known: Sequence[int], budget: int) -> list[tuple[float, float]]:
    """The update rule word by word: sort, the first ``budget`` are entities, the others at most undecided."""
    rank = sorted(range(len(entity)), key=lambda t: (known[t] != 1, known[t] == 0, -entity[t]))
    found = []
    for token, probability in enumerate(entity):
        if known[token] == 1:
            weight = 1.0
        elif known[token] == 0:
            weight = 0.0
        elif token in rank[:budget]:
            weight = 1.0
        else:
            weight = min(probability, 0.5)
        found.append((1 - weight, weight))
    return found


@given(TOKENS, st.integers(0, 12))
def test_the_update_is_the_published_one(rows: list[tuple[float, int]], budget: int) -> None:
    entity, known = [row[0] for row in rows], [row[1] for row in rows]
    weights = constrained_weights(torch.tensor(entity), torch.tensor(known), budget / len(rows))
    assert torch.allclose(weights, torch.tensor(slow_weights(entity, known, budget)))


def test_ties_go_to_the_first_tokens_and_one_half_is_no_entity() -> None:
    entity, known = torch.tensor([0.5, 0.9, 0.5, 0.2, 0.7]), torch.tensor([-1, 1, -1, -1, 0])
    weights = constrained_weights(entity, known, 2 / 5)
    assert weights[:, 1].tolist() == pytest.approx([1.0, 1.0, 0.5, 0.2, 0.0])
    corpus = encoded(["O", "B-PER", "O", "O", "O"], reviewed=[(0, 4)])
    assert not_learned(weights, corpus).tolist() == [True, False, False, False, False]
    assert typed_weights(weights, corpus)[2].tolist() == pytest.approx([0.5, *[0.5 / 8] * 8])


def slow_typed(weights: Tensor, corpus: EncodedCorpus) -> list[list[float]]:
    count, found = len(corpus.labels), []
    for (outside, entity), label in zip(weights.tolist(), corpus.label_ids.tolist(), strict=True):
        if label > 0:
            found.append([float(number == label) for number in range(count)])
        elif label == NO_LABEL or entity > outside:
            found.append([1 / count] * count)
        else:
            found.append([outside, *[(1 - outside) / (count - 1)] * (count - 1)])
    return found


def test_typed_weights_are_the_published_ones() -> None:
    corpus = encoded(["O", "B-PER", "I-PER", None], ["O", "O", "B-LOC", "O", "O"], reviewed=[(1, 4)])
    entity = torch.tensor([0.9, 0.3, 0.8, 0.6, 0.5, 0.2, 0.0, 0.7, 0.99])
    for share in (0.0, 3 / 9, 4 / 9, 5 / 9, 6 / 9, 1.0):
        weights = constrained_weights(entity, known_entities(corpus), share)
        typed = typed_weights(weights, corpus)
        assert torch.allclose(typed, torch.tensor(slow_typed(weights, corpus)))
        assert torch.allclose(typed.sum(-1), torch.ones(9))
        assert typed[8].tolist() == [1.0, *[0.0] * 8], "a reviewed O stays"


def test_without_rounds_the_typed_tagger_learns_the_labels_as_given() -> None:
    corpus = encoded(["O", "B-PER", "I-PER", None], ["B-LOC", "O"])
    typed = typed_weights(initial_weights(corpus, "raw"), corpus)
    for weights, label in zip(typed, corpus.label_ids.tolist(), strict=True):
        expected = torch.full((9,), 1 / 9) if label == NO_LABEL else torch.eye(9)[label]
        assert torch.equal(weights, expected)


def slow_combined(sentences: Sequence[Sentence]) -> list[float]:
    """Section by section what is published: frequency, window, one over the number of tags."""
    words = [token.lower() for sentence in sentences for token in sentence.tokens]
    frequency = {word: math.log(words.count(word) / len(words)) for word in words}
    low, high = min(frequency.values()), max(frequency.values())
    found = []
    for sentence in sentences:
        for token, label in enumerate(sentence.labels):
            near = [sentence.labels[other] for other in (token - 1, token + 1) if 0 <= other < len(sentence)]
            if label is None:
                found.append(0.5)
            elif label != "O":
                found.append(0.0)
            elif any(other not in {None, "O"} for other in near):
                found.append(1.0)
            else:
                scaled = (frequency[sentence.tokens[token].lower()] - low) / (high - low)
                found.append(min(1.0, scaled + 1 / 2))
    return found


def test_combined_weights_are_the_published_ones() -> None:
    sentences = [
        Sentence(("The", "cat", "saw", "Ann", "."), ("O", "O", "O", "B-PER", "O")),
        Sentence(("the", "THE", "Rome", "cat", "."), ("O", "O", "B-LOC", None, "O")),
        Sentence(("the",), ("O",)),
        *small_corpus(20).train,
    ]
    corpus = encode(sentences, LabelSet.of(("LOC", "MISC", "ORG", "PER"), Scheme.IOBES))
    weights = initial_weights(corpus, "combined")
    assert weights[:, 0].tolist() == pytest.approx(slow_combined(sentences))
    assert torch.allclose(weights.sum(-1), torch.ones(len(weights)))


def test_combined_weights_leave_reviewed_labels_and_words_of_one_frequency_alone() -> None:
    corpus = encoded(["O", "O", "O"], reviewed=[(0, 1)])
    assert initial_weights(corpus, "combined")[:, 0].tolist() == [1.0, 1.0, 1.0]
    rows = [Sentence(("a", "b", "b"), ("O", "O", "O"), token_sources=(REVIEWED, GIVEN, GIVEN))]
    assert initial_weights(encode(rows, LABELS), "combined")[:, 0].tolist() == [1.0, 1.0, 1.0]


def test_the_first_round_adds_nothing_to_the_labelled_tokens() -> None:
    for tokens in range(1, 200):
        for labelled in range(0, tokens + 1, 5):
            known = torch.where(torch.arange(tokens) < labelled, 1, NO_LABEL)
            weights = constrained_weights(torch.full((tokens,), 0.7), known, labelled / tokens)
            assert int((weights[:, 1] == 1).sum()) == labelled

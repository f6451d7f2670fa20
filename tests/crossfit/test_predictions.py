"""Out-of-fold predictions: which model speaks of which label, and best paths against enumeration."""

from dataclasses import replace
from itertools import pairwise, product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.methods.confidence.made_up_batches import corpus_of
from tests.oracles import is_legal
from tests.training.made_up_results import flat_chain, random_outputs, result_of, training_record
from trustag.crf import Chain
from trustag.crf.crf_outputs import CRFOutputs, LabelSequence
from trustag.crossfit.folds import Folds, HiddenLabels
from trustag.crossfit.predictions import (
    HeldoutStatistics,
    OutOfFoldPredictions,
    TrainingStatistics,
    allowed_by,
    with_reviewed,
)
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.label_quality.temperature import fitted_temperature
from trustag.noise_rates.rates import NoiseRates
from trustag.text.label_sets import LabelSet

LABELS = LabelSet(("PER",), "BIES")
COUNT = len(LABELS)
SINGLE = LABELS.index["S-PER"]


def folds_of(corpus: EncodedCorpus, parts: list[list[int]]) -> Folds:
    return Folds(parts, HiddenLabels.none(corpus))


def two_models(seed: int, lengths: list[int], *, legal_only: bool) -> tuple[OutOfFoldPredictions, list[CRFOutputs]]:
    """Two fold models with random outputs, each of which predicts every second sentence."""
    parts = [list(range(0, len(lengths), 2)), list(range(1, len(lengths), 2))]
    outputs = [
        random_outputs(2 * seed + fold, [lengths[number] for number in part], COUNT) for fold, part in enumerate(parts)
    ]
    generator = torch.Generator().manual_seed(seed)
    # S-PER here and there: such labels are legal whatever stands beside them.
    rows = [((torch.rand(length, generator=generator) < 0.3).long() * SINGLE).tolist() for length in lengths]
    corpus = corpus_of(rows, labels=LABELS)
    results = [result_of(own) for own in outputs]
    return OutOfFoldPredictions(corpus, folds_of(corpus, parts), results, legal_only=legal_only), outputs


@pytest.mark.parametrize("legal_only", [True, False])
@given(seed=st.integers(0, 1000), lengths=st.lists(st.integers(1, 4), min_size=2, max_size=5))
def test_new_labels_are_the_best_path_through_fixed_ones(legal_only: bool, seed: int, lengths: list[int]) -> None:
    predictions, outputs = two_models(seed, lengths, legal_only=legal_only)
    corpus = predictions.corpus
    found = torch.split(predictions.best_labels(allowed_by(corpus.label_ids > 0, corpus)), lengths)
    for own, part in zip(outputs, predictions.folds.parts, strict=True):
        tables = torch.split(own.emissions, [lengths[number] for number in part])
        for number, table in zip(part, tables, strict=True):
            free = [[label] if label else range(COUNT) for label in corpus.rows[number].tolist()]
            paths = [path for path in product(*free) if not legal_only or _is_legal(path)]
            best = max(paths, key=lambda path: _score(path, table, own.chain))
            assert found[number].tolist() == list(best)


@given(seed=st.integers(0, 1000))
def test_a_sequence_has_its_probability_to_the_model_that_did_not_see_its_sentence(seed: int) -> None:
    lengths = [3, 2, 2]
    predictions, outputs = two_models(seed, lengths, legal_only=False)
    asked = [LabelSequence(2, 0, (0, SINGLE)), LabelSequence(1, 1, (0,)), LabelSequence(0, 1, (1, 3))]
    found = predictions.probabilities_of(asked)
    where = {0: (0, 0), 2: (0, 1), 1: (1, 0)}  # the fold of each sentence, and its place in it
    for sequence, probability in zip(asked, found, strict=True):
        fold, place = where[sequence.sentence]
        own = outputs[fold]
        table = torch.split(own.emissions, list(own.lengths))[place]
        paths = list(product(range(COUNT), repeat=len(table)))
        weights = torch.tensor([_score(path, table, own.chain) for path in paths]).double().softmax(0)
        last = sequence.first + len(sequence.labels)
        inside = [path[sequence.first : last] == sequence.labels for path in paths]
        assert probability == pytest.approx(float(weights[torch.tensor(inside)].sum()), abs=1e-5)


def test_a_fixed_label_allows_itself_and_a_free_one_everything() -> None:
    corpus = corpus_of([[0, 2]], labels=LABELS)
    allowed = allowed_by(torch.tensor([False, True]), corpus)
    assert allowed.tolist() == [[True] * COUNT, [False, False, True, False, False]]


def test_reviewed_labels_stay_whatever_else_is_ruled_out() -> None:
    ruled_out = torch.ones(3, COUNT, dtype=torch.bool)
    ruled_out[:, 0] = False
    corpus = corpus_of([[0, 2, 0]], reviewed=[[True, False, False]], labels=LABELS)
    known = with_reviewed(ruled_out, corpus)
    assert known is not None
    assert known[0].nonzero().flatten().tolist() == [0]
    assert torch.equal(known[1:], ruled_out[1:])
    assert with_reviewed(None, corpus_of([[0, 2, 0]], labels=LABELS)) is None


def test_without_constraints_illegal_labels_are_possible() -> None:
    stray = torch.tensor([[0.0, 9.0, 0.0, 0.0, 0.0], [9.0, 0.0, 0.0, 0.0, 0.0]])
    corpus = corpus_of([[0, 0], [0]], labels=LABELS)
    results = [result_of(CRFOutputs([len(own)], own, flat_chain(COUNT))) for own in (stray, stray[1:])]
    folds = folds_of(corpus, [[0], [1]])
    found = {
        legal_only: OutOfFoldPredictions(corpus, folds, results, legal_only=legal_only).best_labels(None)
        for legal_only in (True, False)
    }
    assert [LABELS.labels[label] for label in found[False]] == ["B-PER", "O", "O"]
    assert is_legal([LABELS.labels[label] for label in found[True][:2]], "IOBES")


def test_training_statistics_come_from_the_models_that_trained_on_a_label() -> None:
    corpus = corpus_of([[0], [0, 0], [0]], labels=LABELS)
    first = torch.tensor([[0.2, 0.4], [0.6, 0.4]])  # this model predicts sentences 0 and 2 and trained on sentence 1
    second = torch.tensor([[0.1, 0.3], [0.5, 0.3]])
    nothing = CRFOutputs([1, 1], torch.zeros(2, COUNT), flat_chain(COUNT))
    results = [
        result_of(nothing, training_record(first)),
        result_of(replace(nothing, lengths=[2]), training_record(second)),
    ]
    predictions = OutOfFoldPredictions(corpus, folds_of(corpus, [[0, 2], [1]]), results)
    training = predictions.statistics(0.0).training
    assert training is not None
    assert training.mean.tolist() == pytest.approx([0.3, 0.4, 0.4, 0.3])
    assert training.spread.tolist() == pytest.approx([0.2, 0.2, 0.0, 0.0])
    assert training.running_mean.tolist() == pytest.approx([0.5, 0.6, 0.4, 0.3])
    decayed = predictions.statistics(0.5).training
    assert decayed is not None
    assert decayed.running_mean.tolist() == pytest.approx([0.3, 0.4, 0.4, 0.3])


def test_of_several_models_that_trained_on_a_label_the_mean_counts() -> None:
    corpus = corpus_of([[0], [0], [0]], labels=LABELS)
    outputs = CRFOutputs([1], torch.zeros(1, COUNT), flat_chain(COUNT))
    scores = (torch.tensor([[0.2, 0.4]]), torch.tensor([[0.6, 0.8]]), torch.tensor([[0.1, 0.3]]))
    results = [result_of(outputs, training_record(own)) for own in scores]
    training = OutOfFoldPredictions(corpus, folds_of(corpus, [[0], [1], [2]]), results).statistics(0.0).training
    assert training is not None
    assert training.mean.tolist() == pytest.approx([(0.6 + 0.1) / 2, (0.2 + 0.3) / 2, (0.4 + 0.8) / 2])


def test_without_a_record_there_are_no_training_statistics() -> None:
    predictions, _ = two_models(1, [2, 1], legal_only=True)
    statistics = predictions.statistics(0.5)
    assert statistics.training is None
    assert predictions.agreement(torch.zeros(3)) is None
    torch.testing.assert_close(statistics.trust(), statistics.probabilities[range(3), statistics.given])


def test_all_models_together_say_how_far_a_label_is_trusted() -> None:
    given, probabilities = torch.tensor([0, 4]), torch.tensor([[0.5, 0, 0, 0, 0.5], [0.75, 0, 0, 0, 0.25]])
    training = TrainingStatistics(torch.tensor([0.25, 0.5]), torch.zeros(2), torch.zeros(2))
    statistics = HeldoutStatistics(given, probabilities, None)
    assert statistics.trust().tolist() == [0.5, 0.25]
    assert replace(statistics, training=training).trust().tolist() == [0.75, 0.75]


def test_of_a_hidden_label_only_models_speak_that_did_not_see_it() -> None:
    corpus = corpus_of([[SINGLE, 0], [SINGLE]], labels=LABELS)
    hidden = HiddenLabels(torch.tensor([True, False, False]), torch.zeros(3, dtype=torch.bool))
    outputs = [CRFOutputs([length], torch.zeros(length, COUNT), flat_chain(COUNT)) for length in (2, 1)]
    records = [
        training_record(torch.full((2, 1), 0.25), torch.full((2, 1), SINGLE)),
        training_record(torch.full((2, 2), 0.75), torch.full((2, 2), SINGLE)),
    ]
    results = [result_of(own, record) for own, record in zip(outputs, records, strict=True)]
    predictions = OutOfFoldPredictions(corpus, Folds([[0], [1]], hidden), results, legal_only=False)
    training = predictions.statistics(0.5).training
    assert training is not None
    assert training.mean.tolist() == pytest.approx([1 / COUNT, 0.75, 0.25])
    assert training.spread[0] == 0
    agreement = predictions.agreement(torch.tensor([SINGLE, SINGLE, 0]))
    assert agreement is not None
    assert agreement.tolist() == [float(predictions.best_labels(None)[0] == SINGLE), 1.0, 0.0]


def test_hidden_and_reviewed_labels_are_not_ranked_and_hidden_ones_count_as_wrong() -> None:
    corpus = corpus_of([[SINGLE, SINGLE, 0, SINGLE]], reviewed=[[False, True, False, False]], labels=LABELS)
    hidden = HiddenLabels(torch.tensor([True, False, False, False]), torch.zeros(4, dtype=torch.bool))
    results = [result_of(random_outputs(1, [4], COUNT))]
    predictions = OutOfFoldPredictions(corpus, Folds([[0]], hidden), results)
    assert predictions.ranked_ids.tolist() == [NO_LABEL, NO_LABEL, 0, SINGLE]
    assert predictions.visible_rates(NoiseRates(0.5, 0.5)).positive == pytest.approx((0.5 * 3 - 1) / 2)


def test_another_model_joins_those_that_did_not_see_a_sentence() -> None:
    lengths = [2, 1, 3]
    predictions, outputs = two_models(1, lengths, legal_only=False)
    other = random_outputs(7, lengths, COUNT)
    before = predictions.probabilities(None)
    after = predictions.with_model(other).probabilities(None)
    for part, own in zip(predictions.folds.parts, outputs, strict=True):
        indices = predictions.corpus.token_indices(part)
        parameters = ("transitions", "start", "end")
        chain = Chain(*((getattr(own.chain, name) + getattr(other.chain, name)) / 2 for name in parameters))
        expected = CRFOutputs(own.lengths, (own.emissions + other.emissions[indices]) / 2, chain).marginals()
        assert torch.allclose(after[indices], expected, atol=1e-6)
    assert torch.equal(predictions.probabilities(None), before)  # those that were there stay as they are


def test_the_temperature_is_that_of_all_folds_without_reviewed_labels() -> None:
    lengths = [2, 1, 3]
    predictions, outputs = two_models(3, lengths, legal_only=False)
    reviewed = torch.tensor([True, False, False, False, False, False])
    predictions.corpus = replace(predictions.corpus, is_reviewed=reviewed)
    wrong = torch.linspace(0, 1, 6)
    labels = predictions.corpus.label_ids.masked_fill(reviewed, NO_LABEL)
    samples = []
    for part, own in zip(predictions.folds.parts, outputs, strict=True):
        indices = predictions.corpus.token_indices(part)
        samples.append((own, labels[indices], wrong[indices]))
    assert predictions.temperature(wrong) == pytest.approx(fitted_temperature(samples))


def _is_legal(path: tuple[int, ...]) -> bool:
    return is_legal([LABELS.labels[label] for label in path], "IOBES")


def _score(path: tuple[int, ...], table: torch.Tensor, chain: Chain) -> float:
    total = chain.start[path[0]] + chain.end[path[-1]] + sum(table[token, label] for token, label in enumerate(path))
    return float(total + sum(chain.transitions[left, right] for left, right in pairwise(path)))

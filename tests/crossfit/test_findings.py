"""What rounds leave: the round that is kept, the evidence of its models, and the records of all."""

from collections.abc import Sequence

import pytest
import torch

from tests.methods.confidence.made_up_batches import corpus_of
from tests.training.made_up_results import random_outputs, result_of, training_record
from trustag.crossfit.findings import kept_round, label_findings, round_records
from trustag.crossfit.folds import Folds, HiddenLabels
from trustag.crossfit.predictions import OutOfFoldPredictions
from trustag.crossfit.relabelling import relabel
from trustag.crossfit.rounds import Round, RoundPlan
from trustag.crossfit.settings import RoundSettings
from trustag.noise_rates.rates import FoundRates, NoiseRates
from trustag.runs.records import EpochReport
from trustag.text.label_sets import LabelSet
from trustag.training.objectives import GivenLabels

LABELS = LabelSet(("PER",), "BIES")
COUNT, SINGLE = len(LABELS), LABELS.index["S-PER"]
ROWS = [[SINGLE, 0, 0], [SINGLE, SINGLE], [0, SINGLE]]
REVIEWED = [[False] * 3, [True, False], [False] * 2]
PARTS = [[0, 2], [1]]
RATES = NoiseRates(0.5, 0.5)


def round_of(number: int, f1: float | None) -> Round:
    """Return a finished round with random predictions."""
    corpus = corpus_of(ROWS, reviewed=REVIEWED, labels=LABELS)
    facts = {"distrusted_negative": 0.25, "distrusted_positive": 0.5, "confidence_clean_positive": 0.9}
    history = [EpochReport(0, 2.0, f1=f1, is_best=True, facts=facts), EpochReport(1, 1.0, f1=0.1)]
    results = []
    for fold, part in enumerate(PARTS):
        train = sum(len(ROWS[sentence]) for other in PARTS if other is not part for sentence in other)
        outputs = random_outputs(10 * number + fold, [len(ROWS[sentence]) for sentence in part], COUNT)
        generator = torch.Generator().manual_seed(number + fold)
        scores = torch.rand(2, train, generator=generator)
        preferred = torch.randint(2, (2, train), generator=generator) * SINGLE
        results.append(result_of(outputs, training_record(scores, preferred), history))
    hidden = HiddenLabels(torch.tensor([True] + [False] * 6), torch.zeros(7, dtype=torch.bool))
    predictions = OutOfFoldPredictions(corpus, Folds(PARTS, hidden), results, legal_only=False)
    relabelled = relabel(predictions, predictions.statistics(0.5), RATES, "untrusted")
    final = result_of(random_outputs(10 * number + 5, [3, 2, 2], COUNT), history=history)
    return Round(number, RATES, predictions, relabelled, final)


def plan_of(done: Round) -> RoundPlan:
    return RoundPlan(
        settings=RoundSettings(),
        reshuffle=2,
        ema_decay=0.5,
        hidden=done.predictions.folds.hidden,
        rates=lambda _number, _corpus: RATES,
        objective=lambda _rates: GivenLabels(),
    )


@pytest.mark.parametrize(
    ("scores", "best"), [((0.2, 0.6, 0.6), 2), ((0.7, 0.6, 0.1), 1), ((None, 0.5, 0.4), 3), ((None,) * 3, 3)]
)
def test_the_best_round_on_dev_is_kept_the_earliest_of_equals_and_the_last_without_dev(
    scores: Sequence[float | None], best: int
) -> None:
    rounds = [round_of(number, f1) for number, f1 in enumerate(scores, start=1)]
    without = [round_without_dev(done) if f1 is None else done for done, f1 in zip(rounds, scores, strict=True)]
    assert kept_round(without, "best").number == best
    assert kept_round(without, "last").number == 3


def round_without_dev(done: Round) -> Round:
    history = [EpochReport(0, 2.0, is_best=True)]
    final = result_of(done.final.outputs, history=history)
    return Round(done.number, done.rates, done.predictions, done.relabelled, final)


def test_the_final_model_joins_the_ensemble_and_the_first_round_speaks_of_training() -> None:
    rounds = [round_of(1, 0.2), round_of(2, 0.9)]
    kept = rounds[1]
    found = label_findings(rounds, kept, plan_of(kept), FoundRates("given", RATES))
    for part, result in zip(PARTS, kept.fold_results, strict=True):
        indices = kept.predictions.corpus.token_indices(part)
        joined = result.outputs.mean_with([kept.final.outputs.of(part)])
        known = torch.ones(len(indices), COUNT, dtype=torch.bool)
        if 1 in part:
            known[0] = torch.arange(COUNT) == SINGLE  # the reviewed label
        torch.testing.assert_close(found.evidence.probabilities[indices], joined.marginals(known))
    assert found.kept_round == 2
    assert [new.round for new in found.new_labels] == [1, 2]
    assert torch.equal(found.heldout, kept.predictions.probabilities(None))
    assert torch.equal(found.suggested, kept.relabelled.suggested)
    assert found.evidence.known_wrong is not None
    assert found.evidence.known_wrong.tolist() == [True] + [False] * 6
    asked = torch.zeros(7, dtype=torch.long)
    assert found.evidence.agreement is not None
    agreement, expected = found.evidence.agreement(asked), rounds[0].predictions.agreement(asked)
    assert agreement is not None
    assert expected is not None
    assert torch.equal(agreement, expected)
    later = kept.predictions.agreement(asked)
    assert later is not None
    assert not torch.equal(agreement, later)


def test_at_the_noise_rates_the_least_trusted_visible_labels_are_distrusted() -> None:
    done = round_of(1, 0.5)
    found = label_findings([done], done, plan_of(done), FoundRates("given", RATES))
    trust = done.relabelled.statistics.trust()
    assert found.trusted[3]  # reviewed
    assert not found.trusted[0]  # hidden from every model
    # Two of four entity labels are wrong, one of which is hidden: of three visible ones, one more; one is reviewed.
    entities, outside = [4, 6], [1, 2, 5]
    visible_rate = (0.5 * 4 - 1) / 3
    kept_entities = sorted(entities, key=lambda token: -float(trust[token]))[: round(2 * (1 - visible_rate))]
    kept_outside = sorted(outside, key=lambda token: -float(trust[token]))[: round(3 * 0.5)]
    assert found.trusted.nonzero().flatten().tolist() == sorted([3, *kept_entities, *kept_outside])


def test_a_record_says_how_a_round_went() -> None:
    (record,) = round_records([round_of(1, 0.6)])
    assert record["round"] == 1
    assert record["rates"] == {"negative": 0.5, "positive": 0.5, "by_group": {}}
    assert record["fold_dev_f1"] == [0.6, 0.6]
    assert record["fold_kept_epochs"] == [0, 0]
    assert record["fold_distrusted"] == [{"distrusted_negative": 0.25, "distrusted_positive": 0.5}] * 2
    assert (record["final_dev_f1"], record["final_kept_epoch"]) == (0.6, 0)
    assert record["fixed"] == int(round_of(1, 0.6).relabelled.fixed.sum())

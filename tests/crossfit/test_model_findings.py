"""What single models and fold models say of labels: against sums over their outputs, and what is known stays."""

import pytest
import torch

from tests.methods.test_laws import corpus
from tests.training.small import small_recipe, small_task
from trustag.confidence.probabilities import confidence
from trustag.crf import legal_transitions
from trustag.crf.chain import Chain
from trustag.crf.crf_outputs import CRFOutputs
from trustag.crossfit.folds import HiddenLabels, draw_folds
from trustag.crossfit.model_findings import EXPECTED, expected_noise, findings_of_heldout, findings_of_model
from trustag.crossfit.predictions import OutOfFoldPredictions, allowed_by
from trustag.noise_rates.rates import NO_NOISE, FoundRates
from trustag.runs.records import EpochReport
from trustag.training.fit_results import FitResult
from trustag.training.task import Task


def task() -> Task:
    return small_task(small_recipe(), corpus())


def result(own: Task, seed: int, sentences: list[int], epochs: int = 0) -> FitResult:
    """Return a training whose model says random things of some sentences, and said others for so many epochs."""
    draw = torch.Generator().manual_seed(seed)
    part, count = own.corpus.subset(sentences), len(own.corpus.labels)
    size = len(part.label_ids)
    chain = Chain(*(torch.randn(shape, generator=draw) for shape in ((count, count), (count,), (count,))))
    outputs = CRFOutputs(part.lengths, 2 * torch.randn(size, count, generator=draw), chain)
    scores = torch.rand(epochs, size, generator=draw)
    record = {"scores": scores, "beliefs": torch.zeros(epochs, size, dtype=torch.int16)} if epochs else {}
    history = (EpochReport(0, 1.0, None, None, None, True, 0, {}),)
    return FitResult(None, history, outputs, record)  # type: ignore[arg-type] # nobody loads the model


def test_one_model_is_asked_under_what_is_known_and_keeps_what_is_fixed() -> None:
    own = task()
    encoded = own.corpus
    model = result(own, 1, list(range(len(encoded))), epochs=3)
    trusted = encoded.label_ids > 0
    found = findings_of_model(own, model, trusted, fixed=trusted)
    labels = encoded.labels
    legal = model.outputs.legal(legal_transitions(labels.labels, labels.scheme))
    expected = legal.marginals(allowed_by(encoded.reviewed, encoded))
    assert torch.allclose(found.evidence.probabilities, expected)
    new = found.new_labels[0].label_ids
    assert torch.equal(new, legal.best_labels(allowed_by(encoded.reviewed | trusted, encoded)))
    assert torch.equal(new[trusted], encoded.label_ids[trusted])
    assert torch.equal(found.suggested[encoded.reviewed], encoded.label_ids[encoded.reviewed])
    assert found.trusted[encoded.reviewed].all()
    assert found.noise_rates.source == EXPECTED
    assert found.temperature(torch.zeros(len(encoded.label_ids))) == 1.0
    assert found.evidence.training_confidence is not None
    assert torch.allclose(found.evidence.training_confidence, model.record["scores"].mean(0))


def test_without_a_choice_of_its_own_a_method_trusts_what_its_model_believes() -> None:
    own = task()
    model = result(own, 2, list(range(len(own.corpus))))
    found = findings_of_model(own, model)
    believed = confidence(found.evidence.probabilities, own.corpus.label_ids) >= 0.5
    assert torch.equal(found.trusted, (believed & (own.corpus.label_ids >= 0)) | own.corpus.reviewed)
    assert found.evidence.training_confidence is None


def test_expected_noise_is_the_mean_doubt_in_unreviewed_labels() -> None:
    encoded = task().corpus
    probabilities = torch.rand(len(encoded.label_ids), len(encoded.labels)).softmax(-1)
    rates = expected_noise(encoded, probabilities)
    doubt = 1 - confidence(probabilities, encoded.label_ids)
    for rate, is_entity in ((rates.negative, False), (rates.positive, True)):
        rows = zip(encoded.unreviewed_ids.tolist(), doubt.tolist(), strict=True)
        own = [value for label, value in rows if label >= 0 and (label > 0) == is_entity]
        assert rate == pytest.approx(sum(own) / len(own))


def test_fold_models_speak_of_what_they_did_not_see_and_the_final_one_joins_the_evidence() -> None:
    own = task()
    encoded = own.corpus
    folds = draw_folds(encoded, 2, 1, 0, HiddenLabels.none(encoded))
    models = [result(own, fold, list(part)) for fold, part in enumerate(folds.parts)]
    predictions = OutOfFoldPredictions(encoded, folds, models)
    final = result(own, 7, list(range(len(encoded))))
    rates = FoundRates("given", NO_NOISE)
    found = findings_of_heldout(predictions, final, encoded.label_ids == 0, rates)
    alone = findings_of_heldout(predictions, None, encoded.label_ids == 0, rates)
    assert torch.equal(found.heldout, alone.heldout)
    assert torch.equal(found.heldout, predictions.probabilities(None))
    assert torch.equal(alone.evidence.probabilities, alone.heldout)
    ensemble = predictions.with_model(final.outputs)
    assert torch.equal(found.evidence.probabilities, ensemble.probabilities(None))
    assert torch.equal(found.new_labels[0].label_ids, predictions.best_labels(None))

"""Co-teaching: who learns what is compared with a loop over tokens; without noise both learn everything."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from msgspec.structs import replace as changed
from torch import Tensor

from tests.methods.generated import WRONG, generated_corpus
from tests.methods.test_laws import corpus
from tests.training.small import here, noisy_corpus, small_network, small_recipe, small_task
from trustag.confidence.selection import drop_ratio, kept_count
from trustag.data.encoded_corpus import NO_LABEL, pad_labels
from trustag.errors import InputError
from trustag.methods.co_teaching import ChosenByPeer, CoTeachingObjective, CoTeachingSettings
from trustag.models.heads import label_outputs
from trustag.noise_rates.rates import NO_NOISE, NoiseRates
from trustag.pipeline import Destination, train_in
from trustag.text.sentences import Corpus
from trustag.training.objectives import Batch, GivenLabels
from trustag.training.schedule import FitSchedule

TASK = small_task(small_recipe(), corpus())
NETWORK = small_network(TASK.corpus.labels, TASK.corpus.tokens)
SCHEDULE = FitSchedule(seed=3, epochs=4, patience=4, batch_size=8, nominal_epochs=4)


def objective(rates: NoiseRates, **changes: object) -> CoTeachingObjective:
    settings = CoTeachingSettings.model_validate({"rates_source": "given", "ramp_epochs": 1, **changes})
    return ChosenByPeer(TASK.network, rates, settings).build(TASK.corpus, NETWORK, SCHEDULE)


def batch_of(sentences: Sequence[int]) -> Batch:
    own = TASK.corpus
    labels, mask = pad_labels([own.rows[number] for number in sentences])
    inputs = NETWORK.collate([own.tokens[number] for number in sentences])
    outputs = NETWORK.eval().outputs(inputs, mask)
    return Batch(list(sentences), labels, inputs, outputs, lambda: outputs)


def slow_allowed(given: Tensor, reviewed: Tensor, scores: Tensor, rates: NoiseRates, epoch: int, ramp: int) -> Tensor:
    """Return the labels that each token may have (tokens, labels), token by token."""
    allowed = torch.ones(len(given), len(TASK.corpus.labels), dtype=torch.bool)
    for is_entity, rate in ((False, rates.negative), (True, rates.positive)):
        group = [
            token
            for token, label in enumerate(given.tolist())
            if label != NO_LABEL and (label > 0) == is_entity and not reviewed[token]
        ]
        count = kept_count(len(group), drop_ratio(rate, epoch, ramp, "stepped"), "nearest")
        for token in sorted(group, key=lambda token: -scores[token].item())[:count]:
            allowed[token] = False
            allowed[token, given[token]] = True
    for token in reviewed.nonzero().flatten().tolist():
        allowed[token] = False
        allowed[token, given[token]] = True
    return allowed


@pytest.mark.parametrize("scoring", ["local", "global"])
@pytest.mark.parametrize("epoch", [0, 1, 3])
def test_each_network_learns_what_the_other_believes(scoring: str, epoch: int) -> None:
    rates, ramp = NoiseRates(0.2, 0.4), 3
    built = objective(rates, scoring=scoring, ramp_epochs=ramp)
    built.peer.eval()
    built.begin_epoch(epoch)
    sentences = [3, 0, 5, 8]
    batch = batch_of(sentences)
    theirs = label_outputs(built.peer.outputs(batch.inputs, batch.mask))
    own = batch.label_outputs
    indices = TASK.corpus.token_indices(sentences)
    given, reviewed = TASK.corpus.label_ids[indices], TASK.corpus.reviewed[indices]
    total = torch.zeros(len(sentences))
    for learner, chooser in ((own, theirs), (theirs, own)):
        table = chooser.marginals() if scoring == "global" else chooser.logits.softmax(-1)
        assert table is not None
        scores = table[batch.mask].gather(1, given.clamp(min=0)[:, None])[:, 0]
        allowed = torch.ones_like(table, dtype=torch.bool)
        allowed[batch.mask] = slow_allowed(given, reviewed, scores, rates, epoch, ramp)
        total = total + learner.loss(allowed)
    assert torch.allclose(built(batch), total, atol=1e-5)


def test_without_noise_both_learn_every_label() -> None:
    built = objective(NO_NOISE)
    built.peer.eval()
    batch = batch_of([0, 1, 2])
    theirs = replace(batch, outputs=built.peer.outputs(batch.inputs, batch.mask))
    plain = GivenLabels().build(TASK.corpus, NETWORK, SCHEDULE)
    assert torch.allclose(built(batch), plain(batch) + plain(theirs), atol=1e-5)


def test_the_networks_start_from_different_weights() -> None:
    built = objective(NO_NOISE)
    own, peer = NETWORK.state_dict(), built.peer.state_dict()
    assert own.keys() == peer.keys()
    assert not torch.equal(own["head.projection.weight"], peer["head.projection.weight"])
    assert list(built.networks()) == [built.peer]


def test_noise_is_measured_only_where_there_is_gold(tmp_path: Path) -> None:
    recipe = small_recipe("training.epochs=1", "method.rates_source=oracle", method="co-teaching")
    with pytest.raises(InputError, match="no gold column"):
        train_in(
            Corpus(tuple(changed(own, gold=None) for own in noisy_corpus(20).train)),
            recipe,
            Destination(tmp_path / "run"),
            here(),
        )
    assert not (tmp_path / "run").exists()
    result = train_in(noisy_corpus(20), recipe, Destination(tmp_path / "run"), here())
    assert result.gold_used_for == "the noise rates"
    assert result.analysis is not None
    assert result.analysis.rates.source == "oracle"


@pytest.mark.slow
def test_lost_labels_are_left_out(tmp_path: Path) -> None:
    sizes = ("bilstm.words=20", "bilstm.hidden=20", "bilstm.dropout=0.1")
    loop = ("training.epochs=12", "training.batch_size=4", "training.learning_rate=0.03")
    rates = ("method.rates_source=given", "method.negative=0.05", "method.positive=0.0", "method.ramp_epochs=4")
    recipe = small_recipe(*sizes, *loop, *rates, method="co-teaching")
    result = train_in(generated_corpus(), recipe, Destination(tmp_path / "run"), here())
    assert result.scores.test is not None
    assert result.scores.test.micro.f1 > 0.9
    assert result.analysis is not None
    distrusted = result.analysis.columns["sentence"][~result.analysis.columns["trusted"]]
    assert set(WRONG) <= set(distrusted.tolist())

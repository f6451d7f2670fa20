"""The generalised cross-entropy against its definition, its limits, and what is removed."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
import torch
from torch import Tensor, nn

from tests.methods.noise_adaptation.random_batches import (
    COUNT,
    LABELS,
    SCHEDULE,
    WIDTH,
    batch_of,
    random_corpus,
    softmax,
)
from trustag.crossfit.tracking import ConfidenceTracker, Tracking
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.methods.gce import GCESettings, RobustLabels, RobustLabelsObjective, generalised, remaining_labels
from trustag.methods.table import load_recipe
from trustag.models.crf_head import SoftmaxHead
from trustag.models.network import Network
from trustag.training.objectives import Batch, GivenLabels

EVERYTHING = GCESettings(ignored_outside=0.0, removal=0.0)


def network() -> Network:
    torch.manual_seed(5)
    return Network(nn.Identity(), SoftmaxHead(LABELS, WIDTH))


def objective(corpus: EncodedCorpus, settings: GCESettings, start: int = 1) -> RobustLabelsObjective:
    return RobustLabelsObjective(corpus, ConfidenceTracker(corpus, SCHEDULE, Tracking("local")), settings, start)


def random_batch(corpus: EncodedCorpus, own: Network, sentences: Sequence[int] = (2, 0)) -> Batch:
    draw = torch.Generator().manual_seed(8)
    longest = max(corpus.lengths[sentence] for sentence in sentences)
    head = own.head
    assert isinstance(head, SoftmaxHead)
    return batch_of(corpus, sentences, torch.randn(len(sentences), longest, WIDTH, generator=draw), head)


def slow_loss(logits: Sequence[float], given: int, reviewed: bool, settings: GCESettings) -> float:
    """Return the loss of one token by its definition."""

    def loss(p: float) -> float:
        return -math.log(p) if reviewed else (1 - p**settings.q) / settings.q

    p = softmax(logits)
    if settings.questions == "joint" or given == 0:
        return loss(p[given])
    entity = sum(p[1:])
    return loss(entity) + loss(p[given] / entity)


@pytest.mark.parametrize("questions", ["separate", "joint"])
@pytest.mark.parametrize("q", [0.01, 0.7, 1.0])
def test_the_loss_is_the_sum_of_the_answers_of_each_token(questions: str, q: float) -> None:
    settings = EVERYTHING.model_copy(update={"q": q, "questions": questions})
    corpus, own = random_corpus(), network()
    batch = random_batch(corpus, own)
    expected = []
    for place, sentence in enumerate(batch.sentences):
        total = 0.0
        for token, given in enumerate(corpus.rows[sentence].tolist()):
            reviewed = bool(corpus.is_reviewed[corpus.offsets[sentence] + token])
            if given != NO_LABEL:
                total += slow_loss(batch.label_outputs.logits[place, token].tolist(), given, reviewed, settings)
        expected.append(total)
    assert objective(corpus, settings)(batch).tolist() == pytest.approx(expected, rel=1e-4)


def test_near_zero_it_is_the_plain_cross_entropy() -> None:
    """Asked apart, the answers multiply to the probability of the label, so that both ways have this limit."""
    corpus, own = random_corpus(), network()
    batch = random_batch(corpus, own, (0, 1, 2))
    plain = GivenLabels().build(corpus, own, SCHEDULE)(batch).float()
    for questions in ("separate", "joint"):
        settings = EVERYTHING.model_copy(update={"q": 1e-6, "questions": questions})
        assert torch.allclose(objective(corpus, settings)(batch), plain, rtol=1e-3)


def test_gradients_are_those_of_the_formula_and_weigh_labels_by_their_probability() -> None:
    logits = torch.randn(3, COUNT, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(lambda own: generalised(own.log_softmax(-1)[:, 1], 0.7), logits)
    (robust,) = torch.autograd.grad(generalised(logits.log_softmax(-1)[:, 1], 0.7).sum(), logits)
    (plain,) = torch.autograd.grad(-logits.log_softmax(-1)[:, 1].sum(), logits)
    weight = logits.detach().softmax(-1)[:, 1] ** 0.7
    assert torch.allclose(robust, weight[:, None] * plain)


def corpus_with(label_ids: Tensor, reviewed: Tensor) -> EncodedCorpus:
    words = (tuple("word" for _ in label_ids),)
    return EncodedCorpus(words, LABELS, label_ids, None, reviewed)


def test_improbable_labels_are_removed_but_never_reviewed_ones_nor_a_whole_kind() -> None:
    given = torch.tensor([0, 0, 0, 1, 1, 2, 2, NO_LABEL])
    scores = torch.tensor([0.9, 0.1, 0.2, 0.8, 0.6, 0.1, 0.2, 0.9])
    reviewed = torch.zeros(8, dtype=torch.bool)
    reviewed[2] = True
    found = remaining_labels(corpus_with(given, reviewed), scores, GCESettings())
    assert found.tolist() == [True, False, True, True, False, True, True, False]
    strict = GCESettings(most_removed=0.5)
    assert remaining_labels(corpus_with(given, reviewed), scores, strict).tolist()[:5] == [True] * 5


def test_removed_outside_labels_have_no_influence_and_removed_entities_only_on_being_one() -> None:
    corpus, own = random_corpus(lengths=(3,), seed=2), network()
    corpus = replace(corpus, label_ids=torch.tensor([0, 2, 3]), is_reviewed=torch.zeros(3, dtype=torch.bool))
    settings = GCESettings(ignored_outside=0.0, removal=0.5, most_removed=0.99)
    batch = random_batch(corpus, own, (0,))
    built = objective(corpus, settings)
    built.remaining = torch.tensor([False, False, True])
    built.epoch = 1
    loss = built(batch).item()
    logits = batch.label_outputs.logits[0]
    entity = sum(softmax(logits[1].tolist())[1:])
    expected = (1 - entity**0.7) / 0.7 + slow_loss(logits[2].tolist(), 3, False, settings)
    assert loss == pytest.approx(expected, rel=1e-4)


def test_labels_are_removed_from_the_stretched_epoch_on() -> None:
    corpus = random_corpus()
    settings = GCESettings(removal=0.5, removal_start=2)
    built = RobustLabels(settings).build(corpus, network(), replace(SCHEDULE, epochs=8, nominal_epochs=4))
    assert built.start == 4
    for epoch in range(6):
        draw = torch.Generator().manual_seed(epoch)
        built.tracker.dynamics.scores[epoch] = torch.rand(len(corpus.label_ids), generator=draw)
        built.begin_epoch(epoch)
        everything = corpus.label_ids != NO_LABEL
        before = built.tracker.dynamics.scores[epoch - 1]
        expected = everything if epoch < 4 else remaining_labels(corpus, before, settings)
        assert torch.equal(built.remaining, expected)


def test_a_share_of_the_outside_labels_is_ignored_in_each_step() -> None:
    corpus = random_corpus(lengths=(400,))
    zeros = replace(corpus, label_ids=torch.zeros(400, dtype=torch.long))
    own = network()
    batch = random_batch(zeros, own, (0,))
    torch.manual_seed(3)
    whole = objective(zeros, EVERYTHING)(batch).item()
    ignoring = EVERYTHING.model_copy(update={"ignored_outside": 0.5})
    half = [objective(zeros, ignoring)(batch).item() for _ in range(5)]
    assert len(set(half)) == 5
    assert sum(half) / 5 == pytest.approx(whole / 2, rel=0.1)


def test_the_recipe_is_fast_with_a_softmax() -> None:
    recipe, fast = load_recipe(method="gce"), load_recipe("fast")
    assert recipe.model.head == "softmax"
    assert (recipe.training, recipe.bilstm) == (fast.training, fast.bilstm)

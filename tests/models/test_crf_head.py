"""Heads against the functions they are made of, and a softmax against tokens by themselves."""

import pytest
import torch
from torch import Tensor

from trustag.crf import Chain, constrain, legal_transitions, log_partition, one_hot_mask, partial_loss, token_marginals
from trustag.models.crf_head import CRFHead, SoftmaxHead
from trustag.models.heads import find_head
from trustag.recipes.network_settings import ModelSettings
from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme
from trustag.text.spans import Span

LABELS = LabelSet.of(["LOC", "PER"], Scheme.IOB2)
WIDTH = 3
LENGTHS = [4, 2]
MASK = torch.arange(4)[None, :] < torch.tensor(LENGTHS)[:, None]


def features(seed: int = 1) -> Tensor:
    return torch.randn(2, 4, WIDTH, generator=torch.Generator().manual_seed(seed))


def random_head(*, is_constrained: bool = False) -> CRFHead:
    torch.manual_seed(3)
    return CRFHead(LABELS, WIDTH, random_init=True, is_constrained=is_constrained)


@pytest.mark.parametrize("is_constrained", [False, True])
def test_the_loss_is_the_partial_loss_of_logits_and_transitions(is_constrained: bool) -> None:
    head = random_head(is_constrained=is_constrained)
    legal = legal_transitions(LABELS.labels, LABELS.scheme)
    chain = constrain(head.chain, legal) if is_constrained else head.chain
    outputs = head.outputs(features(), MASK)
    labels = torch.tensor([[1, 2, 0, 3], [0, 1, -1, -1]])
    allowed = one_hot_mask(labels, len(LABELS)) | (labels < 0)[..., None]
    expected = partial_loss(head.projection(features()), chain, MASK, allowed).loss
    assert torch.equal(outputs.loss(allowed), expected)
    assert torch.equal(outputs.marginals(), token_marginals(outputs.logits, chain, MASK))


def test_soft_labels_that_are_certain_cost_what_the_labels_cost() -> None:
    head = random_head()
    labels = torch.tensor([[1, 2, 0, 3], [0, 1, 0, 0]])
    certain = torch.nn.functional.one_hot(labels, len(LABELS)).float() * MASK[..., None]
    outputs = head.outputs(features(), MASK)
    exact = outputs.loss(one_hot_mask(labels, len(LABELS)))
    torch.testing.assert_close(outputs.expected_loss(certain), exact)


def test_a_softmax_takes_every_token_by_itself() -> None:
    head = SoftmaxHead(LABELS, WIDTH)
    assert not any(part.requires_grad for part in (head.transitions, head.start, head.end))
    outputs = head.outputs(features(), MASK)
    torch.testing.assert_close(outputs.marginals()[MASK], outputs.logits.softmax(-1)[MASK])
    labels = torch.tensor([[1, 2, 0, 3], [0, 1, -1, -1]])
    allowed = one_hot_mask(labels, len(LABELS)) | (labels < 0)[..., None]
    by_token = torch.nn.functional.cross_entropy(outputs.logits[MASK], labels[MASK], reduction="none")
    expected = torch.stack([part.sum() for part in torch.split(by_token, LENGTHS)])
    torch.testing.assert_close(outputs.loss(allowed), expected)
    decoded = head.decoder(legal_only=False).best_labels(outputs.logits.detach(), LENGTHS)
    assert decoded == [row[:length].argmax(-1).tolist() for row, length in zip(outputs.logits, LENGTHS, strict=True)]


def test_a_decoder_is_legal_where_asked_and_gives_probabilities_at_a_temperature() -> None:
    head = random_head()
    logits = 3 * head.scores(features(), MASK).detach()
    decoder = head.decoder(legal_only=True)
    legal = constrain(head.chain, legal_transitions(LABELS.labels, LABELS.scheme))
    expected = token_marginals(logits / 2, legal.at(2.0), MASK)
    torch.testing.assert_close(decoder.marginals(logits, LENGTHS, 2.0), expected)
    for path in decoder.best_labels(logits, LENGTHS):
        names = [LABELS.labels[label] for label in path]
        starts = [name for before, name in zip(["O", *names], names, strict=False) if name[0] == "I" and before == "O"]
        assert not starts
    (probability,) = decoder.span_probabilities(logits[1:], [2], [[Span(0, 1, "PER")]], 1.0)
    single = LABELS.index["B-PER"]
    inside = LABELS.index["I-PER"]
    allowed = torch.ones(1, 2, len(LABELS), dtype=torch.bool)
    allowed[0, 0] = torch.arange(len(LABELS)) == single
    allowed[0, 1, inside] = False
    mask = torch.ones(1, 2, dtype=torch.bool)
    share = partial_loss(logits[1:, :2], legal, mask, allowed).loss
    assert probability == pytest.approx(torch.exp(-share).item(), rel=1e-5)


def test_outputs_for_a_corpus_carry_the_present_transitions() -> None:
    head = random_head()
    outputs = head.corpus_outputs([2, 1], torch.zeros(3, len(LABELS)))
    again = type(outputs).from_tensors([2, 1], outputs.tensors())
    for one, other in zip(
        (outputs.chain.transitions, outputs.chain.start), (head.transitions, head.start), strict=True
    ):
        assert torch.equal(one, other)
        assert not one.requires_grad
    assert torch.equal(again.emissions, outputs.emissions)
    assert list(again.lengths) == [2, 1]


@pytest.mark.parametrize(("name", "kind"), [("crf", CRFHead), ("softmax", SoftmaxHead)])
def test_settings_choose_the_head(name: str, kind: type[CRFHead]) -> None:
    settings = ModelSettings.model_validate({"head": name})
    head = find_head(name).build(LABELS, WIDTH, settings)
    assert type(head) is kind


def test_transitions_start_alike_or_random() -> None:
    def chain(**changes: str) -> Chain:
        torch.manual_seed(1)
        wide = LabelSet.of([f"T{number}" for number in range(20)])
        head = find_head("crf").build(wide, WIDTH, ModelSettings.model_validate(changes))
        assert isinstance(head, CRFHead)
        return head.chain

    alike, drawn = chain(), chain(transition_init="random")
    assert not any(part.any() for part in (alike.transitions, alike.start, alike.end))
    assert drawn.transitions.mean().item() == pytest.approx(0, abs=0.1)
    assert drawn.transitions.std().item() == pytest.approx(1, abs=0.1)
    assert drawn.start.std().item() > 0.5


def test_the_log_partition_bounds_every_loss() -> None:
    head = random_head()
    outputs = head.outputs(features(), MASK)
    everything = torch.ones(2, 4, len(LABELS), dtype=torch.bool)
    torch.testing.assert_close(outputs.loss(everything), torch.zeros(2), atol=1e-5, rtol=0)
    assert torch.isfinite(log_partition(outputs.logits, outputs.chain, MASK)).all()

"""Agreement with recorded results of the published implementation of the paper."""

from typing import Any

import torch
from torch.testing import assert_close

from tests.crf.checked import partial_loss, viterbi_decode
from tests.reference.cases import every_case
from trustag.crf import Chain


@every_case
def test_recorded_loss_gradient_marginals_and_best_path_are_reproduced(case: Any) -> None:
    index = {label: place for place, label in enumerate(case["labels"])}
    lengths = [len(sentence) for sentence in case["emissions"]]
    rows = [torch.tensor(sentence) for sentence in case["emissions"]]
    emissions = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True).requires_grad_()
    mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    chain = Chain(*(torch.tensor(case[name]) for name in ("transitions", "start", "end")))
    allowed = torch.zeros(emissions.shape, dtype=torch.bool)
    for sentence, tokens in enumerate(case["expected"]["allowed"]):
        for token, labels in enumerate(tokens):
            allowed[sentence, token, [index[label] for label in labels]] = True
    found = partial_loss(emissions, chain, mask, allowed)
    (gradient,) = torch.autograd.grad(found.loss.sum(), emissions)
    assert_close(found.loss.sum().item(), case["expected"]["loss"], atol=1e-3, rtol=0.0)
    best = viterbi_decode(emissions, chain, mask).labels.tolist()
    for sentence, length in enumerate(lengths):
        expected_gradient = torch.tensor(case["expected"]["emission_gradient"][sentence])
        assert_close(gradient[sentence, :length], expected_gradient, atol=1e-4, rtol=0.0)
        marginals = torch.tensor(case["expected"]["marginals"][sentence])
        assert_close(found.marginals[sentence, :length], marginals, atol=1e-4, rtol=0.0)
        labels = [case["labels"][label] for label in best[sentence][:length]]
        assert labels == case["expected"]["best_path"][sentence]

from itertools import pairwise, product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crf.checked import partial_loss, token_marginals, viterbi_decode
from trustag.crf import Chain, constrain, legal_transitions, one_hot_mask
from trustag.errors import InputError
from trustag.text.schemes import Scheme, illegal_labels, write_spans
from trustag.text.spans import Span

POSITIONS = {
    Scheme.IO: "I",
    Scheme.IOB1: "BI",
    Scheme.IOB2: "BI",
    Scheme.IOE1: "IE",
    Scheme.IOE2: "IE",
    Scheme.IOBES: "BIES",
    Scheme.BILOU: "BILU",
    Scheme.BMES: "BMES",
}


def labels_of(scheme: Scheme, types: str) -> list[str]:
    return ["O", *(f"{position}-{kind}" for kind in types for position in POSITIONS[scheme])]


@pytest.mark.parametrize("scheme", Scheme)
def test_a_path_of_legal_transitions_is_a_legal_labelling(scheme: Scheme) -> None:
    labels = labels_of(scheme, "XY")
    legal = legal_transitions(labels, scheme)
    for path in product(range(len(labels)), repeat=3):
        written = [labels[label] for label in path]
        open_path = bool(legal.start[path[0]] & legal.end[path[-1]])
        open_path &= all(bool(legal.transitions[path[i], path[i + 1]]) for i in range(len(path) - 1))
        assert open_path == (not illegal_labels(written, scheme)), written


@pytest.mark.parametrize("scheme", Scheme)
def test_more_types_change_no_transition(scheme: Scheme) -> None:
    few, more = (legal_transitions(labels_of(scheme, types), scheme) for types in ("XY", "XYZ"))
    size = len(few.start)
    assert torch.equal(few.transitions, more.transitions[:size, :size])
    assert torch.equal(few.start, more.start[:size])


def test_a_label_of_another_scheme_is_named() -> None:
    with pytest.raises(InputError, match="label 'E-PER' does not occur in the scheme IOB2"):
        legal_transitions(["O", "B-PER", "E-PER"], Scheme.IOB2)


@settings(max_examples=25)
@given(st.sampled_from(sorted(Scheme)), st.integers(0, 2**32))
def test_a_constrained_chain_gives_illegal_paths_no_probability(scheme: Scheme, seed: int) -> None:
    labels = labels_of(scheme, "XY")
    size = len(labels)
    generator = torch.Generator().manual_seed(seed)
    scores = [torch.randn(shape, generator=generator, requires_grad=True) for shape in ((size, size), (size,), (size,))]
    legal = legal_transitions(labels, scheme)
    chain = constrain(Chain(*scores), legal)
    emissions = 10 * torch.randn(3, 6, size, generator=generator)
    mask = torch.arange(6) < torch.tensor([[6], [3], [1]])
    best = viterbi_decode(emissions, chain, mask).labels
    for path, inside in zip(best.tolist(), mask.tolist(), strict=True):
        assert not illegal_labels([labels[label] for label, real in zip(path, inside, strict=True) if real], scheme)
    marginals = token_marginals(emissions, chain, mask)
    assert not marginals[:, 0][:, ~legal.start].any()
    loss = partial_loss(emissions, chain, mask, one_hot_mask(best, size)).loss
    (gradient,) = torch.autograd.grad(loss.sum(), scores[:1])
    assert gradient.isfinite().all()
    assert not gradient[~legal.transitions].any()


@given(
    st.sampled_from(list(Scheme)), st.lists(st.tuples(st.sampled_from(["", "X", "Y"]), st.integers(1, 7)), min_size=1)
)
def test_every_encoded_labelling_has_legal_transitions_only(scheme: Scheme, layout: list[tuple[str, int]]) -> None:
    spans, length = [], 0
    for kind, width in layout:
        if kind:
            spans.append(Span(length, length + width, kind))
        length += width
    labels = labels_of(scheme, "XY")
    legal = legal_transitions(labels, scheme)
    numbers = [labels.index(str(label)) for label in write_spans(spans, ["O"] * length, scheme)]
    assert legal.start[numbers[0]]
    assert legal.end[numbers[-1]]
    assert all(legal.transitions[before, after] for before, after in pairwise(numbers))

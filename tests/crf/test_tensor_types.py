"""The types of tensors tell shapes and kinds of values apart, and the checked functions use them."""

import pytest
import torch
from jaxtyping import TypeCheckError

from tests.crf.checked import log_partition, viterbi_decode
from trustag.crf import Chain
from trustag.crf.tensor_types import Emissions, LabelMask, Mask, Paths, RankedPaths, TransitionMask

CHAIN = Chain(torch.zeros(2, 2), torch.zeros(2), torch.zeros(2))


@pytest.mark.parametrize(
    ("tensor", "kind", "fits"),
    [
        (torch.zeros(2, 3, 4), Emissions, True),
        (torch.zeros(2, 3), Emissions, False),
        (torch.zeros(2, 3, 4, dtype=torch.long), Emissions, False),
        (torch.ones(2, 3, dtype=torch.bool), Mask, True),
        (torch.ones(2, 3), Mask, False),
        (torch.zeros(2, 3, dtype=torch.long), Paths, True),
        (torch.zeros(2, 5, 3, dtype=torch.long), RankedPaths, True),
        (torch.ones(4, 4, dtype=torch.bool), TransitionMask, True),
        (torch.ones(4, 3, dtype=torch.bool), TransitionMask, False),
        (torch.ones(4, dtype=torch.bool), LabelMask, True),
    ],
)
def test_a_type_is_a_shape_and_a_kind_of_value(tensor: torch.Tensor, kind: type, fits: bool) -> None:
    assert isinstance(tensor, kind) == fits


@pytest.mark.parametrize("function", [log_partition, viterbi_decode])
def test_the_sizes_of_all_arguments_must_agree(function: object) -> None:
    assert callable(function)
    emissions = torch.zeros(1, 3, 2)
    function(emissions, CHAIN, torch.ones(1, 3, dtype=torch.bool))
    with pytest.raises(TypeCheckError):
        function(emissions, CHAIN, torch.ones(1, 2, dtype=torch.bool))
    with pytest.raises(TypeCheckError):
        function(emissions, CHAIN, torch.ones(1, 3, dtype=torch.bool), torch.ones(1, 3, 3, dtype=torch.bool))

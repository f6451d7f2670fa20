"""Heads by name, and heads that do not score labels."""

import pytest
import torch

from tests.methods.tie_or_break import TieOrBreakOutputs
from trustag.errors import InputError
from trustag.models.crf_head import CRF, SOFTMAX, CRFHead
from trustag.models.heads import find_head, label_outputs
from trustag.recipes.network_settings import HEADS
from trustag.text.label_sets import LabelSet

NOTHING = object()


def test_every_head_of_the_table_is_there_and_scores_labels() -> None:
    assert {name: find_head(name) for name in HEADS} == {"crf": CRF, "softmax": SOFTMAX}
    assert all(find_head(name).scores_labels for name in HEADS)
    assert not find_head("tests.methods.tie_or_break:HEAD").scores_labels


def test_what_is_no_head_is_refused() -> None:
    with pytest.raises(InputError, match="is no head"):
        find_head(f"{__name__}:NOTHING")


def test_objectives_over_labels_get_the_outputs_of_heads_that_score_labels_alone() -> None:
    features, mask = torch.zeros(1, 2, 3), torch.ones(1, 2, dtype=torch.bool)
    outputs = CRFHead(LabelSet.of(["PER"]), 3).outputs(features, mask)
    assert label_outputs(outputs) is outputs
    with pytest.raises(InputError, match="needs a head that scores the labels"):
        label_outputs(TieOrBreakOutputs(features, mask, features))

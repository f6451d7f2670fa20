"""The scores of labels, where a model gives such."""

import pytest
import torch

from tests.methods.tie_or_break import StretchOutputs
from tests.training.made_up_results import random_outputs
from trustag.data.corpus_outputs import label_scores
from trustag.errors import InputError


def test_the_scores_of_a_crf_are_its_emissions_and_other_heads_have_none() -> None:
    outputs = random_outputs(1, [2, 1], 5)
    assert label_scores(outputs) is outputs.emissions
    with pytest.raises(InputError, match="does not score labels token by token"):
        label_scores(StretchOutputs([2], torch.zeros(2, 6)))

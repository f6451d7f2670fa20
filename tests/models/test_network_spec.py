"""What networks are made from can be sent to a worker process, and says whether illegal labels are possible."""

import pickle
from dataclasses import replace

import pytest
import torch

from tests.training.small import small_recipe, small_spec
from trustag.models.network_spec import GivenVectors


@pytest.mark.parametrize(("constraints", "expected"), [("none", False), ("decoding", True), ("training", True)])
def test_predictions_are_kept_to_legal_sequences_unless_constraints_are_off(constraints: str, expected: bool) -> None:
    assert small_spec(small_recipe(f"model.constraints={constraints}")).legal_only is expected


def test_a_spec_passes_from_one_process_to_another() -> None:
    spec = replace(small_spec(), vectors=GivenVectors(("a",), torch.ones(1, 2)))
    passed = pickle.loads(pickle.dumps(spec))
    assert passed.settings == spec.settings
    assert torch.equal(passed.vectors.rows, torch.ones(1, 2))

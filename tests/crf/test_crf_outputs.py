"""The outputs of CRFs for whole sentences, against enumeration of all label paths."""

import torch
from torch.testing import assert_close

from tests.crf.enumeration import AllPaths, Batch, all_paths
from tests.training.made_up_results import random_outputs
from trustag.crf.crf_outputs import CRFOutputs


def paths_of(outputs: CRFOutputs, sentence: int) -> AllPaths:
    rows = torch.split(outputs.emissions, list(outputs.lengths))[sentence][None]
    mask = torch.ones(rows.shape[:2], dtype=torch.bool)
    return all_paths(Batch(rows, outputs.chain, mask, torch.ones_like(rows, dtype=torch.bool)), 0)


def test_in_an_ensemble_a_label_sequence_has_the_geometric_mean_of_its_probabilities() -> None:
    models = [random_outputs(seed, [2, 3], 3) for seed in (1, 2, 3)]
    joint = models[0].mean_with(models[1:])
    marginals = torch.split(joint.marginals(), list(joint.lengths))
    for sentence in range(2):
        logs = torch.stack([paths_of(own, sentence).probabilities().log() for own in models]).mean(0)
        expected = AllPaths(paths_of(joint, sentence).labels, logs).token_marginals(3)
        assert_close(marginals[sentence].double(), expected, atol=1e-5, rtol=1e-5)


def test_what_is_said_of_some_sentences_is_what_is_said_of_them_among_others() -> None:
    outputs = random_outputs(1, [2, 3], 3)
    rows = torch.split(outputs.marginals(), [2, 3])
    assert_close(outputs.of([1]).marginals(), rows[1])
    assert_close(outputs.of([1, 0]).marginals(), torch.cat([rows[1], rows[0]]))
    assert outputs.of([]).marginals().shape == (0, 3)


def test_outputs_come_back_from_their_tensors() -> None:
    outputs = random_outputs(1, [2, 3], 3)
    again = CRFOutputs.from_tensors([2, 3], outputs.tensors())
    assert torch.equal(again.marginals(), outputs.marginals())
    assert torch.equal(again.best_labels(), outputs.best_labels())

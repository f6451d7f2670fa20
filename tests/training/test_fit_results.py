"""Several models of the same sentences taken as one."""

import torch
from torch.testing import assert_close
from trustag.training.judging import Outcome, together

from tests.crf.enumeration import AllPaths, Batch, all_paths
from trustag.confidence.dynamics import Dynamics, mean_dynamics
from trustag.crf import Chain
from trustag.crf.outputs import Judgement


def random_judgement(seed: int) -> Judgement:
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=generator)

    return Judgement([2, 3], draw(5, 3), Chain(draw(3, 3), draw(3), draw(3)))


def paths_of(judgement: Judgement, sentence: int) -> AllPaths:
    rows = torch.split(judgement.emissions, list(judgement.lengths))[sentence][None]
    mask = torch.ones(rows.shape[:2], dtype=torch.bool)
    return all_paths(Batch(rows, judgement.chain, mask, torch.ones_like(rows, dtype=torch.bool)), 0)


def test_a_labelling_has_the_geometric_mean_of_its_probabilities() -> None:
    judgements = [random_judgement(seed) for seed in (1, 2, 3)]
    joint = together([Outcome((), judgement, None) for judgement in judgements]).judgement
    marginals = torch.split(joint.marginals(), list(joint.lengths))
    for sentence in range(2):
        logs = torch.stack([paths_of(judgement, sentence).probabilities().log() for judgement in judgements]).mean(0)
        labels = paths_of(joint, sentence).labels
        expected = AllPaths(labels, logs).token_marginals(3)
        assert_close(marginals[sentence].double(), expected, atol=1e-5, rtol=1e-5)


def test_one_model_is_itself() -> None:
    outcome = Outcome((), random_judgement(1), None)
    assert together([outcome]) is outcome


def test_records_of_unequal_length_are_compared_from_their_end() -> None:
    long = Dynamics(torch.tensor([[9.0, 9.0], [0.2, 0.4], [0.6, 0.8]]), torch.tensor([[1, 1], [2, 2], [3, 3]]))
    short = Dynamics(torch.tensor([[0.0, 0.2], [0.2, 0.0]]), torch.tensor([[4, 4], [5, 5]]))
    joint = mean_dynamics([long, short])
    assert_close(joint.scores, torch.tensor([[0.1, 0.3], [0.4, 0.4]]))
    assert joint.beliefs.tolist() == [[2, 2], [3, 3]]


def test_what_is_said_of_some_sentences_is_what_is_said_of_them_among_others() -> None:
    judgement = random_judgement(1)
    rows = torch.split(judgement.marginals(), [2, 3])
    assert_close(judgement.of([1]).marginals(), rows[1])
    assert_close(judgement.of([1, 0]).marginals(), torch.cat([rows[1], rows[0]]))
    assert judgement.of([]).marginals().shape == (0, 3)

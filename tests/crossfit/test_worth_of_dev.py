"""When learning from dev is advised: where noise repeats, and only then."""

from dataclasses import replace

import pytest
import torch

from tests.training.made_up_results import random_outputs, result_of
from tests.training.small import small_corpus, small_recipe, small_task
from trustag.crossfit.keeping import BASELINE, ModelChoice
from trustag.crossfit.worth_of_dev import dev_could_teach
from trustag.runs.records import EpochReport
from trustag.text.sentences import Corpus
from trustag.training.fit_results import FitResult

WHOLE = small_corpus()
TASK = small_task(small_recipe(), Corpus(WHOLE.train, WHOLE.dev + WHOLE.test))
GIVEN = TASK.corpus.label_ids


def choice(dev_f1: float | None) -> ModelChoice:
    model: FitResult = replace(
        result_of(random_outputs(1, [1], 2)),
        history=(EpochReport(epoch=0, loss=1.0, is_best=True, f1=dev_f1),),
    )
    return ModelChoice(model, BASELINE, "it was better")


def half_forgotten() -> torch.Tensor:
    """Return the given labels without the entities of every second sentence."""
    numbers = torch.repeat_interleave(torch.arange(len(TASK.corpus)), torch.tensor(TASK.corpus.lengths))
    return torch.where(numbers % 2 == 0, GIVEN, torch.zeros_like(GIVEN))


@pytest.mark.parametrize(
    ("dev_f1", "predicted", "advised"),
    [
        (0.6, GIVEN, True),  # noisy labels are predicted better than right ones
        (0.97, GIVEN, False),  # hardly anything is left to learn
        (0.9, half_forgotten(), False),  # noisy labels cannot be predicted, right ones can
        (0.5, half_forgotten(), True),
        (0.05, GIVEN, False),  # nothing was learned
        (None, GIVEN, False),  # no dev score
    ],
)
def test_it_is_advised_where_noise_repeats(dev_f1: float | None, predicted: torch.Tensor, *, advised: bool) -> None:
    text = dev_could_teach(TASK, choice(dev_f1), predicted)
    assert bool(text) == advised
    if advised:
        assert f"{100 * (dev_f1 or 0):.1f}" in text


def test_a_small_dev_split_and_one_that_was_learned_need_no_advice() -> None:
    assert not dev_could_teach(replace(TASK, dev=TASK.dev[:39]), choice(0.5), GIVEN)
    learned = replace(choice(0.5), dev_labels=[own.labels for own in TASK.dev])
    assert not dev_could_teach(TASK, learned, GIVEN)

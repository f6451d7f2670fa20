"""Which model is kept: the better one on dev, the simple one where both are equal; without dev by signs of noise."""

from pathlib import Path

import pytest

from tests.training.made_up_results import random_outputs, result_of
from tests.training.small import run_rounds
from trustag.crossfit import keeping
from trustag.crossfit.keeping import BASELINE, NEW_LABELS, ModelChoice, better_model, by_signs
from trustag.noise_rates.signs import NoiseSigns
from trustag.text.scoring import Counts
from trustag.training.fit_results import FitResult
from trustag.training.task import Task

SIMPLE, OTHER = (result_of(random_outputs(seed, [1], 2)) for seed in (1, 2))
NOISY = NoiseSigns(unsure=1.2, lower_case=0.02)


class WithDev:
    """As much of a task as the choice looks at."""

    dev = ("a dev split",)


def chosen(right: int, other_right: int, sentences: int, monkeypatch: pytest.MonkeyPatch) -> ModelChoice:
    """Return the choice between models that get so many of the sentences right, one entity in each."""
    counts = {
        id(SIMPLE): [Counts(int(number < right), 1, 1) for number in range(sentences)],
        id(OTHER): [Counts(int(number < other_right), 1, 1) for number in range(sentences)],
    }
    monkeypatch.setattr(keeping, "dev_counts", lambda _task, model: counts[id(model)])
    task: Task = WithDev()  # type: ignore[assignment]
    return better_model(task, (BASELINE, SIMPLE), (NEW_LABELS, OTHER), by_signs(NOISY, SIMPLE, OTHER))


@pytest.mark.parametrize(
    ("right", "other_right", "sentences", "kept", "reason"),
    [
        (500, 600, 1000, NEW_LABELS, "better on dev"),
        (600, 500, 1000, BASELINE, "worse on dev"),
        (900, 901, 1000, BASELINE, "not clearly better on dev"),
        (900, 900, 1000, BASELINE, "not clearly better on dev"),
        (10, 11, 20, NEW_LABELS, "dev is too small to tell"),
        (20, 2, 20, BASELINE, "worse on dev"),
    ],
)
def test_dev_decides_where_it_can(
    right: int, other_right: int, sentences: int, kept: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    choice = chosen(right, other_right, sentences, monkeypatch)
    assert (choice.name, choice.model) == (kept, SIMPLE if kept == BASELINE else OTHER)
    assert reason in choice.reason
    assert choice.difference is not None
    assert choice.difference.difference == pytest.approx((other_right - right) / sentences)


@pytest.mark.parametrize(
    ("signs", "kept"),
    [
        (NOISY, OTHER),
        (NoiseSigns(unsure=0.16, lower_case=0.02), SIMPLE),
        (NoiseSigns(unsure=1.6, lower_case=0.18), SIMPLE),
        (NoiseSigns(unsure=1.6, lower_case=None), OTHER),
        (None, OTHER),
    ],
)
def test_without_dev_the_signs_of_noise_decide(signs: NoiseSigns | None, kept: FitResult) -> None:
    assert by_signs(signs, SIMPLE, OTHER).model is kept


@pytest.mark.slow
def test_a_run_says_which_model_it_kept_and_keeps_that_one(tmp_path: Path) -> None:
    found = run_rounds(tmp_path / "better")
    assert found.kept["name"] in {BASELINE, NEW_LABELS}
    assert found.kept["reason"]
    of_kept = found.baseline if found.kept["name"] == BASELINE else found.relabelled
    assert found.scores == of_kept


@pytest.mark.slow
def test_the_model_of_the_new_labels_is_kept_where_that_is_asked_for(tmp_path: Path) -> None:
    found = run_rounds(tmp_path / "always", "method.parity.kept_model='new labels'")
    assert found.kept["name"] == NEW_LABELS
    assert found.scores == found.relabelled

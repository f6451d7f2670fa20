"""A card states the facts of its run, says what is not known, and cannot be broken by names."""

from pathlib import Path

import pytest

from tests.training.small import ROUNDS, noisy_corpus, small_recipe
from trustag.integrations.loaded_model import load
from trustag.integrations.model_card import model_card
from trustag.pipeline import Destination, train
from trustag.runs.reading import RunFiles


def test_a_card_without_a_run_says_what_is_not_known() -> None:
    card = model_card("names", ["PER", "LOC"])
    assert card.startswith('---\nlibrary_name: "trustag"\npipeline_tag: "token-classification"\n')
    assert "license" not in card.partition("# names")[0]
    assert "2 types in text: `PER`, `LOC`" in card
    assert "Not stated" in card
    assert "Liu, Kun" in card


def test_names_cannot_break_the_card() -> None:
    card = model_card("<script>\n# x", ["A|B"], license_name='mit"\n---\nextra: 1')
    assert "<script>" not in card
    assert "\n# x" not in card
    head = card.split("\n---\n")[0].splitlines()
    assert [line.partition(":")[0] for line in head[1:]] == ["library_name", "pipeline_tag", "tags", "license"]


@pytest.mark.slow
def test_a_card_states_the_facts_of_the_run(tmp_path: Path) -> None:
    recipe = small_recipe(*ROUNDS, method="confidence")
    train(noisy_corpus(), recipe, Destination(tmp_path / "run"))
    run, card = RunFiles(tmp_path / "run", "run"), load(tmp_path / "run").card("names", "mit")
    assert run.manifest.data.train in card
    assert run.rates is not None
    assert run.rates.negative_interval is not None
    for share in (run.rates.negative, run.rates.positive):
        assert f"| {100 * share:.1f} % |" in card
    assert run.issues is not None
    assert f"{len(run.issues)} label issue" in card
    assert "Expected calibration error of held-out probabilities: 0." in card
    assert run.manifest.dev is not None
    assert f"{100 * run.manifest.dev.f1:.1f} %" in card

"""Texts on noise rates: every source has one, and caveats come with vague or blind estimates only."""

from typing import NamedTuple, get_args

from trustag.methods.confidence.settings import RateSettings
from trustag.reports.noise_rate_texts import RATE_SOURCES, rate_caveats, source_text, truncated_entity_lines


class Counts(NamedTuple):
    labels: int
    same: int
    another: int


def test_every_source_of_the_recipe_has_a_text() -> None:
    sources = RateSettings.model_fields["source"].annotation
    unasked = {"trusted", "pairs", "sources"}
    assert set(RATE_SOURCES) == {*get_args(sources), *unasked}


def test_only_vague_and_blind_estimates_have_caveats() -> None:
    assert rate_caveats("oracle", [None, (0.1, 0.2)]) == []
    assert len(rate_caveats("auto", [(0.1, 0.2)])) == 2
    assert len(rate_caveats("auto", [None, (0.1, 0.9)])) == 4
    assert "dev leaves room" in rate_caveats("auto", [(0.1, 0.9)], bounded=True)[0]
    assert "bounds from dev" in source_text("auto", bounded=True)


def test_truncated_entities_are_counted() -> None:
    text = " ".join(truncated_entity_lines(Counts(labels=1200, same=3, another=900)))
    assert text.startswith("1,200 entity labels on a single word")
    assert "another entity for 900, the same label for 3." in text

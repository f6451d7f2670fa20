"""Systems resolve to recipes, and results on disk are recognised by their settings."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.systems import ABLATIONS, SYSTEMS
from trustag.experiments.corpora import ExperimentCorpus
from trustag.experiments.first_checksums import todays_checksum
from trustag.experiments.systems import System
from trustag.methods.table import choose_method

EVERY = {**SYSTEMS, **ABLATIONS}
SCORES = Path(__file__).parents[2] / "results" / "scores.json"


@pytest.mark.parametrize("name", EVERY)
def test_every_system_has_a_sound_recipe(name: str) -> None:
    system = EVERY[name]
    assert choose_method(system.resolved()).name == system.method


@pytest.mark.parametrize("name", ABLATIONS)
def test_an_ablation_differs_from_the_method(name: str) -> None:
    assert ABLATIONS[name].checksum() != SYSTEMS["method"].checksum()


def test_no_published_result_would_be_repeated() -> None:
    runs = json.loads(SCORES.read_text(encoding="utf-8"))["runs"]
    known = {(run["system"], todays_checksum(run["settings"])) for run in runs}
    assert known == {(name, EVERY[name].checksum()) for name, _ in known}


def test_a_setting_at_its_default_does_not_change_the_checksum() -> None:
    system = SYSTEMS["method"]
    assert replace(system, settings=(*system.settings, "method.rounds.folds=2")).checksum() == system.checksum()
    assert replace(system, settings=(*system.settings, "method.rounds.folds=3")).checksum() != system.checksum()


def test_a_frozen_transformer_suits_its_own_language() -> None:
    system = System("bilstm-crf", context="minilm")
    assert system.suits(ExperimentCorpus("a", language="english"))
    assert not system.suits(ExperimentCorpus("a", language="german"))
    assert System("bilstm-crf").suits(ExperimentCorpus("a", language="german"))

"""Line figures show the numbers they are given, panel by panel."""

from pathlib import Path

import pytest

from tests.figures.pictures import lines, points, svg, texts
from tests.figures.written import FULL_SEARCH, SEPARATE_SEARCH, Token, WrittenRun, epoch, labelled, opened
from trustag.figures.line_drawings import (
    draw_noise_levels,
    draw_rate_search,
    draw_self_training,
    draw_training_dynamics,
)
from trustag.figures.noise_levels import noise_levels
from trustag.figures.rate_search_curve import rate_search_curve
from trustag.figures.self_training_rounds import self_training
from trustag.figures.training_dynamics import training_dynamics
from trustag.runs.reading import open_runs


@pytest.mark.slow
def test_training_dynamics_show_three_panels(real_run: Path) -> None:
    numbers = training_dynamics(opened(real_run))
    dev, confidence, detection = draw_training_dynamics(numbers).axes
    assert numbers.dev_f1 is not None
    assert [y for _, y in points(dev.lines[0])] == pytest.approx([100 * f1 for f1 in numbers.dev_f1.mean])
    assert {name: len(points) for name, points in lines(confidence).items()} == {
        "clean O labels": 2,
        "wrong O labels": 2,
        "clean entity labels": 2,
        "wrong entity labels": 2,
    }
    shown = [y for _, y in lines(detection)["wrong entity labels"]]
    assert shown == pytest.approx([100 * f1 for f1 in numbers.detection_f1["positive"].mean])
    assert {panel.get_xlabel() for panel in (dev, confidence, detection)} == {"epoch"}


def test_one_epoch_without_dev_and_gold_panels_is_still_a_figure(tmp_path: Path) -> None:
    run = WrittenRun(folds=[[epoch(0, 0.5, distrusted_negative=0.1)]]).open(tmp_path / "run")
    (panel,) = draw_training_dynamics(training_dynamics(run)).axes
    assert points(panel.lines[0]) == [(1.0, 50.0)]
    shown = texts(svg(lambda: draw_training_dynamics(training_dynamics(run))))
    assert shown.count("1") == 1
    assert "1.0" not in shown


def test_a_search_shows_both_rates_of_each_run(tmp_path: Path) -> None:
    full = '[rates]\nsearch = "full"\n'
    written = {
        "a": WrittenRun(search=SEPARATE_SEARCH, rates=(0.1, 0.1), sentences=labelled(0.5)),
        "b": WrittenRun(search=FULL_SEARCH, recipe=full),
        "c": WrittenRun(search=SEPARATE_SEARCH[:1]),
    }
    searches = [
        rate_search_curve(run) for run in open_runs(run.write(tmp_path / name) for name, run in written.items())
    ]
    negative, positive = draw_rate_search(searches).axes
    shown = lines(negative)["confidence (global, auto rates): a"]
    assert shown == [(0, 50), (10, 70), (20, 60)]
    assert lines(positive)["confidence (global, auto rates): b"] == [(0, 90), (10, 60)]
    shown_texts = texts(svg(lambda: draw_rate_search(searches)))
    assert {"rate chosen by the run", "true rate, measured on gold", "all labels trusted (both rates 0)"} <= set(
        shown_texts
    )


def test_noise_levels_show_a_line_a_method(tmp_path: Path) -> None:
    runs = [
        WrittenRun(data=str(recall), scores={"test": {"f1": recall}}, sentences=labelled(recall)).write(tmp_path / name)
        for name, recall in (("low", 0.3), ("high", 0.9))
    ]
    (axes,) = draw_noise_levels(noise_levels(open_runs(runs))).axes
    assert lines(axes)["confidence (global, auto rates)"] == [(30, 30), (90, 90)]
    assert axes.get_ylabel() == "test F1 (%)"


def test_self_training_shows_what_there_is(tmp_path: Path) -> None:
    first = {"round": 1, "fold_dev_f1": [0.5, 0.6], "final_dev_f1": 0.7, "changed": 50}
    bare = {"round": 1, "fold_dev_f1": [None], "final_dev_f1": None, "changed": 1}
    whole = self_training(WrittenRun(rounds=[first], sentences=labelled(0.5)).open(tmp_path / "whole"))
    poor = self_training(WrittenRun(rounds=[bare], sentences=[[Token("x", "O", "S-PER")]]).open(tmp_path / "poor"))
    dev, labels, changed = draw_self_training([whole, poor]).axes
    assert points(dev.lines[0]) == [(1.0, 70.0)]
    assert [x for x, _ in points(labels.lines[0])] == [0.0, 1.0]
    assert lines(changed)["confidence (global, auto rates): poor"] == [(1.0, 100.0)]
    (only,) = draw_self_training([poor]).axes
    assert only.get_title() == "Labels changed"

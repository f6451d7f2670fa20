"""Pictures: they show the numbers, in the same bytes each time, and no text in them is more than text."""

from collections.abc import Callable
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree as ET

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from tests.figures.test_cases import ONE_OF_EACH
from tests.figures.test_rate_search import FULL, SEPARATE
from tests.figures.written import Token, WrittenRun, epoch, labelled, opened
from trustag.figures.canvas import PictureFormat, line_styles, render
from trustag.figures.case_picture import draw_case_study
from trustag.figures.cases import Case, CaseStudy, CaseToken, Verdict, case_study
from trustag.figures.curves import draw_noise_levels, draw_rate_search, draw_self_training, draw_training_dynamics
from trustag.figures.dynamics import training_dynamics
from trustag.figures.noise_levels import noise_levels
from trustag.figures.rate_search import rate_search
from trustag.figures.self_training import self_training
from trustag.runs.reading import open_runs

SVG_TEXT = "{http://www.w3.org/2000/svg}text"


def svg(draw: Callable[[], Figure]) -> bytes:
    return render(draw, "svg", "A picture").content


def texts(picture: bytes) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(SVG_TEXT)]


def lines(axes: Axes) -> dict[str, list[tuple[float, float]]]:
    """Return the points of each named line."""
    handles, labels = axes.get_legend_handles_labels()
    return {label: _points(handle) for handle, label in zip(handles, labels, strict=True)}


def _points(handle: object) -> list[tuple[float, float]]:
    line = handle[0] if isinstance(handle, tuple) else handle
    assert isinstance(line, Line2D)
    return list(zip(*np.asarray(line.get_data(), dtype=float).round(6).tolist(), strict=True))


def study_of(*tokens: str, before: int = 0) -> CaseStudy:
    """Return a case study of one sentence of which every token is doubted, after so many that are not."""
    doubted = tuple(CaseToken(token, "O", "S-PER", "O", 0.5, "false alarm") for token in tokens)
    fine = (CaseToken("z", "O", "O", "O", 1.0, "fine"),) * before
    verdicts: dict[Verdict, int] = dict.fromkeys(get_args(Verdict), 0)
    verdicts["false alarm"] = len(tokens)
    return CaseStudy("run", (Case(0, "odd tokens", (*fine, *doubted)),), verdicts, has_gold=True, lacking=())


@pytest.mark.slow
@pytest.mark.parametrize("picture_format", ["svg", "png"])
def test_every_figure_of_a_real_run_is_the_same_twice(real_run: Path, picture_format: PictureFormat) -> None:
    run = opened(real_run)
    figures: list[Callable[[], Figure]] = [
        lambda: draw_training_dynamics(training_dynamics(run)),
        lambda: draw_rate_search([rate_search(run)]),
        lambda: draw_self_training([self_training(run)]),
        lambda: draw_case_study(case_study(run)),
    ]
    for draw in figures:
        first, second = (render(draw, picture_format, "A picture") for _ in range(2))
        assert first.content == second.content
        assert first.content.startswith(b"<?xml" if picture_format == "svg" else b"\x89PNG")
        assert first.is_whole


def test_the_settings_of_the_user_change_nothing_and_stay(real_run: Path) -> None:
    numbers = training_dynamics(opened(real_run))
    plain = svg(lambda: draw_training_dynamics(numbers))
    with mpl.rc_context({"font.size": 30, "lines.linewidth": 9, "axes.facecolor": "red"}):
        assert svg(lambda: draw_training_dynamics(numbers)) == plain
        assert mpl.rcParams["font.size"] == 30


def test_training_dynamics_show_three_panels(real_run: Path) -> None:
    numbers = training_dynamics(opened(real_run))
    dev, confidence, detection = draw_training_dynamics(numbers).axes
    assert numbers.dev_f1 is not None
    assert [y for _, y in _points(dev.lines[0])] == pytest.approx([100 * f1 for f1 in numbers.dev_f1.mean])
    assert {name: len(points) for name, points in lines(confidence).items()} == {
        "right O labels": 2,
        "wrong O labels": 2,
        "right entity labels": 2,
        "wrong entity labels": 2,
    }
    shown = [y for _, y in lines(detection)["wrong entity labels"]]
    assert shown == pytest.approx([100 * f1 for f1 in numbers.detection_f1["positive"].mean])
    assert {panel.get_xlabel() for panel in (dev, confidence, detection)} == {"epoch"}


def test_one_epoch_without_dev_and_gold_panels_is_still_a_figure(tmp_path: Path) -> None:
    run = WrittenRun(folds=[[epoch(0, 0.5, distrusted_negative=0.1)]]).open(tmp_path / "run")
    (panel,) = draw_training_dynamics(training_dynamics(run)).axes
    assert _points(panel.lines[0]) == [(1.0, 50.0)]
    shown = texts(svg(lambda: draw_training_dynamics(training_dynamics(run))))
    assert shown.count("1") == 1
    assert "1.0" not in shown


def test_a_search_shows_both_rates_of_each_run(tmp_path: Path) -> None:
    full = '[rates]\nsearch = "full"\n'
    written = {
        "a": WrittenRun(search=SEPARATE, rates=(0.1, 0.1), sentences=labelled(0.5)),
        "b": WrittenRun(search=FULL, recipe=full),
        "c": WrittenRun(search=SEPARATE[:1]),
    }
    searches = [rate_search(run) for run in open_runs(run.write(tmp_path / name) for name, run in written.items())]
    negative, positive = draw_rate_search(searches).axes
    shown = lines(negative)["confidence (global, auto rates): a"]
    assert shown == [(0, 50), (10, 70), (20, 60)]
    assert lines(positive)["confidence (global, auto rates): b"] == [(0, 90), (10, 60)]
    shown_texts = texts(svg(lambda: draw_rate_search(searches)))
    assert {"the rate the run chose", "the true rate, measured on gold", "no label doubted (both rates 0)"} <= set(
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
    assert _points(dev.lines[0]) == [(1.0, 70.0)]
    assert [x for x, _ in _points(labels.lines[0])] == [0.0, 1.0]
    assert lines(changed)["confidence (global, auto rates): poor"] == [(1.0, 100.0)]
    (only,) = draw_self_training([poor]).axes
    assert only.get_title() == "Labels changed"


def test_marks_do_not_rest_on_colour_alone() -> None:
    styles = line_styles(30)
    assert len(set(styles)) == 30
    assert len({(style.marker, style.linestyle) for style in styles}) == 30


def test_the_case_study_marks_and_counts(tmp_path: Path) -> None:
    study = case_study(WrittenRun(sentences=ONE_OF_EACH).open(tmp_path / "run"))
    shown = texts(svg(lambda: draw_case_study(study)))
    # Each mark once in the key, and once for each token it stands under.
    assert {mark: shown.count(mark) for mark in "✓✗!?"} == {"✓": 6, "✗": 2, "!": 2, "?": 2}
    assert "found: doubted, and wrong (5 in all training labels)" in shown
    assert "Sentence 3: a wrong type" in shown
    assert shown.count("gold") == 7


def test_tokens_are_text_and_nothing_else() -> None:
    odd = ["$x^2$", "$\\frac{", "<b>&amp;", "a\x00b", "\ud800", "\u202e", "", "_", "\\", "%s{0}", "😀", "東京", "שלום"]
    shown = texts(svg(lambda: draw_case_study(study_of(*odd))))
    for token in ("$x^2$", "$\\frac{", "<b>&amp;", "a\\x00b", "\\ud800", "\\u202e", "_", "%s{0}", "😀", "東京", "שלום"):
        assert token in shown


@settings(max_examples=25)
@given(st.lists(st.text(max_size=60), max_size=12))
def test_any_tokens_can_be_drawn(tokens: list[str]) -> None:
    ET.fromstring(svg(lambda: draw_case_study(study_of(*tokens))))


def test_a_font_without_the_characters_is_said_for_png_only() -> None:
    wide = study_of("東京都")
    assert not render(lambda: draw_case_study(wide), "png", "A picture").is_whole
    assert render(lambda: draw_case_study(wide), "svg", "A picture").is_whole


def test_other_warnings_are_passed_on() -> None:
    def draw() -> Figure:
        figure = draw_case_study(study_of("x"))
        figure.axes[0].set_xlim(1, 1)
        return figure

    with pytest.warns(UserWarning, match="identical"):
        assert render(draw, "png", "A picture").is_whole


def test_endless_sentences_and_tokens_are_cut() -> None:
    long = study_of("x" * 500, *("y" for _ in range(3000)))
    shown = texts(svg(lambda: draw_case_study(long)))
    assert "x" * 25 + "…" in shown
    assert shown.count("y") == 79
    assert "late" in texts(svg(lambda: draw_case_study(study_of("late", before=500))))

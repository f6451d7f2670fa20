"""Pictures have the same bytes each time, our style whatever the user's settings, and name missing characters."""

from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

from tests.figures.pictures import study_of, svg
from tests.figures.written import opened
from trustag.figures.canvas import PictureFormat, line_styles, render
from trustag.figures.case_study import case_study
from trustag.figures.case_study_drawing import draw_case_study
from trustag.figures.line_drawings import (
    draw_rate_search,
    draw_self_training,
    draw_training_dynamics,
)
from trustag.figures.rate_search_curve import rate_search_curve
from trustag.figures.self_training_rounds import self_training
from trustag.figures.training_dynamics import training_dynamics


@pytest.mark.slow
@pytest.mark.parametrize("picture_format", ["svg", "png"])
def test_every_figure_of_a_real_run_is_the_same_twice(real_run: Path, picture_format: PictureFormat) -> None:
    run = opened(real_run)
    figures: list[Callable[[], Figure]] = [
        lambda: draw_training_dynamics(training_dynamics(run)),
        lambda: draw_rate_search([rate_search_curve(run)]),
        lambda: draw_self_training([self_training(run)]),
        lambda: draw_case_study(case_study(run)),
    ]
    for draw in figures:
        first, second = (render(draw, picture_format, "A picture") for _ in range(2))
        assert first.content == second.content
        assert first.content.startswith(b"<?xml" if picture_format == "svg" else b"\x89PNG")
        assert first.is_whole


@pytest.mark.slow
def test_the_settings_of_the_user_change_nothing_and_stay(real_run: Path) -> None:
    numbers = training_dynamics(opened(real_run))
    plain = svg(lambda: draw_training_dynamics(numbers))
    with mpl.rc_context({"font.size": 30, "lines.linewidth": 9, "axes.facecolor": "red"}):
        assert svg(lambda: draw_training_dynamics(numbers)) == plain
        assert mpl.rcParams["font.size"] == 30


def test_marks_do_not_rest_on_colour_alone() -> None:
    styles = line_styles(30)
    assert len(set(styles)) == 30
    assert len({(style.marker, style.linestyle) for style in styles}) == 30


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

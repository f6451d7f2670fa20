"""What a picture shows: its texts and the points of its lines, read back."""

from collections.abc import Callable
from typing import get_args
from xml.etree import ElementTree as ET

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from trustag.figures.canvas import render
from trustag.figures.cases import Case, CaseStudy, CaseToken, Verdict

SVG_TEXT = "{http://www.w3.org/2000/svg}text"


def svg(draw: Callable[[], Figure]) -> bytes:
    return render(draw, "svg", "A picture").content


def texts(picture: bytes) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(SVG_TEXT)]


def lines(axes: Axes) -> dict[str, list[tuple[float, float]]]:
    """Return the points of each named line."""
    handles, labels = axes.get_legend_handles_labels()
    return {label: points(handle) for handle, label in zip(handles, labels, strict=True)}


def points(handle: object) -> list[tuple[float, float]]:
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

"""Charts as files: one for each chart of a page, SVG that stands alone, PNG of twice its size."""

import re
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from trustag.errors import InputError
from trustag.reports.blocks import Beside, Figure, Folded, Page, PageSection, Paragraph
from trustag.reports.charts.svg_shapes import Plot, SvgBox, SvgPath, SvgText
from trustag.reports.pictures import as_png, as_svg, named_plots, write_pictures

HOSTILE = '<script>alert("1")</script> & \u202e'
SHAPES = (
    SvgPath("M1 2L30 40", "line c1 d2"),
    SvgBox(5.0, 6.0, 20.0, 10.0, "h4", "a tip"),
    SvgText(3.0, 4.0, HOSTILE, "start"),
)
PLOT = Plot("Errors found: 80 %", "A chart.", 120.0, 60.0, SHAPES)
OTHER = Plot(HOSTILE, "Another.", 80.0, 40.0, SHAPES)
PAGE = Page(
    "Report",
    "of a run",
    [
        PageSection("summary", "Summary", [Paragraph("no chart here")]),
        PageSection(
            "noise",
            "Noise",
            [Figure([PLOT, OTHER], "", []), Folded("more", [Beside([Figure([PLOT], "", [])])])],
        ),
    ],
    "a test",
)


def test_every_chart_of_a_page_has_a_name_of_its_own() -> None:
    names = [name for name, _ in named_plots(PAGE)]
    assert names == ["noise-1-errors-found-80", "noise-2-script-alert-1-script", "noise-3-errors-found-80"]


@pytest.mark.parametrize("plot", [PLOT, OTHER])
def test_the_svg_stands_alone_and_holds_texts_as_texts(plot: Plot) -> None:
    picture = as_svg(plot)
    root = ET.fromstring(picture)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "var(--" not in picture
    assert "<script" not in picture
    assert [box.get("class") for box in root.iter("{http://www.w3.org/2000/svg}rect")] == [None, "h4"]
    style = root.findtext("{*}style") or ""
    used = {look for shape in SHAPES for look in shape.look.split()}
    assert all(re.search(rf"\.{look}\b", style) for look in used)


def test_the_png_is_twice_as_large() -> None:
    picture = as_png(as_svg(PLOT))
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture[16:24]) == (240, 2 * (60 + 26))


def test_pictures_are_written_all_at_once_and_replace_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    assert write_pictures(PAGE, folder) == 3
    assert len(list(folder.glob("*.svg"))) == len(list(folder.glob("*.png"))) == 3
    with pytest.raises(InputError, match="already exists"):
        write_pictures(PAGE, folder)

"""The charts of a page as pictures of their own, each as SVG and as PNG."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from markupsafe import escape

from trustag.errors import MissingExtraError
from trustag.files.outputs import new_folder
from trustag.reports.blocks import Beside, Block, Figure, Folded, Page
from trustag.reports.charts.svg_shapes import Plot
from trustag.reports.rendering import render_chart
from trustag.reports.safe_markup import plain

_ZOOM: Final = 2
_FONT: Final = "DejaVu Sans, Liberation Sans, Noto Sans, Arial, sans-serif"
_MARGIN: Final = 26.0  # above the chart, for its title
_SVG: Final = re.compile(r".*<svg [^>]*>(.*)</svg>.*", re.DOTALL)  # within the page, without what is around it
_VARIABLE: Final = re.compile(r"--([\w-]+): ([^;]+);")
_RULE: Final = re.compile(r"^svg [^{]+\{[^}]*\}(?: svg [^{]+\{[^}]*\})*", re.MULTILINE)


def write_pictures(page: Page, folder: Path, *, overwrite: bool = False) -> int:
    """Write every chart of ``page`` into a new ``folder``, as SVG and as PNG, and return how many there are."""
    plots = list(named_plots(page))
    with new_folder(folder, overwrite=overwrite) as draft:
        for name, plot in plots:
            picture = as_svg(plot)
            (draft / f"{name}.svg").write_text(picture, encoding="utf-8")
            (draft / f"{name}.png").write_bytes(as_png(picture))
    return len(plots)


def named_plots(page: Page) -> Iterator[tuple[str, Plot]]:
    """Yield the charts of a page with names for their files, by section, number and title."""
    for section in page.sections:
        for number, plot in enumerate(_plots(section.blocks), start=1):
            words = re.sub(r"[^a-z0-9]+", "-", plot.title.lower()).strip("-")[:40]
            yield "-".join(part for part in (section.anchor, str(number), words) if part), plot


def _plots(blocks: Sequence[Block]) -> Iterator[Plot]:
    for block in blocks:
        if isinstance(block, Figure):
            yield from block.plots
        elif isinstance(block, Folded | Beside):
            yield from _plots(block.blocks)


def as_svg(plot: Plot) -> str:
    """Return a chart as an SVG file, in the colours of the page on white, below its title."""
    drawn = _SVG.sub(r"\1", render_chart(plot))
    width, height = plot.width, plot.height
    frame = (
        f'viewBox="0 {-_MARGIN} {width:.1f} {height + _MARGIN:.1f}" width="{width:.1f}" height="{height + _MARGIN:.1f}"'
    )
    title = f'<text y="-9" style="font-weight: 600; font-size: 13px">{escape(plain(plot.title))}</text>'
    ground = f'<rect y="{-_MARGIN}" width="{width}" height="{height + _MARGIN}" fill="{_colours()["ground"]}"/>'
    style = f"<style>{_style()}</style>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {frame}>{style}{ground}{title}{drawn}</svg>\n'


def as_png(picture: str) -> bytes:
    """Return an SVG file as PNG, at twice its size."""
    try:
        import resvg_py  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError("writing PNG", "figures") from None
    drawn: bytes = resvg_py.svg_to_bytes(svg_string=picture, zoom=_ZOOM)
    return drawn


@cache
def _style() -> str:
    """Return the rules of the page's style sheet for charts, in the colours of the light page."""
    sheet = files("trustag.reports").joinpath("templates", "style.css").read_text(encoding="utf-8")
    rules = "\n".join(_RULE.findall(sheet)).replace("font-family: inherit", f"font-family: {_FONT}")
    coloured = re.sub(r"var\(--([\w-]+)\)", lambda name: _colours()[name[1]], rules)
    return re.sub(r"\bsvg \.", ".", coloured).replace("svg text", "text")


@cache
def _colours() -> dict[str, str]:
    sheet = files("trustag.reports").joinpath("templates", "style.css").read_text(encoding="utf-8")
    return dict(_VARIABLE.findall(sheet.partition("}")[0]))

"""Pages as HTML: one file with inline style, no script, and a content policy that forbids any network access."""

from functools import cache
from typing import Any

import jinja2
from markupsafe import Markup

from trustag.reports.blocks import Page
from trustag.reports.charts.svg_shapes import Plot
from trustag.reports.safe_markup import marked, plain, shown


def render(page: Page) -> bytes:
    """Return ``page`` as the content of an HTML file."""
    return _templates().get_template("page.html.j2").render(page=page).encode()


def render_chart(plot: Plot) -> str:
    """Return one chart as it stands in pages."""
    return str(_templates().get_template("blocks.html.j2").module.chart(plot))  # type: ignore[attr-defined]


@cache
def _templates() -> jinja2.Environment:
    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("trustag.reports"),
        autoescape=True,
        finalize=_without_hidden_characters,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters.update(shown=shown, marked=marked)
    return templates


def _without_hidden_characters(value: Any) -> Any:
    """Spell out hidden characters in every text that a template writes; markup is already safe."""
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value

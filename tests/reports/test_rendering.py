"""Pages as HTML: charts have a name and a description, and every text is escaped."""

from html.parser import HTMLParser

from trustag.reports.blocks import Figure, Page, PageSection, Table
from trustag.reports.charts.svg_shapes import Plot, SvgText
from trustag.reports.rendering import render


def test_a_plot_is_a_picture_with_a_name_and_a_description() -> None:

    plot = Plot("Its <name>", "What it shows", 10, 20, [SvgText(1, 2, "a < b")])
    page = Page(
        "t", "s", [PageSection("a", "A", [Figure([plot], "caption", [Table("numbers", ("x",), [["1"]])])])], "m"
    )
    reader = HTMLParser()
    found: list[tuple[str, dict[str, str | None]]] = []
    reader.handle_starttag = lambda tag, attrs: found.append((tag, dict(attrs)))  # type: ignore[method-assign]
    text = render(page).decode()
    reader.feed(text)
    assert dict(found)["svg"]["role"] == "img"
    assert "<title>Its &lt;name&gt;</title>\n<desc>What it shows</desc>" in text
    assert "a &lt; b</text>" in text
    assert "<summary>Show the numbers</summary>" in text

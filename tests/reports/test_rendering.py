"""Pages as HTML: every text is text, hidden characters are spelled out, and nothing is fetched."""

import re
from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reports.written import PageReader
from trustag.reports.blocks import Block, Figure, Folded, Lack, Page, Section, Shaded, Table, Words
from trustag.reports.charts.shapes import Plot, Text
from trustag.reports.rendering import render


def test_a_plot_is_a_picture_with_a_name_and_a_description() -> None:
    plot = Plot("Its <name>", "What it shows", 10, 20, [Text(1, 2, "a < b")])
    page = Page("t", "s", [Section("a", "A", [Figure([plot], "caption", [Table("numbers", ("x",), [["1"]])])])], "m")
    reader = HTMLParser()
    found: list[tuple[str, dict[str, str | None]]] = []
    reader.handle_starttag = lambda tag, attrs: found.append((tag, dict(attrs)))  # type: ignore[method-assign]
    text = render(page).decode()
    reader.feed(text)
    assert dict(found)["svg"]["role"] == "img"
    assert "<title>Its &lt;name&gt;</title>\n<desc>What it shows</desc>" in text
    assert "a &lt; b</text>" in text
    assert "<summary>The numbers</summary>" in text


TEXTS = st.text(
    st.characters(exclude_categories=["C", "Z", "M"]) | st.sampled_from("<>&\"'{%}"), min_size=1, max_size=9
)


@settings(max_examples=40)
@given(st.lists(TEXTS, min_size=9, max_size=9))
def test_any_text_in_any_block_comes_out_as_that_text(texts: list[str]) -> None:
    page, harmless = (PageReader(render(page_of(own))) for own in (texts, ["x"] * 9))
    assert page.open == []
    for text in texts:
        assert text in page.text
    # Text in another script has an element around it that keeps its direction to itself.
    assert without_directions(page) == without_directions(harmless)


def without_directions(page: PageReader) -> list[str]:
    return [tag for tag, _ in page.elements if tag != "bdi"]


def page_of(texts: list[str]) -> Page:
    title, about, heading, words, lack, caption, cell, note, summary = texts
    table = Table(caption, ("x", "y"), [[cell, Shaded(cell, 3, note)]])
    blocks: list[Block] = [Words(words, lead=True), Lack(lack), table, Folded(summary, [Words(words)])]
    return Page(title, about, [Section("a", heading, blocks)], "m")


def test_nothing_is_fetched_and_no_script_runs() -> None:
    content = render(Page("t", "s", [Section("a", "h", [Words("w")])], "m")).decode()
    policy = re.search(r"Content-Security-Policy[^>]*content=[\"']([^>]*)[\"']", content)
    assert policy is not None
    assert "default-src 'none'" in policy[1].replace("&#39;", "'")
    assert "<script" not in content
    assert not re.search(r"(src|href)=[\"']?(?!#|data:)\w", content)


def test_hidden_characters_are_spelled_out_wherever_they_stand() -> None:
    hidden = "a\u202eb\u200b"
    table = Table(hidden, (hidden,), [[hidden]])
    content = render(Page(hidden, hidden, [Section("a", hidden, [Words(hidden), table])], hidden)).decode()
    assert not {"\u202e", "\u200b"} & set(content)
    assert content.count("U+202E") >= 7

"""Marked texts are whole, escaped, and the deeper the more probable."""

import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from trustag.text.entity_markup import MarkedEntity, colour, marked_text, marked_texts

TEXTS = st.text(st.sampled_from("ab <>&\"'é\n"), max_size=12)


class Words(HTMLParser):
    """Collects the text of a page, and apart from it that of its labels."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.labels: list[str] = []
        self.marked: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.inside.append(tag)
        if tag == "mark":
            self.marked.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.inside.pop() == tag

    def handle_data(self, data: str) -> None:
        if "span" in self.inside:
            self.labels.append(data)
            return
        self.text += data
        if "mark" in self.inside:
            self.marked[-1] += data


@given(TEXTS, st.data())
def test_the_text_is_whole_and_the_marks_are_the_entities(text: str, data: st.DataObject) -> None:
    borders = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=4)))
    spans = list(zip(borders[::2], borders[1::2], strict=False))
    page = Words()
    page.feed(marked_text(text, [MarkedEntity(start, end, "<T>", 0.5) for start, end in spans]))
    assert page.text == text
    assert page.marked == [text[start:end] for start, end in spans]
    assert page.labels == ["<T> 50"] * len(spans)
    assert page.inside == []


def test_the_deeper_the_colour_the_more_probable() -> None:
    shares = [float(re.findall(r"[\d.]+\)", colour("PER", score))[0][:-1]) for score in (0.0, 0.3, 0.9, 1.0)]
    assert shares == sorted(set(shares))
    assert colour("PER", None) == colour("PER", 1.0)
    assert colour("PER", 1.0) != colour("LOC", 1.0)


def test_several_texts_are_paragraphs() -> None:
    assert marked_texts(["a", "b"], [[], []]).count("<p") == 2

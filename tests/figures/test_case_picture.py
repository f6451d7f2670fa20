"""The picture of a case study: marks are counted, and no text in it is more than text."""

from pathlib import Path
from xml.etree import ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.figures.shown import study_of, svg, texts
from tests.figures.test_cases import ONE_OF_EACH
from tests.figures.written import WrittenRun
from trustag.figures.case_picture import draw_case_study
from trustag.figures.cases import case_study


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


def test_endless_sentences_and_tokens_are_cut() -> None:
    long = study_of("x" * 500, *("y" for _ in range(3000)))
    shown = texts(svg(lambda: draw_case_study(long)))
    assert "x" * 25 + "…" in shown
    assert shown.count("y") == 79
    assert "late" in texts(svg(lambda: draw_case_study(study_of("late", before=500))))

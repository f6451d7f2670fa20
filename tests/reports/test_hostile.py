"""A corpus that attacks its reader must come out as inert text: by a parser, and in a real browser."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browsers import needs_browser, open_browser
from tests.reports.written import Assessed, FullRun, PageReader
from trustag.issues.issue import Issue
from trustag.reports.comparison import compare_runs
from trustag.reports.comparison_page import comparison_page
from trustag.reports.rendering import render
from trustag.reports.run_report import write_report
from trustag.runs.reading import open_runs
from trustag.text.spans import Span

ATTACKS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "'onmouseover='alert(3)",
    "</style><script>alert(4)</script>",
    "</title><script>alert(5)</script>",
    "</svg><svg onload=alert(6)>",
    "--><iframe src=http://example.invalid/>",
    "{{7*7}}{%raw%}",
    "${7*7}",
    "javascript:alert(7)",
    "&lt;b&gt;",
    "\u202etxt.exe",
    "zero\u200bwidth\ufeff",
    "\u2066isolate\u2069",
    "tag\U000e0041",
    "A" * 5000,
]
TYPE = '<img src=x onerror=alert(8)>\u202e"'
HEBREW = ["ראש", "הממשלה", "ביקר", "בתל", "אביב"]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a run in which every text is hostile, its name included."""
    attacked = [Assessed(text, "O", f"S-{TYPE}", f"S-{TYPE}", trusted=False, score=0.1) for text in ATTACKS]
    hebrew = [Assessed(text, "O", "O", "O") for text in HEBREW[:3]]
    hebrew += [Assessed(HEBREW[3], "S-LOC", "B-LOC", "B-LOC"), Assessed(HEBREW[4], "O", "E-LOC", "E-LOC")]
    issues = [
        Issue(0, place, place + 1, "missed", (), (Span(place, place + 1, TYPE),), 0.9, 0.1, 0.9, 0.5, 0.5, 0.5)
        for place in range(len(ATTACKS))
    ]
    issues.append(Issue(1, 3, 5, "boundary", (Span(3, 4, "LOC"),), (Span(3, 5, "LOC"),), 0.8, 0.1, 0.9))
    run = FullRun(
        [attacked, hebrew],
        issues,
        recipe=f"[training]\nseed = 1\nname = '''{ATTACKS[1]}'''\n[rounds]\ncount = 1\n",
        manifest={"commit": ATTACKS[0], "machine": {ATTACKS[3]: ATTACKS[4]}},
        rates={"apart": {TYPE: 0.5, f"S-{TYPE}": 0.4}},
    )
    return write_report(run.write(tmp_path_factory.mktemp("hostile") / "run <img src=x onerror=alert(9)>\u202e"))


def test_nothing_of_the_data_becomes_markup(hostile: Path) -> None:
    page = hostile.read_bytes()
    reader = PageReader(page)
    assert reader.open == []
    tags = {tag for tag, _ in reader.elements}
    assert not tags & {"script", "img", "iframe", "object", "embed", "form", "base"}
    assert not [attributes for _, attributes in reader.elements if any(name.startswith("on") for name in attributes)]
    links = [attributes["href"] or "" for _, attributes in reader.elements if "href" in attributes]
    assert all(link.startswith("#") or link == "data:," for link in links)
    assert not [attributes for _, attributes in reader.elements if {"src", "srcset", "action"} & set(attributes)]
    for attack in (text for text in ATTACKS if text.isascii() and len(text) < 100):
        assert attack in reader.text
    assert not re.search(r"\b49\b", reader.text)


def test_what_cannot_be_seen_is_spelled_out(hostile: Path) -> None:
    page = hostile.read_text(encoding="utf-8")
    for character in "\u202e\u200b\ufeff\u2066\u2069\U000e0041":
        assert character not in page
        assert f"U+{ord(character):04X}" in page
    assert "4,940 more characters" in page


def test_a_comparison_is_inert_too(hostile: Path) -> None:
    runs = open_runs([hostile.parent])
    reader = PageReader(render(comparison_page(compare_runs(runs), runs)))
    assert not {tag for tag, _ in reader.elements} & {"script", "img", "iframe"}
    assert "onerror=alert(9)" in reader.text


@pytest.fixture
def browser() -> Iterator[Browser]:
    """A real browser."""
    with open_browser() as browser:
        yield browser


@pytest.mark.slow
@needs_browser
def test_a_browser_runs_nothing_and_fetches_nothing(hostile: Path, browser: object, tmp_path: Path) -> None:
    open_page = tmp_path / "without-policy.html"
    # The policy would stop scripts and requests; without it, escaping alone must do.
    policy = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
    text, removed = policy.subn("", hostile.read_text(encoding="utf-8"))
    assert removed == 1
    open_page.write_text(text, encoding="utf-8")
    for file in (hostile, open_page):
        events: list[str] = []
        page = browser.new_page()  # type: ignore[attr-defined]
        page.on("dialog", lambda dialog, events=events: (events.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request, events=events: events.append(request.url))
        page.on("console", lambda message, events=events: events.append(message.text))
        page.on("pageerror", lambda error, events=events: events.append(str(error)))
        page.goto(file.as_uri())
        for summary in page.query_selector_all("summary"):
            summary.click()
        page.mouse.move(300, 300)
        assert page.query_selector_all("script, img, iframe, [onerror], [onload], [onmouseover]") == []
        assert events == [file.as_uri()]
        assert "<script>alert(1)</script>" in page.inner_text("main")
        directions = page.eval_on_selector_all(".sentence", "all => all.map(one => getComputedStyle(one).direction)")
        assert directions == ["ltr"] * len(ATTACKS) + ["rtl"]
        # The entity begins where reading begins: its frame is open to the left, towards the second word.
        last = page.query_selector_all(".issue")[-1]
        begin, end = last.query_selector_all(".below")
        assert begin.bounding_box()["x"] > end.bounding_box()["x"]
        assert begin.evaluate("bar => getComputedStyle(bar).borderRightWidth") == "2px"
        assert begin.evaluate("bar => getComputedStyle(bar).borderLeftWidth") == "0px"
        assert last.eval_on_selector("h3", "title => getComputedStyle(title).direction") == "ltr"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.close()

"""Take the screenshots of the review page for the documentation, with the built-in corpus under review.

``PYTHONPATH=. python docs/review_screenshots.py [FOLDER]`` needs playwright and Chromium. The corpus has gold labels,
so the spans where the given labels differ stand in for issues that training would find; their scores are invented.
"""

import asyncio
import json
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import uvicorn
from playwright.sync_api import Page, expect

from tests.browsers import open_browser
from trustag.corpora.demo import demo_corpus
from trustag.issues.issue import Issue, kind_of, to_record
from trustag.review.decisions import DecisionLog
from trustag.review.reviewed_run import open_reviewed_run
from trustag.review.server import application, bind
from trustag.review.session import ReviewSession
from trustag.runs.corpus_files import write_given
from trustag.runs.folder import RunFolder
from trustag.seeded_random import SeededRandom
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

DOCS = Path(__file__).parent
SENTENCES = 120


def main() -> None:
    """Review a few issues and take screenshots on the way."""
    pictures = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS
    with tempfile.TemporaryDirectory() as folder:
        run = open_reviewed_run(write_run(Path(folder)))
        session = ReviewSession(run, DecisionLog(run.decisions, run.fingerprint))
        address = bind("127.0.0.1", 0, None)
        config = uvicorn.Config(application(session, address.access), log_level="warning", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([address.listener])))
        thread.start()
        try:
            take_screenshots(address.url, pictures)
        finally:
            server.should_exit = True
            thread.join()
    for picture in sorted(pictures.glob("review-*.png")):
        sys.stdout.write(f"{picture}: {picture.stat().st_size:,} bytes\n")


def write_run(folder: Path) -> Path:
    """Write the files of a run that review needs."""
    (folder / "manifest.json").write_text("{}")
    sentences = demo_corpus().train[:SENTENCES]
    write_given(RunFolder(folder), sentences)
    issues = [issue for number, sentence in enumerate(sentences) for issue in differences(number, sentence)]
    (folder / "issues.jsonl").write_text("".join(json.dumps(to_record(issue)) + "\n" for issue in issues))
    return folder


def differences(number: int, sentence: Sentence) -> Iterator[Issue]:
    """Yield an issue for each stretch of tokens whose given entities differ from the gold ones."""
    given, gold = (set(read_spans(labels)) for labels in (sentence.labels, sentence.gold or sentence.labels))
    end, stretch = 0, list[Span]()
    for span in [*sorted(given ^ gold), Span(len(sentence), len(sentence), "")]:
        if stretch and span.start >= end:
            first = stretch[0].start
            before, after = (tuple(one for one in stretch if one in reading) for reading in (given, gold))
            score = 0.5 + SeededRandom(number, f"score at {first}").fraction() / 2
            kind = kind_of(before, after)
            yield Issue(number, first, end, kind, before, after, score, 1 - score, 0.9 * score, held=score)
            stretch = []
        stretch.append(span)
        end = max(end, span.end)


def take_screenshots(url: str, folder: Path) -> None:
    """Take screenshots of an issue and of a form on a wide, light screen, and of an edit on a narrow, dark one."""
    with open_browser() as browser:
        light = browser.new_page(viewport={"width": 1080, "height": 660}, color_scheme="light")
        begin(light, url)
        for key in "aarasaaras":
            press(light, key)
        light.locator(".queue li", has_text="boundary").first.click()
        light.wait_for_selector(".kind:has-text('boundary')")
        light.mouse.move(0, 0)  # no row of the queue is to look hovered over
        light.screenshot(path=str(folder / "review-page.png"))
        light.get_by_label("Order").select_option("forms")
        light.wait_for_selector(".form-words")
        light.keyboard.press("ArrowDown")
        light.screenshot(path=str(folder / "review-form.png"))
        dark = browser.new_page(viewport={"width": 400, "height": 1010}, color_scheme="dark")
        begin(dark, url)
        dark.keyboard.press("e")
        dark.wait_for_selector(".edit-panel:visible")
        dark.screenshot(path=str(folder / "review-edit.png"))


def begin(page: Page, url: str) -> None:
    """Open the page and enter a name."""
    page.set_default_timeout(300_000)
    page.goto(url)
    name = page.get_by_label("Your name")
    expect(name).to_be_focused()
    name.fill("Ann")
    name.press("Enter")
    page.wait_for_selector("article")


def press(page: Page, key: str) -> None:
    """Press a key and wait for the page that it leads to."""
    before = page.locator("main").element_handle()
    page.keyboard.press(key)
    page.wait_for_function("before => !before.isConnected", arg=before)


if __name__ == "__main__":
    main()

"""Take the pictures of the review page that the documentation shows, with the built-in corpus under review.

``PYTHONPATH=. python docs/review_screenshots.py`` needs playwright and chromium. The corpus has gold labels, so the
places where the given ones differ can stand in for issues that a training would find; their scores are made up.
"""

import asyncio
import json
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import uvicorn
from playwright.sync_api import Page, sync_playwright

from trustag.corpora.demo import demo_corpus
from trustag.files.token_records import record_of
from trustag.issues.issue import Issue, kind_of, to_record
from trustag.review.decisions import DecisionLog
from trustag.review.reviewed_run import open_reviewed_run
from trustag.review.server import application, bind
from trustag.review.session import ReviewSession
from trustag.seeded_random import SeededRandom
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

DOCS = Path(__file__).parent
SENTENCES = 120


def main() -> None:
    """Review a little and photograph what is seen on the way."""
    with tempfile.TemporaryDirectory() as place:
        run = open_reviewed_run(write_run(Path(place)))
        session = ReviewSession(run, DecisionLog(run.decisions, run.fingerprint))
        address = bind("127.0.0.1", 0, None)
        config = uvicorn.Config(application(session, address.access), log_level="warning", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([address.listener])))
        thread.start()
        try:
            photograph(address.url)
        finally:
            server.should_exit = True
            thread.join()
    for picture in sorted(DOCS.glob("review-*.png")):
        sys.stdout.write(f"{picture}: {picture.stat().st_size:,} bytes\n")


def write_run(folder: Path) -> Path:
    """Write what a run leaves for review."""
    sentences = demo_corpus().train[:SENTENCES]
    lines = (msgspec.json.encode(record_of(sentence)) for sentence in sentences)
    (folder / "given.jsonl").write_bytes(b"\n".join(lines))
    issues = [issue for number, sentence in enumerate(sentences) for issue in differences(number, sentence)]
    (folder / "issues.jsonl").write_text("".join(json.dumps(to_record(issue)) + "\n" for issue in issues))
    return folder


def differences(number: int, sentence: Sentence) -> Iterator[Issue]:
    """Yield an issue for each stretch of words whose given entities differ from the gold ones."""
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


def photograph(url: str) -> None:
    """Take one picture by day and a wide screen, another of an edit by night on a telephone."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        day = browser.new_page(viewport={"width": 1080, "height": 660}, color_scheme="light")
        begin(day, url)
        for key in "aarasaaras":
            press(day, key)
        day.locator(".queue li", has_text="boundary").first.click()
        day.wait_for_selector(".kind:has-text('boundary')")
        day.screenshot(path=str(DOCS / "review-page.png"))
        night = browser.new_page(viewport={"width": 400, "height": 1010}, color_scheme="dark")
        begin(night, url)
        night.keyboard.press("e")
        night.screenshot(path=str(DOCS / "review-edit.png"))
        browser.close()


def begin(page: Page, url: str) -> None:
    """Open the page and say who one is."""
    page.set_default_timeout(300_000)
    page.goto(url)
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    page.wait_for_selector("article")


def press(page: Page, key: str) -> None:
    """Press a key and wait for the answer to it."""
    before = page.locator("main").element_handle()
    page.keyboard.press(key)
    page.wait_for_function("before => !before.isConnected", arg=before)


if __name__ == "__main__":
    main()

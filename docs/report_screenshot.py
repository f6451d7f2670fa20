"""Take the picture of a report that the documentation shows, of a run on the built-in corpus.

``PYTHONPATH=. python docs/report_screenshot.py`` trains for a minute or two in a temporary folder; with a run folder as
argument it takes that one. It needs playwright and chromium.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from trustag.corpora.reading import read_corpus
from trustag.recipes.loading import load_recipe
from trustag.reports.run_report import write_report
from trustag.training.running import run_recipe
from trustag.training.train import Destination

PICTURE = Path(__file__).parent / "report.png"
SETTINGS = ("bilstm.random_vectors=true", "training.batch_size=16")
WIDTH = 1000
LAST = ".issue:nth-of-type(3)"


def main() -> None:
    """Train if need be, write the report and photograph it from its beginning to its first issues."""
    with tempfile.TemporaryDirectory() as place:
        run = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(place) / "demo"
        if not run.exists():
            run_recipe(read_corpus("demo"), load_recipe("fast", SETTINGS), Destination(run), workers=2)
        photograph(write_report(run, Path(place) / "report.html"))
    sys.stdout.write(f"{PICTURE}: {PICTURE.stat().st_size:,} bytes\n")


def photograph(page: Path) -> None:
    """Take the picture of a page."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        window = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
        window.goto(page.as_uri())
        bottom = window.eval_on_selector(LAST, "shown => shown.getBoundingClientRect().bottom + scrollY")
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": bottom + 16}
        window.screenshot(path=str(PICTURE), full_page=True, clip=clip)
        browser.close()


if __name__ == "__main__":
    main()

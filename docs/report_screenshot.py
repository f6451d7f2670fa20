"""Take the pictures of a report that the documentation shows, of a run on the built-in corpus.

``PYTHONPATH=. python docs/report_screenshot.py`` trains for some minutes in a temporary folder; with a folder that
holds a run called ``demo`` as argument it takes that one. It needs playwright and chromium.
"""

import shutil
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

from playwright.sync_api import sync_playwright

from trustag.corpora.locating import read_corpus
from trustag.methods.table import load_recipe
from trustag.pipeline import Destination, train
from trustag.reports.run_report import write_report

DOCS = Path(__file__).parent
SETTINGS = (
    "bilstm.random_vectors=true",
    "bilstm.hidden=50",
    "training.batch_size=16",
    "training.epochs=6",
    "method.rounds.fold_epochs=6",
)
WIDTH = 1100
BORDER = 12
EDGES = "shown => [shown.getBoundingClientRect().top + scrollY, shown.getBoundingClientRect().bottom + scrollY]"
SUGGESTING = ".issue:has(.below:not(.none))"
# What each picture shows: which section is open, and from which element to which; the first that fits counts
PICTURES = {
    "report.png": ("noise", "header", "#noise figure"),
    "report-issues.png": ("issues", SUGGESTING, f"{SUGGESTING} + .issue + .issue"),
}


def main() -> None:
    """Train if need be, write the report and photograph its beginning and some issues."""
    with tempfile.TemporaryDirectory() as place, chdir(sys.argv[1] if len(sys.argv) > 1 else place):
        run = Path("demo")  # as it stands in the picture
        if not run.exists():
            train(read_corpus("demo"), load_recipe("fast", SETTINGS), Destination(run), workers=2)
        photograph(write_report(run, Path(place) / "report.html"))


def photograph(page: Path) -> None:
    """Take the pictures of a page."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        window = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
        for name, (section, first, last) in PICTURES.items():
            window.goto(page.as_uri())
            window.click(f"nav a[href='#{section}']")
            window.eval_on_selector_all("details:has(.issue)", "all => all.forEach(one => { one.open = true; })")
            top = max(0, window.eval_on_selector(first, EDGES)[0] - BORDER)
            bottom = window.eval_on_selector(last, EDGES)[1] + BORDER
            window.screenshot(
                path=DOCS / name,
                full_page=True,
                clip={"x": 0, "y": top, "width": WIDTH, "height": bottom - top},
            )
        browser.close()


if __name__ == "__main__":
    main()

"""The page on the architecture names only what there is: packages, types in their modules, parts of the seam."""

import importlib
import re
from pathlib import Path

import pytest

import trustag
from trustag.crossfit import folds
from trustag.data import corpus_outputs, encoded_corpus
from trustag.models import encoder_kinds, heads, network, warm_start
from trustag.training import fit_results, fitting, objectives, task

PAGE = (Path(__file__).parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
SOURCE = Path(trustag.__file__).parent
# Where the names are found that the table of other methods uses.
SEAM = (
    corpus_outputs,
    encoded_corpus,
    encoder_kinds,
    fit_results,
    fitting,
    folds,
    heads,
    network,
    objectives,
    task,
    warm_start,
)


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def rows(text: str) -> list[list[str]]:
    """Return the cells of the rows below the heading of every table."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_every_package_is_in_the_table_and_no_other() -> None:
    named = {name.rstrip("/") for row in rows(section("Packages")) for name in code(row[0])}
    there = {path.stem for path in SOURCE.iterdir() if path.is_dir() or path.suffix == ".py"}
    assert named == {name for name in there if not name.startswith("_") and name != "py"}


@pytest.mark.parametrize("row", rows(section("Central types")), ids=lambda row: row[0])
def test_types_are_where_the_page_says(row: list[str]) -> None:
    modules = [importlib.import_module(f"trustag.{name}") for name in code(row[1])]
    for name in code(row[0]):
        assert any(hasattr(module, name) for module in modules), name


@pytest.mark.parametrize("row", rows(section("What methods share")), ids=lambda row: row[0])
def test_the_seam_offers_what_methods_are_said_to_share(row: list[str]) -> None:
    for name in re.findall(r"`([A-Z]\w+)\.(\w+)|`([A-Z]\w+)`", row[1]):
        owner, member = name[0] or name[2], name[1]
        found = [getattr(module, owner) for module in SEAM if hasattr(module, owner)]
        assert found, owner
        assert not member or hasattr(found[0], member) or member in found[0].__annotations__, f"{owner}.{member}"

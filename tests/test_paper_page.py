"""The page on the paper names only what exists, leaves nothing of the list out, and gives the recipes as they are."""

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks.paper_page import filled, row_cells
from trustag.methods.table import choose_method, load_recipe

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")
ROWS = [row_cells(line) for line in PAGE.splitlines() if line.startswith("| ")]
TESTS = {
    name
    for path in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
}


def test_every_discrepancy_has_one_row() -> None:
    numbers = [cells[0] for cells in ROWS if cells[0].startswith("D-")]
    assert sorted(numbers) == sorted(f"D-{number}" for number in range(1, 50))


def test_every_equation_has_a_row() -> None:
    text = " ".join(cells[0] for cells in ROWS)
    assert all(re.search(rf"\b(eq\. |and ){number}\b", text) for number in range(1, 9))


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(trustag\.[\w.]+)`", PAGE))))
def test_every_function_on_the_page_exists(name: str) -> None:
    module, _, attribute = name.rpartition(".")
    assert hasattr(import_module(module), attribute) or find_spec(name) is not None


@pytest.mark.parametrize("sentence", sorted({s for cells in ROWS for s in re.findall(r"\*([^*]+)\*", cells[-1])}))
def test_every_test_on_the_page_exists(sentence: str) -> None:
    assert f"test_{sentence.replace(' ', '_')}" in TESTS


def test_rows_with_a_choice_name_a_test() -> None:
    without = [cells[0] for cells in ROWS if len(cells) == 8 and cells[0].startswith("D-") and "*" not in cells[-1]]
    assert not without


def test_rows_are_as_wide_as_their_tables() -> None:
    blocks = re.findall(r"(?:^\|.*\n)+", PAGE, re.MULTILINE)
    assert all(len({len(row_cells(line)) for line in block.splitlines()}) == 1 for block in blocks)
    assert len(blocks) == 7


@pytest.mark.slow
def test_the_columns_of_recipes_say_what_the_recipes_set() -> None:
    assert filled(PAGE) == PAGE
    assert re.search(r"\| `method\.parity\.later_rates` \| `\w+` \| `fixed` \|", PAGE)


def test_a_setting_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValueError, match="there is no setting rates.sooner"):
        filled("| setting | fast |\n|---|---|\n| `rates.sooner` |  |")


def table_of_systems() -> list[str]:
    """Return the options of each row, as they are written."""
    section = PAGE.partition("## The other systems of the table")[2].partition("\n## ")[0]
    return [
        option for line in section.splitlines() if line.startswith("| ") for option in re.findall(r"`(--[^`]+)`", line)
    ]


@pytest.mark.parametrize("options", table_of_systems())
def test_the_options_of_every_system_make_a_recipe(options: str) -> None:
    words = options.split()
    given = dict(zip(words[::2], words[1::2], strict=True))
    changes = [change for change in [given.get("--set")] if change and "FOLDER" not in change]
    recipe = load_recipe(given.get("--recipe"), changes, given.get("--method"))
    assert choose_method(recipe).settings is not None

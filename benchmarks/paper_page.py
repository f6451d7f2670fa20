"""The page on the paper: its tables name settings, and what the recipes make of them is filled in beside the names."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from trustag.methods.table import all_settings, load_recipe

RECIPES: Final = ("fast", "paper")
_NAME = re.compile(r"`([a-z]+(?:\.[a-z_]+)+)`")


def filled(page: str) -> str:
    """Return the page with the columns named after recipes saying what each recipe sets."""
    return "\n".join(_filled_lines(page.split("\n")))


def _filled_lines(lines: list[str]) -> Iterator[str]:
    header: list[str] = []
    for line in lines:
        cells = row_cells(line)
        if not cells:
            header = []
        elif not header:
            header = cells
        elif "setting" in header and not set(line) <= set("|-"):
            values = {recipe: _values(cells[header.index("setting")], recipe) for recipe in RECIPES}
            cells = [values.get(name, cell) for name, cell in zip(header, cells, strict=True)]
            yield f"| {' | '.join(cells)} |"
            continue
        yield line


def row_cells(line: str) -> list[str]:
    """Return the cells of a table row, nothing for any other line.

    >>> row_cells("| a | b c |")
    ['a', 'b c']
    """
    return [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []


def _values(cell: str, recipe: str) -> str:
    known = {setting.name for _, found in all_settings() for setting in found}
    chosen = load_recipe(recipe).model_dump()
    found = []
    for name in _NAME.findall(cell):
        if name not in known:
            raise ValueError(f"docs/paper.md: there is no setting {name}")
        value: Any = chosen
        for key in name.split("."):
            value = value[key]
        found.append(f"`{_as_toml(value)}`")
    return " ".join(found)


def _as_toml(value: Any) -> str:
    """Return a value about as it stands in a recipe, words without quotes.

    >>> _as_toml({"negative": (0.0, 0.2), "pairs": False})
    '{ negative = [0.0, 0.2], pairs = false }'
    """
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {_as_toml(inner)}' for key, inner in value.items())} }}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_as_toml, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)

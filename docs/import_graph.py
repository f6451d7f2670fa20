"""Draw which packages of Trustag import which, and measure how deep the imports inside one package go.

``docs/generate.py`` writes the picture, ``docs/rooms.svg``. ``python docs/import_graph.py --levels trustag.training``
prints modules, lines and import levels of a package; ``--source FOLDER`` reads another copy of the source code.
"""

import argparse
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

import grimp

ROOT: Final = "trustag"
SOURCE: Final = Path(__file__).parents[1] / "src"
LEFT_OUT: Final = {"__main__", "_version"}
BOX: Final = (128, 40)
GAP: Final = (22, 46)
MARGIN: Final = 20
SWEEPS: Final = 8

Imports = Mapping[str, frozenset[str]]


def room_imports(graph: grimp.ImportGraph) -> Imports:
    """Return the rooms (packages and modules directly below the root) and the other rooms that each imports."""
    found: dict[str, set[str]] = {}
    for module in graph.modules:
        room = _room(module)
        if room:
            imported = (_room(other) for other in graph.find_modules_directly_imported_by(module))
            found.setdefault(room, set()).update(other for other in imported if other and other != room)
    return {room: frozenset(others) for room, others in sorted(found.items())}


def _room(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] not in LEFT_OUT else None


def levels(imports: Imports) -> dict[str, int]:
    """Return the level of each node: 1 if it imports none of the others, else one more than the highest it imports.

    >>> levels({"a": frozenset("bc"), "b": frozenset("c"), "c": frozenset()})
    {'a': 3, 'b': 2, 'c': 1}
    """

    @cache
    def level(node: str) -> int:
        return 1 + max((level(other) for other in imports[node]), default=0)

    return {node: level(node) for node in imports}


def without_shortcuts(imports: Imports) -> Imports:
    """Return ``imports`` without those that a longer way implies.

    >>> without_shortcuts({"a": frozenset("bc"), "b": frozenset("c"), "c": frozenset()})["a"]
    frozenset({'b'})
    """

    @cache
    def below(node: str) -> frozenset[str]:
        return imports[node].union(*map(below, imports[node]))

    return {node: others.difference(*map(below, others)) for node, others in imports.items()}


def measure(graph: grimp.ImportGraph, package: str, source: Path) -> str:
    """Return modules, lines and import levels of ``package``, in one line."""
    inside = {module for module in graph.modules if module == package or module.startswith(f"{package}.")}
    imports = {module: graph.find_modules_directly_imported_by(module) & inside for module in sorted(inside)}
    deepest = max(levels({module: frozenset(others - {module}) for module, others in imports.items()}).values())
    folder = source.joinpath(*package.split("."))
    files = sorted(folder.rglob("*.py"))
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
    modules = sum(path.name != "__init__.py" for path in files)
    return f"{package}: {modules} modules, {lines:,} lines, {deepest} import levels"


def rows_of(imports: Imports) -> list[list[str]]:
    """Return the rooms by level, the highest first, each row ordered so that lines cross little."""
    by_level = levels(imports)
    rows = [[room for room in imports if by_level[room] == level] for level in range(max(by_level.values()), 0, -1)]
    for sweep in range(SWEEPS):
        places = {room: (index + 0.5) / len(row) for row in rows for index, room in enumerate(row)}
        importers = {room: [other for other in imports if room in imports[other]] for room in imports}
        near = imports if sweep % 2 else importers
        for row in rows:
            row.sort(key=lambda room: (_mean((places[other] for other in near[room]), places[room]), room))
    return rows


def _mean(values: Iterable[float], otherwise: float) -> float:
    known = list(values)
    return sum(known) / len(known) if known else otherwise


def picture(imports: Imports) -> str:
    """Return the rooms as an SVG picture: importers above what they import, shortcuts left out."""
    shown = without_shortcuts(imports)
    rows = rows_of(shown)
    width = max(map(len, rows)) * (BOX[0] + GAP[0]) - GAP[0] + 2 * MARGIN
    height = len(rows) * (BOX[1] + GAP[1]) - GAP[1] + 2 * MARGIN
    corners: dict[str, tuple[float, float]] = {}
    for number, row in enumerate(rows):
        step = width / len(row)
        for index, room in enumerate(row):
            corners[room] = (step * (index + 0.5) - BOX[0] / 2, MARGIN + number * (BOX[1] + GAP[1]))
    lines = [_line(corners[room], corners[other]) for room in shown for other in sorted(shown[room])]
    boxes = [_box(room, *corner) for room, corner in sorted(corners.items())]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="14" role="img" '
        'aria-label="Import graph of the packages of Trustag">'
    )
    return "\n".join([head, f'<rect width="{width}" height="{height}" fill="#fff"/>', *lines, *boxes, "</svg>", ""])


def _line(importer: tuple[float, float], imported: tuple[float, float]) -> str:
    x1, y1 = importer[0] + BOX[0] / 2, importer[1] + BOX[1]
    x2, y2 = imported[0] + BOX[0] / 2, imported[1]
    bend = GAP[1] * 0.9
    path = f"M{x1:.1f} {y1:.1f} C{x1:.1f} {y1 + bend:.1f} {x2:.1f} {y2 - bend:.1f} {x2:.1f} {y2:.1f}"
    return f'<path d="{path}" fill="none" stroke="#8a94a6" stroke-width="1.2"/>'


def _box(room: str, x: float, y: float) -> str:
    middle, base = x + BOX[0] / 2, y + BOX[1] / 2 + 5
    frame = f'<rect x="{x:.1f}" y="{y:.1f}" width="{BOX[0]}" height="{BOX[1]}" rx="6" fill="#eef3fb" stroke="#2a5db0"/>'
    return f'{frame}<text x="{middle:.1f}" y="{base:.1f}" text-anchor="middle" fill="#1b1f27">{escape(room)}</text>'


def read_graph(source: Path = SOURCE) -> grimp.ImportGraph:
    """Return the imports between all modules of the package in ``source``, those for type checkers alone left out."""
    sys.path.insert(0, str(source))
    return grimp.build_graph(ROOT, cache_dir=None, exclude_type_checking_imports=True)


def rooms_picture() -> str:
    """Return the picture of the rooms as they are now."""
    return picture(room_imports(read_graph()))


def main() -> None:
    """Print the measures of one package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--levels", metavar="PACKAGE", required=True, help="the package to measure")
    parser.add_argument("--source", type=Path, default=SOURCE, help="the folder that holds the package trustag")
    options = parser.parse_args()
    sys.stdout.write(measure(read_graph(options.source), options.levels, options.source) + "\n")


if __name__ == "__main__":
    main()

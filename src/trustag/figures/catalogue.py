"""All figures: drawn from runs that have data for them, and written with the numbers behind them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, TypeVar

import msgspec

from trustag.errors import InputError
from trustag.figures.canvas import PictureFormat, check_matplotlib, render
from trustag.figures.case_study import case_study
from trustag.figures.case_study_drawing import draw_case_study
from trustag.figures.line_drawings import (
    draw_noise_levels,
    draw_rate_search,
    draw_self_training,
    draw_training_dynamics,
)
from trustag.figures.noise_levels import noise_levels
from trustag.figures.rate_search_curve import rate_search_curve
from trustag.figures.self_training_rounds import self_training
from trustag.figures.training_dynamics import training_dynamics
from trustag.files.outputs import new_file
from trustag.runs.reading import NothingToDrawError, RunFiles

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class NamedNumbers(Protocol):
    """What the numbers of any single run have: its name, and what is missing."""

    @property
    def run(self) -> str:
        """The name of the run."""

    @property
    def lacking(self) -> tuple[str, ...]:
        """What is missing, and why."""


Numbers = TypeVar("Numbers", bound=NamedNumbers)


@dataclass(frozen=True, slots=True)
class FigureData:
    """The numbers of a figure, how to draw them, and what is missing."""

    numbers: object
    draw: Callable[[], "Figure"]
    lacking: tuple[str, ...]


GatherData: TypeAlias = Callable[[Sequence[RunFiles]], FigureData]


@dataclass(frozen=True, slots=True)
class FigureKind:
    """How a figure is made from runs: one drawing per run (``is_single``), or one for all runs."""

    title: str
    is_single: bool
    gather: GatherData


@dataclass(frozen=True, slots=True)
class DrawnFigure:
    """A drawing and its numbers with the ``stem`` of their file names, and what is missing."""

    stem: str
    picture: bytes
    picture_format: PictureFormat
    numbers: bytes
    lacking: tuple[str, ...]

    def names(self) -> tuple[str, str]:
        """Return the file names of the picture and of its numbers."""
        return f"{self.stem}.{self.picture_format}", f"{self.stem}.json"


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures that were drawn, and name and reason for each of the others."""

    drawn: tuple[DrawnFigure, ...]
    not_drawn: tuple[tuple[str, str], ...]


def draw_figures(runs: Sequence[RunFiles], names: Sequence[str], picture_format: PictureFormat) -> Figures:
    """Return the figures in ``names`` (see ``FIGURES``) for which the runs have data."""
    check_matplotlib()
    drawn: list[DrawnFigure] = []
    not_drawn: list[tuple[str, str]] = []
    for name in names:
        for stem, own in _drawings(name, runs):
            try:
                drawn.append(_drawn(stem, FIGURES[name], own, picture_format))
            except NothingToDrawError as reason:
                not_drawn.append((stem, reason.finding))
    return Figures(tuple(drawn), tuple(not_drawn))


def write_figures(figures: Figures, folder: Path, *, overwrite: bool = False) -> list[Path]:
    """Write drawings and numbers into ``folder``, created if necessary, and return their paths.

    Without ``overwrite``, nothing is written if one of the files exists.
    """
    contents = {
        folder / name: content
        for figure in figures.drawn
        for name, content in zip(figure.names(), (figure.picture, figure.numbers), strict=True)
    }
    for path in contents if not overwrite else ():
        if path.exists() or path.is_symlink():
            raise InputError("already exists", where=path, remedy="choose another folder or pass --overwrite")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot be created ({error.strerror})", where=folder, remedy="choose another folder"
        ) from None
    for path, content in contents.items():
        with new_file(path, overwrite=overwrite) as stream:
            stream.write(content)
    return list(contents)


def _drawings(name: str, runs: Sequence[RunFiles]) -> Iterator[tuple[str, Sequence[RunFiles]]]:
    """Yield the file stem of each drawing of a figure, and its runs."""
    if not FIGURES[name].is_single or len(runs) == 1:
        yield name, runs
        return
    for run in runs:
        yield f"{name}-{run.name}", [run]


def _drawn(stem: str, kind: FigureKind, runs: Sequence[RunFiles], picture_format: PictureFormat) -> DrawnFigure:
    data = kind.gather(runs)
    picture = render(data.draw, picture_format, kind.title)
    boxes = () if picture.is_whole else ("some characters: missing in the font; use SVG, which keeps them as text",)
    numbers = msgspec.json.format(msgspec.json.encode(data.numbers), indent=2) + b"\n"
    return DrawnFigure(stem, picture.content, picture_format, numbers, (*data.lacking, *boxes))


def _of_one(numbers_of: Callable[[RunFiles], Numbers], draw: Callable[[Numbers], "Figure"]) -> GatherData:
    def gather(runs: Sequence[RunFiles]) -> FigureData:
        (run,) = runs
        numbers = numbers_of(run)
        return FigureData(numbers, lambda: draw(numbers), numbers.lacking)

    return gather


def _of_several(numbers_of: Callable[[RunFiles], Numbers], draw: Callable[[Sequence[Numbers]], "Figure"]) -> GatherData:
    """Return the gathering of data from several runs, some of which may have none."""

    def gather(runs: Sequence[RunFiles]) -> FigureData:
        found: list[Numbers] = []
        absent: list[tuple[str, str]] = []
        for run in runs:
            try:
                found.append(numbers_of(run))
            except NothingToDrawError as reason:
                absent.append((run.name, reason.finding))
        if not found:
            raise NothingToDrawError("; ".join(_by_reason(absent)))
        lacking = [(numbers.run, reason) for numbers in found for reason in numbers.lacking]
        return FigureData(found, lambda: draw(found), tuple(_by_reason([*absent, *lacking])))

    return gather


def _of_levels(runs: Sequence[RunFiles]) -> FigureData:
    numbers = noise_levels(runs)
    return FigureData(numbers, lambda: draw_noise_levels(numbers), numbers.lacking)


def _by_reason(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return a line per reason, with its runs.

    >>> _by_reason([("a", "no dev split"), ("b", "no gold"), ("c", "no dev split")])
    ['a, c: no dev split', 'b: no gold']
    """
    runs: dict[str, list[str]] = {}
    for run, reason in pairs:
        runs.setdefault(reason, []).append(run)
    return [f"{', '.join(own)}: {reason}" for reason, own in runs.items()]


FIGURES: Final[dict[str, FigureKind]] = {
    "training-dynamics": FigureKind("Training dynamics", True, _of_one(training_dynamics, draw_training_dynamics)),
    "rate-search": FigureKind("Search for the noise rates", False, _of_several(rate_search_curve, draw_rate_search)),
    "noise-levels": FigureKind("F1 by noise level", False, _of_levels),
    "self-training": FigureKind("Self-training", False, _of_several(self_training, draw_self_training)),
    "case-study": FigureKind("Case study", True, _of_one(case_study, draw_case_study)),
}

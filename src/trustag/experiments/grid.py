"""Grids: methods, corpora, seeds and settings in a TOML file, with published figures and orderings to check."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError

from trustag.corpora.locating import DEMO
from trustag.errors import InputError
from trustag.experiments.corpora import ExperimentCorpus, Sizes
from trustag.experiments.experiment import Experiment
from trustag.experiments.systems import System
from trustag.methods.table import METHODS
from trustag.noise.perturbation import Perturbation
from trustag.recipes.loading import shipped_recipes
from trustag.recipes.sections import Section, as_tuple

_ENDING: Final = ".toml"
EVERY: Final = "*"
"""In an ordering: every other method."""


def _plain(name: str) -> str:
    if not name or any(character in name for character in '/\\"\n') or name.startswith("."):
        raise ValueError("names become names of folders: no slashes, quotes or leading dots")
    return name


Name = Annotated[str, AfterValidator(_plain)]
Names = Annotated[tuple[str, ...], BeforeValidator(as_tuple)]
Seeds = Annotated[tuple[Annotated[int, Field(ge=0)], ...], BeforeValidator(as_tuple)]


class GridNoise(Section):
    """Noise that is added to clean training labels; the same for all seeds of the trainings."""

    recall: float = Field(ge=0, le=1)
    precision: float = Field(gt=0, le=1)
    seed: int = 1


class GridCorpus(Section):
    """A corpus: where it is, the word vectors to start from, and what a figure on it may differ by.

    ``data`` is looked for in the folder of corpora, then beside the grid; ``vectors`` too, or they are names. ``seeds``
    are its own; ``sentences`` how many of train, dev and test are used.
    """

    data: str
    vectors: str = ""
    advised_vectors: str = ""
    language: str = ""
    noise: GridNoise | None = None
    seeds: Seeds = ()
    sentences: Annotated[tuple[int, int, int] | None, BeforeValidator(as_tuple)] = None
    tolerance: float | None = None
    goal: float | None = None


class GridMethod(Section):
    """A row: a method with its recipe and settings, what it is called, and what was published of it.

    ``gold_labels``, ``advised_vectors``, ``context`` and ``shares_rates`` are those of a :class:`System`. ``corpora``
    are those it is trained on, if not all.
    """

    method: str
    title: str = ""
    row: str = ""
    recipe: str = ""
    settings: Names = ()
    gold_labels: bool = False
    advised_vectors: bool = False
    context: str = ""
    shares_rates: bool = False
    corpora: Names = ()
    published: dict[str, float] = Field(default_factory=dict)
    note: str = ""

    def system(self, common: Sequence[str]) -> System:
        """Return what is trained, with settings that all rows have in common."""
        return System(
            self.method,
            (*common, *self.settings),
            self.recipe or (self.method if self.method in shipped_recipes() else "fast"),
            self.gold_labels,
            self.advised_vectors,
            self.context,
            self.shares_rates,
            corpora=self.corpora,
        )


class GridOrdering(Section):
    """What is said to hold: one row is better than another (or than every other), or two are alike, on some corpora."""

    text: str
    better: str = ""
    worse: str = ""
    alike: Names = ()
    on: Names = ()


class GridValues(Section):
    """What a grid says; with ``every_method`` each shipped method has a row, also where none is written for it."""

    title: str = ""
    seeds: Seeds = (1,)
    settings: Names = ()
    every_method: bool = False
    corpora: dict[Name, GridCorpus]
    methods: dict[Name, GridMethod] = Field(default_factory=dict)
    orderings: Annotated[tuple[GridOrdering, ...], BeforeValidator(as_tuple)] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    """A part of a grid: corpora, methods and seeds by name; all where nothing is named."""

    corpora: Sequence[str] = ()
    methods: Sequence[str] = ()
    seeds: Sequence[int] = ()


ALL: Final = Chosen()


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid by its name, and the folder beside which its files are looked for; shipped ones have none."""

    name: str
    values: GridValues
    folder: Path | None = None

    def experiment(self, data: Path | None = None, vectors: Path | None = None, chosen: Chosen = ALL) -> Experiment:
        """Return the chosen part with its files, which are looked for in the folders ``data`` and ``vectors``."""
        corpora = _named(self.values.corpora, chosen.corpora, "corpus", self.name)
        methods = _named(self.values.methods, chosen.methods, "method", self.name)
        return Experiment(
            corpora={name: self._located(corpus, data, vectors) for name, corpus in corpora.items()},
            systems={name: method.system(self.values.settings) for name, method in methods.items()},
            seeds=chosen.seeds or self.values.seeds,
            own_seeds={} if chosen.seeds else {name: own.seeds for name, own in corpora.items() if own.seeds},
        )

    def modules(self) -> list[Path]:
        """Return the files beside the grid that its methods are named in, as ``module:NAME``."""
        if self.folder is None:
            return []
        named = {method.method.partition(":")[0] for method in self.values.methods.values() if ":" in method.method}
        files = [self.folder / f"{module}.py" for module in sorted(named)]
        return [file for file in files if file.is_file()]

    def _located(self, corpus: GridCorpus, data: Path | None, vectors: Path | None) -> ExperimentCorpus:
        noise = corpus.noise
        is_demo = corpus.data.partition(":")[0] == DEMO
        return ExperimentCorpus(
            name=corpus.data if is_demo else self._found(corpus.data, data),
            vectors=self._found(corpus.vectors, vectors) if corpus.vectors else "",
            advised_vectors=corpus.advised_vectors,
            language=corpus.language,
            perturbation=None if noise is None else Perturbation(noise.recall, noise.precision, noise.seed),
            sizes=None if corpus.sentences is None else Sizes(*corpus.sentences),
        )

    def _found(self, name: str, folder: Path | None) -> str:
        """Return the path of what is called ``name`` in one of the folders, or the name if it is in none."""
        places = [place / name for place in (folder, self.folder) if place is not None]
        return next((str(place) for place in places if place.exists()), name)


def shipped_grids() -> dict[str, str]:
    """Return the grids that come with the package, by name, each with its first comment line."""
    found = {}
    for entry in sorted(resources.files("trustag.experiments.grids").iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(_ENDING):
            first_line = entry.read_text(encoding="utf-8").partition("\n")[0]
            found[entry.name.removesuffix(_ENDING)] = first_line.removeprefix("#").strip()
    return found


def read_grid(name: str) -> Grid:
    """Return the grid called ``name``: a shipped one, or a TOML file."""
    if name in shipped_grids():
        text = resources.files("trustag.experiments.grids").joinpath(f"{name}{_ENDING}").read_text(encoding="utf-8")
        return Grid(name, _checked(text, name))
    path = Path(name)
    if not path.is_file():
        known = ", ".join(shipped_grids())
        raise InputError(f"no grid called {name!r} and no such file", remedy=f"shipped grids: {known}")
    return Grid(path.stem, _checked(path.read_text(encoding="utf-8"), name), path.resolve().parent)


def _checked(text: str, where: str) -> GridValues:
    try:
        values = GridValues.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", where=where, remedy="mend the file") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        finding = f"{place}: {first['msg'].lower()}"
        raise InputError(finding, where=where, remedy="docs/experiments.md describes a grid") from None
    if values.every_method:
        rows = {name: GridMethod(method=name) for name in METHODS if name not in values.methods}
        values = values.model_copy(update={"methods": {**rows, **values.methods}})
    _check_names(values, where)
    return values


def _check_names(values: GridValues, where: str) -> None:
    """Refuse corpora and methods that are named but not there."""
    corpora = [name for row in values.methods.values() for name in (*row.corpora, *row.published)]
    corpora += [name for ordering in values.orderings for name in ordering.on]
    rows = [name for one in values.orderings for name in (one.better, one.worse, *one.alike) if name not in {"", EVERY}]
    for kind, named, known in (("corpus", corpora, values.corpora), ("method", rows, values.methods)):
        _named(known, named, kind, where)


def _named(known: Mapping[str, Any], names: Sequence[str], kind: str, where: str) -> dict[str, Any]:
    """Return those of ``known`` that are named, in their own order; all if none is."""
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InputError(f"no {kind} called {unknown[0]!r}", where=where, remedy=f"there are: {', '.join(known)}")
    return {name: value for name, value in known.items() if not names or name in names}

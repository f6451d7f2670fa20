"""Find the lists that a configuration names: files, folders of files, and built-in lists."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.labelling.built_in_lists import BUILT_IN, PREFIX, built_in_list, state_of
from trustag.labelling.gazetteers import CompiledGazetteer, ListOptions, ListToCompile
from trustag.labelling.name_lists import UNTYPED_LIST, read_forms, type_of_file_name
from trustag.labelling.settings import ListSettings
from trustag.notes import Note, Watch
from trustag.text.sentences import Source

NAMES: Final = "names"
"""The role of lists whose forms are names; those of others are words of rules."""
_SUFFIXES: Final = (".txt", ".tsv", ".csv", ".json", ".jsonl", ".lst", ".list", ".dic")


@dataclass(frozen=True, slots=True)
class LocatedList:
    """A list that was found: its name, its file, the type of forms that state none, and how it is compiled."""

    name: str
    path: Path
    type: str | None
    options: ListOptions
    type_is_guessed: bool = False
    role: str = NAMES
    built_in: str | None = None
    language: str = "en"

    def content_digest(self) -> bytes:
        """Return what changes with the contents."""
        digest = blake2b(digest_size=16)
        if self.built_in is not None:
            return state_of(self.built_in, self.language)
        with InputFile(self.path).open_bytes() as stream:
            while chunk := stream.read(1 << 20):
                digest.update(chunk)
        return digest.digest()


def locate_lists(
    settings: Iterable[ListSettings], stop_words: frozenset[str], language: str = "en"
) -> tuple[LocatedList, ...]:
    """Return the lists of all files that ``settings`` name; each list has a name of its own."""
    found: dict[str, LocatedList] = {}
    for one in settings:
        for located in _located(one, stop_words, language):
            if located.name in found:
                remedy = "give one of them another name (name = in the configuration)"
                raise InputError(f"two lists are called {located.name!r}", where=located.path, remedy=remedy)
            found[located.name] = located
    return tuple(found.values())


def read_list(one: LocatedList) -> ListToCompile:
    """Return a list with its entries."""
    forms = read_forms(one.path, one.type)
    if one.built_in is not None:
        found = built_in_list(one.built_in).forms(one.language)
        forms = (form._replace(type=one.type) if one.type is not None else form for form in found)
    if one.options.cut_at:
        pattern = re.compile(f"[{re.escape(one.options.cut_at)}].*")
        cut = (form._replace(text=pattern.sub("", form.text).strip()) for form in forms)
        forms = (form for form in cut if form.text)
    return ListToCompile(one.name, list(forms), one.options)


def report_lists(gazetteer: CompiledGazetteer, lists: Iterable[LocatedList], watch: Watch) -> None:
    """Tell ``watch`` how many forms of each list were left out, how its case counts, and whose type is a guess."""
    for one, located in zip(gazetteer.lists, lists, strict=True):
        where = Source(str(located.path))
        for reason, count in one.left_out.items():
            watch(Note("left out", reason, f"{count:,} of {one.forms + sum(one.left_out.values()):,} forms", where))
        if one.case in {"capitalised", "any"} and located.options.case == "auto":
            how = "capitalised forms count" if one.case == "capitalised" else "forms in any case count"
            detail = f"the list is all in one case, so {how} (case = {one.case})"
            watch(Note("info", "case of a list", detail, where))
        if located.type_is_guessed:
            watch(Note("info", "type of a list", f"{located.type}, from the file name", where))


def _located(settings: ListSettings, stop_words: frozenset[str], language: str) -> list[LocatedList]:
    options = ListOptions(
        settings.case,
        settings.weight,
        settings.minimum_length,
        stop_words if settings.stop_words else frozenset(),
        settings.cut_at,
    )
    kind, _, name = settings.path.partition(":")
    if kind == "builtin":
        return [_built_in(one, settings, options, language) for one in ([name] if name else BUILT_IN)]
    path = Path(settings.path)
    if not path.exists():
        raise InputError("no such list of names", where=settings.path, remedy="check the path")
    if not path.is_dir():
        given = settings.type or (UNTYPED_LIST if settings.role != NAMES else None)
        return [LocatedList(settings.name or list_name(path), path, given, options, role=settings.role)]
    files = [file for file in sorted(path.iterdir()) if file.is_file() and _is_list(file)]
    if not files:
        raise InputError("holds no list of names", where=path, remedy=f"its files end in {', '.join(_SUFFIXES)}")
    located = []
    for file in files:
        guessed = None if settings.type else type_of_file_name(file.name)
        name = f"{settings.name}-{list_name(file)}" if settings.name else list_name(file)
        own = settings.type or (UNTYPED_LIST if settings.role != NAMES else guessed)
        located.append(LocatedList(name, file, own, options, guessed is not None and own == guessed, settings.role))
    return located


def _built_in(name: str, settings: ListSettings, options: ListOptions, language: str) -> LocatedList:
    built_in = built_in_list(name)
    role = settings.role if settings.role != NAMES else built_in.role
    weighted = options._replace(weight=options.weight * built_in.weight)
    path = Path(f"{PREFIX}{name}")
    return LocatedList(
        settings.name or name, path, settings.type, weighted, role=role, built_in=name, language=language
    )


def list_name(path: Path) -> str:
    """Return the name of the list in a file, without spaces.

    >>> list_name(Path("lists/big cities.txt.gz")), list_name(Path("loc_a.country.txt"))
    ('big-cities', 'loc_a.country')
    """
    name = path.name.removesuffix(".gz")
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return "-".join(name.split())


def _is_list(path: Path) -> bool:
    return not path.name.startswith(".") and path.name.removesuffix(".gz").endswith(_SUFFIXES)

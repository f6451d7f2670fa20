"""Read rules: those shipped for a language, and files of the user."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.labelling.language_words import known_languages, language_values
from trustag.labelling.word_rules import SOURCE_KIND, ExtendSettings, RepeatSettings, RuleFile, WordRule, rule_of
from trustag.recipes.loading import checked


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules, in the order of their files."""

    rules: tuple[WordRule, ...] = ()
    repeats: tuple[RepeatSettings, ...] = ()
    extends: tuple[ExtendSettings, ...] = ()

    @property
    def closed(self) -> frozenset[str]:
        """The sources of names that no function word joins to others."""
        return frozenset(f"{SOURCE_KIND}:{rule.settings.name}" for rule in self.rules if rule.settings.closed)

    @property
    def types(self) -> set[str]:
        """The types that rules give of themselves."""
        return {rule.settings.type for rule in self.rules} | {rule.type for rule in self.extends}


NO_RULES: Final = Rules()


def read_rules(
    names: Iterable[str], lists: Mapping[str, frozenset[tuple[str, ...]]], without: Sequence[str] = ()
) -> Rules:
    """Return the rules of languages and files, such as ``en`` or ``my-rules.toml``; each rule has a name of its own."""
    files = [(name, _values(name)) for name in names]
    parsed = [checked(RuleFile, values, where=name) for name, values in files]
    seen: set[str] = set()
    for (where, _), one in zip(files, parsed, strict=True):
        for name in [*(r.name for r in one.rule), *(r.name for r in one.repeat), *(r.name for r in one.extend)]:
            if name in seen:
                raise InputError(f"two rules are called {name!r}", where=where, remedy="rename one of them")
            seen.add(name)
    missing = sorted(set(without) - seen)
    if missing:
        raise InputError(f"there is no rule {missing[0]!r} to leave out", remedy=f"rules: {', '.join(sorted(seen))}")
    return Rules(
        tuple(rule_of(settings, lists) for one in parsed for settings in one.rule if settings.name not in without),
        tuple(settings for one in parsed for settings in one.repeat if settings.name not in without),
        tuple(settings for one in parsed for settings in one.extend if settings.name not in without),
    )


def _values(name: str) -> dict[str, Any]:
    if name in known_languages():
        return {key: value for key, value in language_values(name).items() if key != "words"}
    if not Path(name).is_file():
        known = ", ".join(known_languages())
        raise InputError(f"no rules called {name!r} and no such file", remedy=f"shipped rules: {known}")
    try:
        return tomllib.loads(InputFile(Path(name)).text())
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", where=name, remedy="mend the file") from None

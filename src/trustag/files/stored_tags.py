"""Convert tags in files, which are names or numbers, to labels and back."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.files.json_records import decode
from trustag.files.spelled_tags import SpelledTags
from trustag.text.labels import OUTSIDE, Label
from trustag.text.sentences import Sentence, Source

Tag: TypeAlias = int | str | None
Names: TypeAlias = Mapping[int, str]

UNKNOWN_ID: Final = -100
_UNKNOWN: Final[tuple[Tag, ...]] = (None, UNKNOWN_ID, -1)
_NUMBER: Final = re.compile("[0-9]{1,9}")
_STORED_NAMES: Final[Any] = list[str] | dict[str, int | str]


class StoredTags(dict[Tag, Label]):
    """The label of each stored tag, cached.

    A tag is a name, or a number with a name from ``find_names`` (called for the first number only); ``None``, -1 and
    -100 are unknown labels. ``spelled`` converts names to labels.
    """

    def __init__(self, find_names: Callable[[], Names], spelled: SpelledTags) -> None:
        super().__init__(dict.fromkeys(_UNKNOWN))
        self._find_names = find_names
        self._spelled = spelled
        self._names: Names | None = None

    def __missing__(self, tag: Tag) -> Label:
        name = self._name_of(tag) if isinstance(tag, int) else str(tag)
        label = self[tag] = self._spelled[name]
        return label

    def renamed(self, find_names: Callable[[], Names]) -> "StoredTags":
        """Return the tags of the same file with other names for the numbers that follow."""
        return StoredTags(find_names, self._spelled)

    def _name_of(self, number: int) -> str:
        if self._names is None:
            self._names = self._find_names()
        if number not in self._names:
            raise InputError(
                f"tag number {number} is not among the {len(self._names)} numbers with a name",
                remedy="use numbers with a name, or -100 for an unknown label",
            )
        return self._names[number]

    def labels(self, tags: Sequence[Tag], where: Source) -> tuple[Label, ...]:
        """Return the labels of one sentence; an invalid tag raises an error that names its token."""
        try:
            return tuple(map(self.__getitem__, tags))
        except InputError as error:
            if error.where is not None:
                raise
            # All tags before the invalid one are cached by now.
            token = next(number for number, tag in enumerate(tags, start=1) if tag not in self)
            raise InputError(f"token {token}: {error.finding}", where=where, remedy=error.remedy) from None


def names_in_order(names: Sequence[str], where: Source) -> Names:
    """Return the names of the numbers 0, 1, 2, ...; a repeated name is an error."""
    return _without_repeats(list(enumerate(names)), where)


def read_names(path: Path) -> Names:
    """Return the names in a JSON file: an array of names, or an object that maps names to numbers or vice versa."""
    file = InputFile(path)
    where = Source(file.name)
    stored: list[str] | dict[str, int | str] = decode(file.text(), _STORED_NAMES, where, remedy="write the file again")
    if isinstance(stored, list):
        return names_in_order(stored, where)
    pairs = []
    for key, value in stored.items():
        if isinstance(value, int):
            pairs.append((value, key))
        elif _NUMBER.fullmatch(key):
            pairs.append((int(key), value))
        else:
            raise InputError(
                f"neither {key!r} nor {value!r} is a number", where=where, remedy="give every name a number"
            )
    return _without_repeats(pairs, where)


def _without_repeats(pairs: list[tuple[int, str]], where: Source) -> Names:
    for what, values in (("number", [number for number, _ in pairs]), ("name", [name for _, name in pairs])):
        repeated = [value for value, count in Counter[object](values).items() if count > 1]
        if repeated:
            raise InputError(
                f"the {what} {repeated[0]!r} occurs twice", where=where, remedy="give every name its own number"
            )
    return dict(pairs)


def outside_first(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct ``tags`` in order, but with ``O`` first, as is usual for numbered tags."""
    return tuple(dict.fromkeys((OUTSIDE, *tags)))


class TagNumbers(dict[Label, int]):
    """The number to store for each label; -100 for unknown labels."""

    def __init__(self, tags: Sequence[str]) -> None:
        super().__init__({tag: number for number, tag in enumerate(tags)})
        self[None] = UNKNOWN_ID

    def of(self, labels: Sequence[Label], sentence: Sentence) -> list[int]:
        """Return the numbers of ``labels``; a label without a number raises an error that names its line."""
        try:
            return [self[label] for label in labels]
        except KeyError:
            token = next(token for token, label in enumerate(labels) if label not in self)
            raise InputError(
                f"the label {labels[token]!r} is not among the {len(self) - 1} tags to be written",
                where=sentence.line_of(token),
                remedy="pass all tags of the corpus to the writer",
            ) from None

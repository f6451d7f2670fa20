"""Which column of a table with one token per row contains what, by the names in its header."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from trustag.errors import InputError

Role: TypeAlias = Literal["sentence", "token", "label", "gold", "source"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)

# In order of preference: the first name that a header has is taken, and the other columns are kept as they are.
_NAMES: Final[dict[Role, tuple[str, ...]]] = {
    "sentence": ("sentence", "sentence_id", "sentence_idx", "sentence_number", "sent_id", "sent", "sentid"),
    "token": ("token", "tokens", "word", "words", "form"),
    "label": ("label", "labels", "ner_tags", "ner_tag", "ner", "entity", "tag", "tags"),
    "gold": ("gold", "gold_label", "gold_labels", "gold_tag", "gold_tags"),
    "source": ("source",),
}
_MARKS: Final = re.compile(r"[\W_]+")
IGNORED: Final = "_"


@dataclass(frozen=True, slots=True)
class TableColumns:
    """The index of the column of each role, and the name and index of every other column that has a name."""

    roles: dict[Role, int]
    extra: tuple[tuple[str, int], ...]
    width: int

    def index(self, role: Role) -> int | None:
        """Return the index of the column with this role, if there is one."""
        return self.roles.get(role)

    def description(self) -> str:
        """Return the contents of the columns in their order."""
        names = {index: name for name, index in (*self.roles.items(), *self.extra)}
        return " ".join(names.get(index, IGNORED) for index in range(self.width))


def find_columns(header: Sequence[str]) -> TableColumns:
    """Return which column of a table contains what; columns without a name, or named ``_``, are ignored.

    >>> find_columns(["Sentence #", "Word", "POS", "Tag"]).description()
    'sentence token POS label'
    """
    plain = [_plain(name) for name in header]
    roles: dict[Role, int] = {}
    for role, names in _NAMES.items():
        index = next((plain.index(name) for name in names if name in plain), None)
        if index is not None:
            roles[role] = index
    taken = set(roles.values())
    extra = [
        (name.strip(), index)
        for index, name in enumerate(header)
        if index not in taken and name.strip() not in {"", IGNORED}
    ]
    return TableColumns(roles, tuple(extra), len(header))


def checked_columns(header: Sequence[str], where: object, *, unlabelled: bool = False) -> TableColumns:
    """Return which column contains what; a table without tokens or labels, or with a repeated name, is an error."""
    found = find_columns(header)
    shown = ", ".join(name.strip() or "(no name)" for name in header)
    for role in ("token", "label"):
        if role not in found.roles and not (role == "label" and unlabelled):
            advice = "name them with --columns, for example --columns sentence,token,_,label"
            if role == "label":
                advice += "; trustag merge makes one column of the labels of several annotators"
            raise InputError(f"no column of {role}s among {shown}", where=where, remedy=advice)
    names = [name for name, _ in found.extra]
    repeated = next((name for name in names if names.count(name) > 1 or name in found.roles), None)
    if repeated is not None:
        raise InputError(f"the column {repeated!r} occurs twice", where=where, remedy="rename one of them")
    return found


def is_role(name: str) -> bool:
    """Tell whether a column of this name would be read as something else than an additional column."""
    return any(_plain(name) in names for names in _NAMES.values())


def _plain(name: str) -> str:
    return _MARKS.sub("_", name.casefold()).strip("_")

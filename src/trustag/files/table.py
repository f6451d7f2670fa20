"""Every format by name."""

from typing import Final

from trustag.errors import InputError
from trustag.files import bond, conll, jsonl, roster
from trustag.files.formats import Format

_MODULES: Final = (
    conll,
    jsonl,
    bond,
    roster,
)

FORMATS: Final[dict[str, Format]] = {module.FORMAT.name: module.FORMAT for module in _MODULES}


def find_format(name: str) -> Format:
    """Return the format called ``name``."""
    try:
        return FORMATS[name]
    except KeyError:
        raise InputError(f"unknown format {name!r}", remedy=f"known: {', '.join(FORMATS)}") from None

"""Parts of a run that are chosen by name, such as methods and heads: those of a table, or the user's own.

A table says for each name where the part is found, as ``package.module:NAME``; the user's own are named like that.
"""

import difflib
import importlib
import re
import sys
from collections.abc import Mapping
from typing import Final

from pydantic_core import PydanticCustomError

from trustag.errors import InputError

OWN: Final = "package.module:NAME"
_PLACE: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")
_PACKAGE: Final = __name__.partition(".")[0]


def known_name(name: str, places: Mapping[str, str]) -> str:
    """Return ``name`` if it is in the table or reads like a place; what is there is seen when it is loaded."""
    if name in places or _PLACE.fullmatch(name):
        return name
    raise PydanticCustomError("named", f"input should be {', '.join(map(repr, places))} or your own as {OWN}")


def load_part(name: str, places: Mapping[str, str], what: str, *, imports: bool = True) -> object:
    """Return the ``what`` called ``name``: one of the table, or one of the user's.

    Unless it ``imports``, code from outside this package must have been imported before: a name that comes with data
    must not decide what is run.
    """
    place = places.get(name, name)
    module, colon, attribute = place.partition(":")
    if not colon:
        close = difflib.get_close_matches(name, places, n=1)
        known = f"known: {', '.join(places)}, or your own as {OWN}"
        raise InputError(f"no {what} called {name!r}", remedy=f"did you mean {close[0]!r}?" if close else known)
    if not imports and module.partition(".")[0] != _PACKAGE and module not in sys.modules:
        remedy = f"if you trust it: trustag --import {module} ..., or in Python: import {module}"
        raise InputError(f"the {what} {name!r} is code from outside Trustag", remedy=remedy)
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InputError(f"cannot load the {what} {name!r} ({error})", remedy="check the name and the path") from None

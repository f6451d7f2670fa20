"""Text from data made safe to look at: what cannot be seen, or would turn the text around, is spelled out.

Zero-width and bidirectional controls, other control characters, odd spaces, halves of surrogate pairs and code points
without a character all hide in plain sight; each is written as its code point, so that nobody is led astray by a label
that looks like another one.
"""

import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from markupsafe import Markup, escape

_HIDDEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
# Letters and marks that take room or join others, but show nothing at all.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def is_hidden(character: str) -> bool:
    """Tell whether one cannot see ``character``; a plain space is the only blank that one can."""
    if character.isascii():
        return not character.isprintable()
    return character in _BLANK or unicodedata.category(character) in _HIDDEN_CATEGORIES


def code_point(character: str) -> str:
    r"""Return how a character is written that cannot be seen.

    >>> code_point("\u200b")
    'U+200B'
    """
    return f"U+{ord(character):04X}"


def plain(text: str) -> str:
    r"""Return ``text`` with hidden characters spelled out, for places that hold no markup.

    >>> plain("New\u200bYork")
    'New[U+200B]York'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"[{code_point(character)}]" if is_hidden(character) else character for character in text)


def shown(text: str) -> Markup:
    r"""Return ``text`` as markup of its own direction, with hidden characters marked and explained.

    >>> shown("<a>\u202e")
    Markup('<bdi>&lt;a&gt;<span class="code" dir="ltr" title="RIGHT-TO-LEFT OVERRIDE">U+202E</span></bdi>')
    """
    # The direction of plain letters is that of the page.
    return escape(text) if text.isascii() and text.isprintable() else Markup("<bdi>{}</bdi>").format(marked(text))


def marked(text: str) -> Markup:
    """Return ``text`` as markup that takes part in the direction of what is around it, hidden characters marked."""
    return Markup("").join(_pieces(text))


def _pieces(text: str) -> Iterator[str | Markup]:
    for hidden, run in groupby(text, is_hidden):
        if not hidden:
            yield "".join(run)
            continue
        for character in run:
            name = unicodedata.name(character, "no visible character")
            yield Markup('<span class="code" dir="ltr" title="{}">{}</span>').format(name, code_point(character))


def shortened(text: str, most: int) -> str:
    """Return a text, of a long one the beginning and how much is left out.

    >>> shortened("abcdef", 4), shortened("abc", 4)
    ('abcd… (2 more characters)', 'abc')
    """
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most:,} more characters)"

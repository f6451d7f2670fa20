"""Text from data as markup: escaped, hidden characters marked and explained, every text in its own direction."""

import unicodedata
from collections.abc import Iterator
from itertools import groupby

from markupsafe import Markup, escape

from trustag.text.control_characters import code_point, is_unseen


def plain(text: str) -> str:
    r"""Return ``text`` with hidden characters spelled out, for places that hold no markup.

    >>> plain("New\u200bYork")
    'New[U+200B]York'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"[{code_point(character)}]" if is_unseen(character) else character for character in text)


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
    for hidden, run in groupby(text, is_unseen):
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

"""Text from data as safe markup: escaped, hidden characters marked and named, every text in its own direction."""

import unicodedata
from collections.abc import Iterator
from itertools import groupby

from markupsafe import Markup, escape

from trustag.text.control_characters import code_point, is_unseen


def plain(text: str) -> str:
    r"""Return ``text`` with hidden characters spelled out, where markup is not possible.

    >>> plain("New\u200bYork")
    'New[U+200B]York'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"[{code_point(character)}]" if is_unseen(character) else character for character in text)


def shown(text: str) -> Markup:
    r"""Return ``text`` as markup with its own direction, hidden characters marked and named.

    >>> shown("<a>\u202e")
    Markup('<bdi>&lt;a&gt;<span class="code" dir="ltr" title="RIGHT-TO-LEFT OVERRIDE">U+202E</span></bdi>')
    """
    # Plain ASCII has the direction of the page anyway.
    return escape(text) if text.isascii() and text.isprintable() else Markup("<bdi>{}</bdi>").format(marked(text))


def marked(text: str) -> Markup:
    """Return ``text`` as markup that follows the direction of its surroundings, hidden characters marked."""
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
    """Return a text, shortened to its first ``most`` characters where it is longer.

    >>> shortened("abcdef", 4), shortened("abc", 4)
    ('abcd… (2 more characters)', 'abc')
    """
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most:,} more characters)"

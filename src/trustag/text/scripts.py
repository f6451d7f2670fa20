"""Scripts that are written without spaces between words: which characters belong to them, and what they are called."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

# Of the Unicode blocks of each script; Tibetan is missing, since it marks the end of every syllable.
_RANGES: Final = {
    "Chinese": "\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3038-\u303b\u3100-\u312f\u31a0-\u31bf\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff",
    "Japanese": "\u3031-\u3035\u3041-\u309f\u30a0-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f\U0001aff0-\U0001b16f",
    "Thai": "\u0e00-\u0e7f",
    "Lao": "\u0e80-\u0eff",
    "Khmer": "\u1780-\u17ff",
    "Burmese": "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f",
    "Tai": "\u1950-\u19df\u1a20-\u1aaf\uaa80-\uaadf",
}
UNSPACED: Final = "".join(_RANGES.values())
"""The characters of all these scripts, as ranges for the brackets of a regular expression."""
_UNSPACED: Final = re.compile(f"[{UNSPACED}]")
_WIDE_MARKS: Final = re.compile(
    "[\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff3d\uff5b-\uff65]"
)
_SCRIPTS: Final = {name: re.compile(f"[{characters}]") for name, characters in _RANGES.items()}


def unspaced_script(text: str) -> str | None:
    """Return the name of a script in ``text`` that is written without spaces between words, if there is one.

    Japanese also uses Chinese characters, so its own decide.

    >>> unspaced_script("東京です"), unspaced_script("北京 2026"), unspaced_script("서울 Seoul नई दिल्ली")
    ('Japanese', 'Chinese', None)
    """
    if text.isascii() or _UNSPACED.search(text) is None:
        return None
    names = [name for name, characters in _SCRIPTS.items() if characters.search(text)]
    return "Japanese" if "Japanese" in names else names[0]


def in_words(tokens: Sequence[str]) -> str:
    """Return tokens as they are read: with spaces between them, but where their script is written without.

    >>> in_words(["Ann", "met", "Bob", "."]), in_words(["安", "娜", "在", "IBM", "。", "北", "京"])
    ('Ann met Bob .', '安娜在 IBM。北京')
    """
    parts = list(tokens[:1])
    for before, token in pairwise(tokens):
        is_close = is_unspaced(before[-1:]) and is_unspaced(token[:1])
        # Wide punctuation brings its own space.
        is_wide = _WIDE_MARKS.match(before[-1:]) or _WIDE_MARKS.match(token[:1])
        parts.append(token if is_close or is_wide else f" {token}")
    return "".join(parts)


def is_unspaced(character: str) -> bool:
    """Tell whether a character belongs to a script that is written without spaces between words."""
    return _UNSPACED.match(character) is not None

"""Tell what the lines of a text file without a known format are: columns, one token per line, or plain text.

Only files whose labels do not matter need this, such as texts to tag. A labelled file without a known
format is CoNLL text.
"""

import re
import unicodedata
from collections import Counter
from itertools import pairwise
from typing import Final

from trustag.errors import InputError
from trustag.text.labels import OUTSIDE, is_label
from trustag.text.scripts import unspaced_script

_SAMPLE_LINES: Final = 2_000
_MOST: Final = 0.8  # share of the lines that must agree; a few may be damaged
_LONGEST_WORD: Final = 16  # characters of a word in a script without spaces; longer runs of them are text
_JSON_START: Final = re.compile(r'\s*\[?\s*\{\s*(?:"|\})|\s*\[\s*["\[]')


def looks_like_json(head: str) -> bool:
    """Tell whether a file starts like JSON, even if its first record is damaged or very long."""
    return _JSON_START.match(head) is not None


def is_conll(head: str, name: str) -> bool:
    """Tell whether a file that starts with ``head`` is CoNLL text rather than lines of plain text.

    Columns with tags, and one token per line with blank lines between sentences, are CoNLL text. Columns without tags,
    and lines of one word without any blank line, can be read in two ways and are an error.
    """
    sample = head.split("\n", _SAMPLE_LINES)[:_SAMPLE_LINES]
    rows = [line for line in sample if line.strip() and not line.startswith(("#", "-DOCSTART-"))]
    if len(rows) < 2:
        return False
    if all(map(_is_word, rows)):
        if any(not line.strip() for line in sample[: -1 if sample[-1] == "" else None]):
            return _has_adjacent_rows(sample)
        raise InputError(
            "one word on every line: the tokens of one sentence, or texts",
            where=f"{name}:1",
            remedy="choose with --from conll or --from text",
        )
    fields = _most_common_shape(rows)
    if fields is None:
        return False
    if any(_holds_tags(column) for column in list(zip(*fields, strict=True))[1:]):
        return True
    if any(not any(map(str.isalnum, row[0])) for row in fields):
        columns = ",".join(["token", *["_"] * (len(fields[0]) - 1)])
        raise InputError(
            f"{len(fields[0])} columns on every line, but no column contains tags",
            where=f"{name}:1",
            remedy=f"choose with --columns, for example --columns {columns}, or with --from text",
        )
    return False


def _is_word(line: str) -> bool:
    """Tell whether a line is one token; a run of a script without spaces may be a sentence."""
    word = line.strip()
    if len(word.split()) != 1:
        return False
    if unspaced_script(word) is None:
        return True
    return len(word) <= _LONGEST_WORD and all(unicodedata.category(character)[0] != "P" for character in word)


def _has_adjacent_rows(sample: list[str]) -> bool:
    """Tell whether two lines follow each other without a blank line; texts of one word each are often set apart."""
    return any(first.strip() and second.strip() for first, second in pairwise(sample))


def _most_common_shape(rows: list[str]) -> list[list[str]] | None:
    """Return the fields of the rows that have the most common number of columns, if most rows have it."""
    split = [row.split("\t") if "\t" in row else row.split() for row in rows]
    width, count = Counter(map(len, split)).most_common(1)[0]
    if width < 2 or count < _MOST * len(rows):
        return None
    return [[field.strip() for field in fields] for fields in split if len(fields) == width]


def _holds_tags(values: tuple[str, ...]) -> bool:
    """Tell whether most values are tags; a pronoun such as *I* alone does not make a column of tags."""
    tags = [value for value in values if is_label(value)]
    return len(tags) >= _MOST * len(values) and any(tag == OUTSIDE or "-" in tag[1:] for tag in tags)

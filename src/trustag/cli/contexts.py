"""A label in its context: some words of its sentence, the word at issue in brackets; and labels to look at first."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import click

from trustag.errors import printable
from trustag.text.sentences import Sentence

if TYPE_CHECKING:
    from trustag.training.findings import Findings

_LEFT_OUT: Final = "..."


def in_context(sentence: Sentence, token: int, width: int) -> str:
    """Return as many words around one as fit into ``width`` columns, about the same on both sides.

    >>> in_context(Sentence(tuple("She flew to Rome in May .".split()), ("O",) * 7), 3, 22)
    '... flew to [Rome] in ...'
    """
    words = [printable(word) for word in sentence.tokens]
    marked = f"[{words[token]}]"
    first, end, used = token, token + 1, len(marked)
    is_growing = True
    while is_growing:
        is_growing = False
        if first and used + len(words[first - 1]) < width:
            first, is_growing = first - 1, True
            used += len(words[first]) + 1
        if end < len(words) and used + len(words[end]) < width:
            end, is_growing = end + 1, True
            used += len(words[end - 1]) + 1
    before = [*([_LEFT_OUT] if first else []), *words[first:token]]
    after = [*words[token + 1 : end], *([_LEFT_OUT] if end < len(words) else [])]
    return " ".join([*before, click.style(marked, bold=True), *after])


def doubts_in_words(findings: "Findings", width: int) -> Iterator[str]:
    """Yield the labels to look at first, each with its probability, the suggested one with its own, and its context."""
    doubts = findings.doubts
    left = max(len(doubt.given) for doubt in doubts)
    right = max(len(doubt.suggested) for doubt in doubts)
    for doubt in doubts:
        given = f"{printable(doubt.given):<{left}} {doubt.score:4.2f}"
        suggested = f"{printable(doubt.suggested):<{right}} {doubt.suggested_score:4.2f}"
        head = f"  {given} -> {suggested}   "
        yield head + in_context(findings.relabelled[doubt.sentence], doubt.token, max(20, width - len(head) - 8))

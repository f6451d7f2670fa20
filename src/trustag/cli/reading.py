"""The options that every command which reads a corpus shares."""

import functools
from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from trustag.corpora.locating import CorpusOptions
from trustag.files.formats import ReadOptions
from trustag.files.registry import FORMATS

Command = TypeVar("Command", bound=Callable[..., Any])

FORMAT_NAMES: Final = tuple(FORMATS)
_DELIMITERS: Final = {"space": " ", "tab": "\t"}


def reading_options(command: Command) -> Command:
    """Give ``command`` the options that say how to read its input, passed to it as ``reading``."""

    @functools.wraps(command)
    def with_reading(*args: Any, **kwargs: Any) -> Any:
        columns = kwargs.pop("columns")
        delimiter = kwargs.pop("delimiter")
        options = ReadOptions(
            columns=tuple(columns.split(",")) if columns else None,
            delimiter=_DELIMITERS[delimiter] if delimiter else None,
            tokenizer=kwargs.pop("tokenizer"),
            split_lines=kwargs.pop("split_lines"),
            label_studio=kwargs.pop("take"),
        )
        reading = CorpusOptions(kwargs.pop("from_format"), kwargs.pop("encoding"), options)
        return command(*args, reading=reading, **kwargs)

    for option in reversed(_OPTIONS):
        with_reading = option(with_reading)
    return with_reading  # type: ignore[return-value] # click adds parameters and keeps the function


_OPTIONS: Final = [
    click.option(
        "--from", "from_format", type=click.Choice(["auto", *FORMAT_NAMES]), default="auto", help="Format of the input."
    ),
    click.option("--encoding", default="utf-8", show_default=True, help="Encoding of text files."),
    click.option(
        "--columns",
        metavar="NAMES",
        help="CoNLL columns by name, such as token,pos,label or token,label,gold; _ ignores one. Default: detected.",
    ),
    click.option(
        "--delimiter", type=click.Choice(list(_DELIMITERS)), help="What sets CoNLL columns apart. Default: detected."
    ),
    click.option(
        "--tokenizer",
        type=click.Choice(["auto", "regex", "whitespace", "spacy"]),
        default="auto",
        help="How to cut raw text into tokens; auto takes the file's own tokens where it has them, else regex.",
    ),
    click.option("--split-lines", is_flag=True, help="Make every line of a raw text a sentence of its own."),
    click.option(
        "--take",
        type=click.Choice(["auto", "annotations", "predictions"]),
        default="auto",
        help="Which labels to take from Label Studio files.",
    ),
]

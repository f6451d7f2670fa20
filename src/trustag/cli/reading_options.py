"""The options shared by all commands that read a corpus."""

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import click

from trustag.corpora.locating import CorpusOptions
from trustag.corpora.texts import TOKENS
from trustag.files.formats import ReadOptions
from trustag.files.registry import FORMATS
from trustag.files.sniffing import PLAIN_TEXT
from trustag.files.tokenizers import tokenizer_named

Command = TypeVar("Command", bound=Callable[..., Any])

FORMAT_NAMES: Final = tuple(FORMATS)
_DELIMITERS: Final = {"space": " ", "tab": "\t", "comma": ",", "semicolon": ";"}


def reading_options(command: Command) -> Command:
    """Add the options on how to read a corpus to ``command``, passed to it as ``reading``."""
    return _with_options(command, [_from(["auto", *FORMAT_NAMES], "Format of the input."), *_OPTIONS])


def text_options(command: Command) -> Command:
    """Add the options on how to read texts or a corpus to ``command``, passed to it as ``reading``."""
    explained = "Format of the input: text (one per line), tokens (separated by spaces), or that of a corpus."
    return _with_options(command, [_from(["auto", PLAIN_TEXT, TOKENS, *FORMAT_NAMES], explained), *_OPTIONS])


def _from(choices: Sequence[str], explained: str) -> Callable[[Any], Any]:
    return click.option("--from", "from_format", type=click.Choice(choices), default="auto", help=explained)


def _with_options(command: Command, options: Sequence[Callable[[Any], Any]]) -> Command:
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
            occurrences=kwargs.pop("occurrences"),
        )
        reading = CorpusOptions(kwargs.pop("from_format"), kwargs.pop("encoding"), options)
        return command(*args, reading=reading, **kwargs)

    for option in reversed(options):
        with_reading = option(with_reading)
    return with_reading  # type: ignore[return-value] # click adds parameters and keeps the function


def _known_tokenizer(context: click.Context, parameter: click.Parameter, name: str) -> str:  # noqa: ARG001
    """Return the name of a tokenizer; one that cannot be loaded is an error, whether the format needs it or not."""
    tokenizer_named(name)
    return name


_OPTIONS: Final = [
    click.option("--encoding", default="utf-8", show_default=True, help="Encoding of text files."),
    click.option(
        "--columns",
        metavar="NAMES",
        help="Columns of CoNLL or CSV by name: token,pos,label or sentence,token,label,gold; _ ignores one. "
        "Default: detected.",
    ),
    click.option(
        "--delimiter",
        type=click.Choice(list(_DELIMITERS)),
        help="Separator of the columns of CoNLL or CSV. Default: detected.",
    ),
    click.option(
        "--tokenizer",
        metavar="NAME",
        default="auto",
        callback=_known_tokenizer,
        help="How to split raw text into tokens: regex, characters, whitespace, spacy, spacy:NAME (a language or "
        "pipeline), or a function package.module:NAME. Default: the tokens in the file, else characters, which differs "
        "from regex only in scripts without spaces between words.",
    ),
    click.option("--split-lines", is_flag=True, help="Treat every line of raw text as a sentence."),
    click.option(
        "--take",
        type=click.Choice(["auto", "annotations", "predictions"]),
        default="auto",
        help="Which labels to read from Label Studio files.",
    ),
    click.option(
        "--occurrences",
        type=click.Choice(["unknown", "first", "all"]),
        default="unknown",
        help="For entities listed by their words: labels of further places with these words: unknown, O (first), or "
        "entities too (all). Default: unknown.",
    ),
]

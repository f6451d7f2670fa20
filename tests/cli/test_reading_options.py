"""The options on how to read a corpus."""

import click
from click.testing import CliRunner

from trustag.cli.reading_options import reading_options
from trustag.corpora.locating import CorpusOptions
from trustag.files.formats import ReadOptions


def read_with(*arguments: str) -> CorpusOptions:
    """Return what a command gets for these arguments."""
    taken: list[CorpusOptions] = []

    @click.command()
    @reading_options
    def command(reading: CorpusOptions) -> None:
        taken.append(reading)

    CliRunner().invoke(command, list(arguments), catch_exceptions=False)
    return taken[0]


def test_without_options_everything_is_detected() -> None:
    assert read_with() == CorpusOptions("auto", "utf-8", ReadOptions())


def test_options_become_values() -> None:
    reading = read_with("--from", "conll", "--encoding", "latin-1", "--columns", "token,_,label", "--delimiter", "tab")
    assert (reading.format, reading.encoding) == ("conll", "latin-1")
    assert (reading.options.columns, reading.options.delimiter) == (("token", "_", "label"), "\t")

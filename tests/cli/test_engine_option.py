"""``--engine``: what a command is given, and how mistakes are reported."""

import click
import pytest
from click.testing import CliRunner

from trustag.cli.engine_option import chosen_engine, engine_option
from trustag.engines.choice import EngineChoice, read_engine


@click.command()
@engine_option
@click.option("--workers", type=int)
def work(engine: EngineChoice | None, workers: int | None) -> None:
    click.echo(repr(chosen_engine(engine, workers)))


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ([], "local"),
        (["--engine", "local:3"], "local:3"),
        (["--workers", "3"], "local:3"),
        (["--engine", "ray:ray://a:1?cpus=2"], "ray:ray://a:1?cpus=2"),
    ],
)
def test_a_command_is_given_the_engine(options: list[str], named: str) -> None:
    result = CliRunner().invoke(work, options)
    assert result.output == f"{read_engine(named)!r}\n"


def test_an_unknown_engine_is_a_usage_error_that_names_the_option() -> None:
    result = CliRunner().invoke(work, ["--engine", "spark"])
    assert result.exit_code == 2
    assert "'--engine': no engine 'spark'; choose local" in result.output


def test_workers_and_an_engine_contradict_each_other() -> None:
    result = CliRunner().invoke(work, ["--engine", "local:2", "--workers", "2"])
    assert result.exit_code == 2
    assert "give one of them" in result.output


def test_help_names_the_forms() -> None:
    assert "--engine local[:N]|ray[:ADDRESS]" in CliRunner().invoke(work, ["--help"]).output

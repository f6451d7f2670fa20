"""The option shared by all commands whose work can be done elsewhere: ``--engine``."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from trustag.engines.choice import FORMS, EngineChoice, read_engine
from trustag.errors import InputError

Command = TypeVar("Command", bound=Callable[..., Any])


class EngineType(click.ParamType[EngineChoice]):
    """Turns the text of ``--engine`` into a choice; one that names no engine is a usage error."""

    name = "engine"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> EngineChoice:
        """Return the engine that was named."""
        if isinstance(value, EngineChoice):
            return value
        try:
            return read_engine(value)
        except InputError as error:
            self.fail(str(error), param, ctx)


def engine_option(command: Command) -> Command:
    """Add ``--engine`` to ``command``, passed to it as ``engine``: a choice, or None if the option was not given."""
    return click.option(
        "--engine",
        type=EngineType(),
        metavar=FORMS,
        help="Where the work is done: in N processes of this machine, or on a Ray cluster (docs/scaling.md).",
    )(command)


def chosen_engine(engine: EngineChoice | None, workers: int | None = None) -> EngineChoice:
    """Return the engine of ``--engine``, or of ``--workers``, which is short for local workers; not both.

    Without either, one worker per core.
    """
    if engine is not None and workers is not None:
        raise click.UsageError("--workers N is short for --engine local:N; give one of them")
    return engine or read_engine("local" if workers is None else f"local:{workers}")

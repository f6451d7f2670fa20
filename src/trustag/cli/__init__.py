"""The command line: parse options, call one library function, print. The only package that prints.

There is one module per command, imported only when the command is called, so that help appears at once.
"""

import difflib
import importlib
import importlib.metadata
import os
import platform
import sys
from typing import Final, NoReturn

import click
from click.shell_completion import CompletionItem, shell_complete

from trustag._version import __version__
from trustag.errors import InputError, TrustagError, is_out_of_memory, printable

# name: (module and function, one line of help); listed in the order a newcomer needs them
COMMANDS: Final = {
    "doctor": ("trustag.cli.doctor:doctor", "Describe a labelled corpus and what is wrong with it."),
    "convert": ("trustag.cli.convert:convert", "Convert a labelled corpus to another format or tagging scheme."),
    "label": ("trustag.cli.label:label", "Label raw text by lists of names; every label keeps its source."),
    "score": ("trustag.cli.score:score", "Compare labels with gold labels, entity by entity."),
    "merge": ("trustag.cli.merge:merge_sources", "Merge the labels of several annotators, models or dictionaries."),
    "train": ("trustag.cli.train:train", "Train on labels you only partly trust, and find those that look wrong."),
    "issues": ("trustag.cli.issues:issues", "List the labels that look wrong, worst first, with suggestions."),
    "review": ("trustag.cli.review:review", "Review doubtful labels in a browser, alone or with others."),
    "advise": ("trustag.cli.advise:advise", "Say what reviewing more would bring, and which sentences to review."),
    "apply": ("trustag.cli.apply:apply_decisions", "Write the corpus of a run with all review decisions applied."),
    "evaluate": ("trustag.cli.evaluate:evaluate", "Score a model on a labelled corpus."),
    "predict": ("trustag.cli.predict:predict", "Find the entities in texts, with exact probabilities."),
    "export": ("trustag.cli.export:export", "Write a model as an ONNX graph, for use without torch."),
    "serve": ("trustag.cli.serve:serve", "Serve a model over HTTP, with a page to try sentences."),
    "report": ("trustag.cli.report:report", "Write the findings of a run as one HTML page."),
    "compare": ("trustag.cli.compare:compare", "Compare runs: scores, noise, changes, settings."),
    "experiment": (
        "trustag.cli.experiments:experiment",
        "Train methods on corpora with several seeds, and compare them.",
    ),
    "figures": ("trustag.cli.figures:figures", "Draw the figures of runs, with the numbers behind each."),
    "recipes": ("trustag.cli.recipes:recipes", "List the shipped recipes and explain every setting."),
    "vectors": ("trustag.cli.vectors:vectors", "List, download and inspect word vectors."),
    "perturb": ("trustag.cli.perturb:perturb", "Add controlled noise to a clean corpus."),
}


class LazyCommands(click.Group):
    """A group that lists its commands by name and imports one only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in the order of the help text."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return one command."""
        if cmd_name not in COMMANDS:
            return None
        module, _, function = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), function)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or suggest the one that was probably meant."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            close = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"known: {', '.join(COMMANDS)}"
            raise click.UsageError(f"no such command '{args[0]}'; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that begin with ``incomplete``, without importing any of them."""
        commands = [
            CompletionItem(name, help=summary) for name, (_, summary) in COMMANDS.items() if name.startswith(incomplete)
        ]
        # Those of a command are its options; those of a group would import all its commands.
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


def show_version(context: click.Context, parameter: click.Parameter, asked: bool) -> None:  # noqa: ARG001
    """Print the version and those of Python and torch, which results depend on, and exit."""
    if not asked or context.resilient_parsing:
        return
    try:
        torch = f"torch {importlib.metadata.version('torch')}"  # importing it would take a second
    except importlib.metadata.PackageNotFoundError:
        torch = "torch not installed"
    click.echo(f"trustag {__version__} (Python {platform.python_version()}, {torch})")
    context.exit()


@click.group(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_version,
    help="Show the version, and those of Python and torch.",
)
@click.option(
    "--import",
    "modules",
    multiple=True,
    metavar="MODULE",
    help="Import a module that defines heads or encoders of your own.",
)
def trustag(modules: tuple[str, ...]) -> None:
    """Train named-entity recognisers from labels you only partly trust, and learn which labels not to trust.

    A corpus is a file, a folder with train, dev and test files, the name "demo" for the built-in corpus, or - for
    standard input. Add :train, :dev or :test to a folder or to "demo" to select one split.
    """
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise InputError(f"--import {module}: {error}", remedy="check the name and the path") from None


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command line; exits with 0 on success, 1 when problems were found, 2 when the input is unusable."""
    complete = os.environ.get("_TRUSTAG_COMPLETE")
    if complete:
        sys.exit(shell_complete(trustag, {}, "trustag", "_TRUSTAG_COMPLETE", complete))
    try:
        # Not click's own main, which treats a closed pipe as a failure.
        with trustag.make_context("trustag", sys.argv[1:] if args is None else args) as context:
            trustag.invoke(context)
        sys.stdout.flush()
        sys.exit(0)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.exceptions.Exit as leaving:
        sys.exit(leaving.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("trustag: interrupted", err=True)
        sys.exit(130)
    except TrustagError as error:
        click.echo(f"trustag: {error}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output has exited (``| head``): no error, and Python must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        said = _in_one_line(error)
        if said is None:
            raise
        click.echo(f"trustag: {said}", err=True)
        # What could not be written to standard output must not be written again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)


def _in_one_line(error: Exception) -> str | None:
    """Return what to say of an error of the system; None for any other error, which is a fault of the program."""
    if is_out_of_memory(error):
        return "there is not enough memory; close other programs, use --workers 1 or smaller batches, then try again"
    if isinstance(error, OSError):
        where = f"{printable(str(error.filename))}: " if error.filename else ""
        return f"{where}{error.strerror or error}; free some space or check the disk, then try again"
    return None

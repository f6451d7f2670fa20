"""The command line: parse, call one library function, print. The only room that prints.

Commands live one a module and are imported only when called, so that help stays instant.
"""

import difflib
import importlib
import os
import sys
from typing import Final, NoReturn

import click

from trustag._version import __version__
from trustag.errors import TrustagError

# name: (module and function, one line of help); listed in the order a newcomer needs them
COMMANDS: Final = {
    "doctor": ("trustag.cli.doctor:doctor", "Say what a labelled corpus holds and what is wrong with it."),
    "convert": ("trustag.cli.convert:convert", "Turn a labelled corpus into another format or tagging scheme."),
    "score": ("trustag.cli.score:score", "Compare a labelling with the gold one, entity by entity."),
    "train": ("trustag.cli.train:train", "Train on labels you only partly trust, and learn which look wrong."),
    "issues": ("trustag.cli.issues:issues", "List the labels that look wrong, worst first, with what they should be."),
    "review": ("trustag.cli.review:review", "Decide on doubtful labels in a browser, alone or with others."),
    "apply": ("trustag.cli.apply:apply_decisions", "Write the corpus of a run with everything that was decided."),
    "evaluate": ("trustag.cli.evaluate:evaluate", "Score a model on a labelled corpus."),
    "predict": ("trustag.cli.predict:predict", "Find the entities in texts, with exact probabilities."),
    "report": ("trustag.cli.report:report", "Show what a run found, as one HTML page."),
    "compare": ("trustag.cli.compare:compare", "Put runs side by side: scores, noise, changes, settings."),
    "figures": ("trustag.cli.figures:figures", "Draw what runs left behind, with the numbers beside each picture."),
    "recipes": ("trustag.cli.recipes:recipes", "List the shipped recipes and explain every setting."),
    "vectors": ("trustag.cli.vectors:vectors", "List, fetch and inspect word vectors."),
    "perturb": ("trustag.cli.perturb:perturb", "Damage a clean corpus in a controlled way."),
}


class LazyCommands(click.Group):
    """A group that knows its commands by name and loads one only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in reading order."""
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
        """Find the command, or say which one was probably meant."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            close = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"known: {', '.join(COMMANDS)}"
            raise click.UsageError(f"no such command '{args[0]}'; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.group(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", prog_name="trustag")
def trustag() -> None:
    """Train named-entity recognisers from labels you only partly trust, and learn which labels not to trust.

    Wherever a corpus is asked for, give a file, a folder with train, dev and test files, the name "demo" for the
    built-in corpus, or - for standard input. Add :train, :dev or :test to a folder or to "demo" for one split.
    """


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command line; exits with 0 when all is well, 1 when something was found, 2 when the input is unusable."""
    try:
        # Not click's own main: it takes a closed pipe for a failure.
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
        # The reader of our output has gone (``| head``): nothing is wrong, and Python must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        click.echo(f"trustag: {place}{error.strerror or error}; make room or mend the disk, and try again", err=True)
        # What could not be written to standard output must not be tried again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)

"""``trustag doctor``: the contents of a corpus and what is wrong with it."""

import sys
import textwrap
from collections.abc import Iterator

import click

from trustag.cli.notes_on_screen import NotesOnScreen, notes_option
from trustag.cli.output import aligned, as_json
from trustag.cli.reading_options import reading_options
from trustag.corpora.checks import Finding
from trustag.corpora.examination import Examination, SplitFacts, examine
from trustag.corpora.locating import CorpusOptions, locate


@click.command()
@click.argument("corpora", metavar="CORPUS...", nargs=-1, required=True)
@reading_options
@click.option("--top", default=5, show_default=True, help="How many examples to show for each finding.")
@notes_option
@click.option("--json", "json_output", is_flag=True, help="Print everything as JSON, with every example.")
def doctor(corpora: tuple[str, ...], reading: CorpusOptions, top: int, notes: NotesOnScreen, json_output: bool) -> None:
    """Describe each CORPUS (format, scheme, counts, labels) and what is wrong with it.

    Checks for illegal labels, empty and overlong sentences, duplicate sentences within and across splits,
    contradictory labels, signs of a wrong encoding, and words with several labels. Exits with 1 if there are errors,
    with 0 if there are none or only warnings.

    \b
    trustag doctor train.conll dev.conll test.conll
    trustag doctor demo
    """
    with notes:
        examination = examine([locate(name, reading) for name in corpora], notes)
    if json_output:
        click.echo(
            as_json({"healthy": examination.is_healthy, "splits": examination.splits, "findings": examination.findings})
        )
    else:
        click.echo("\n".join(_report(examination, top)))
    sys.exit(0 if examination.is_healthy else 1)


def _report(examination: Examination, top: int) -> Iterator[str]:
    yield from _overview(examination.splits)
    for facts in examination.splits:
        yield ""
        yield from _split_report(facts)
    for severity, title in (("wrong", "Errors"), ("look", "Warnings")):
        findings = [finding for finding in examination.findings if finding.severity == severity]
        if findings:
            yield ""
            yield click.style(title, bold=True)
            for finding in findings:
                yield from _finding_report(finding, top)
    yield ""
    wrong = sum(finding.severity == "wrong" for finding in examination.findings)
    yield "No errors found." if not wrong else f"{wrong} kind{'s' if wrong > 1 else ''} of errors found."


def _overview(splits: tuple[SplitFacts, ...]) -> Iterator[str]:
    header = ("corpus", "format", "scheme", "sentences", "tokens", "entities", "unknown", "longest")
    rows = [
        (
            facts.name,
            facts.format,
            str(facts.scheme),
            f"{facts.sentences:,}",
            f"{facts.tokens:,}",
            f"{facts.entities:,}",
            f"{facts.unknown_labels:,}",
            f"{facts.longest:,}",
        )
        for facts in splits
    ]
    yield from aligned([header, *rows], left=3, header=True)


def _split_report(facts: SplitFacts) -> Iterator[str]:
    yield click.style(facts.name, bold=True)
    yield from _listed("entities", [f"{kind} {count:,}" for kind, count in facts.types.items()])
    shares = [f"{label} {count:,} ({count / facts.tokens:.1%})" for label, count in facts.labels.items()]
    yield from _listed("labels", shares)
    if facts.noise is not None:
        noise = facts.noise
        quality = f"precision {noise.entities.precision:.3f}, recall {noise.entities.recall:.3f}"
        yield f"  noise     against the gold column: entity {quality};"
        yield f"            wrong entity labels {noise.tau_p:.3f}, O labels that miss an entity {noise.tau_n:.3f}"


def _listed(title: str, items: list[str]) -> Iterator[str]:
    """Yield ``items`` in lines that fit a terminal, never broken within an item."""
    glued = "  ".join(item.replace(" ", "\0") for item in items) or "none"
    for number, line in enumerate(textwrap.wrap(glued, width=88, break_on_hyphens=False, break_long_words=False)):
        yield f"  {title if number == 0 else '':<9} {line}".replace("\0", " ")


def _finding_report(finding: Finding, top: int) -> Iterator[str]:
    yield f"  {finding.check}: {finding.count:,}; {finding.advice}"
    for source, detail in finding.places[:top]:
        yield f"      {source}: {detail}" if source is not None else f"      {detail}"
    if finding.count > top:
        yield f"      ... and {finding.count - top:,} more (shown with --top N or --json)"

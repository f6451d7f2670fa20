"""``trustag apply``: the corpus of a run with what people decided."""

from collections import Counter
from pathlib import Path

import click

from trustag.cli.notes import NotesOnScreen, notes_option
from trustag.cli.reading import FORMAT_NAMES
from trustag.corpora.conversion import Conversion, convert
from trustag.corpora.locating import LocatedCorpus
from trustag.errors import InputError
from trustag.files.inputs import STANDARD_STREAM
from trustag.files.json_records import write_json_line
from trustag.files.outputs import new_file
from trustag.notes import Watch
from trustag.review.answers import read_answers
from trustag.review.applying import Corrected, correct
from trustag.review.decisions import Decision, DecisionLog
from trustag.review.reviewed_run import ReviewedRun, open_reviewed_run
from trustag.review.standing import folded
from trustag.text.sentences import GIVEN, REVIEWED


@click.command("apply")
@click.argument("run", metavar="RUN", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Corpus to write; - for screen.")
@click.option(
    "--to",
    "--format",
    "to_format",
    type=click.Choice(FORMAT_NAMES),
    help="Format to write. Default: told by the output's name.",
)
@click.option(
    "--changes",
    "changes_file",
    type=click.Path(path_type=Path),
    help="Where to list every decision and what it changed, as JSON lines. Default: OUTPUT.changes.jsonl.",
)
@click.option(
    "--answers",
    "answer_files",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Answers from Label Studio, doccano or Prodigy, or exported decisions; repeatable, the last one counts.",
)
@click.option(
    "--answers-format",
    type=click.Choice(["auto", "label-studio", "doccano", "prodigy"]),
    default="auto",
    show_default=True,
    help="Format of the answers.",
)
@click.option("--overwrite", is_flag=True, help="Replace what exists.")
@notes_option
def apply_decisions(
    run: Path,
    output: Path,
    to_format: str | None,
    changes_file: Path | None,
    answer_files: tuple[Path, ...],
    answers_format: str,
    overwrite: bool,
    notes: NotesOnScreen,
) -> None:
    """Write the training corpus of RUN with everything that was decided on its review page, or in other tools.

    Labels that were accepted, edited or confirmed are marked as reviewed where the format has room for it (CoNLL and
    JSON Lines have), and training trusts them for good: they are never ranked, never relabelled.

    \b
    trustag apply run -o corrected.conll
    trustag apply run -o corrected.jsonl --answers label-studio-export.json
    """
    with notes:
        reviewed = open_reviewed_run(run)
        decisions = [*_decided(reviewed), *_answered(reviewed, answer_files, answers_format, notes)]
        if not decisions:
            raise InputError(
                "nothing is decided yet", where=run, remedy="decide with trustag review, or give --answers FILE"
            )
        corrected = correct(reviewed.sentences, decisions, reviewed.scheme, notes)
        account = changes_file or _beside(output)
        conversion = Conversion(format=to_format, overwrite=overwrite)
        located = LocatedCorpus(str(run), "jsonl", {"train": lambda _: iter(corrected.sentences)}, is_single_file=True)
        if account is None:
            convert(located, output, conversion, notes)
        else:
            with new_file(account, overwrite=overwrite) as stream:
                for change in corrected.changes:
                    write_json_line(stream, change.as_record())
                convert(located, output, conversion, notes)
    click.echo("\n".join(_in_words(corrected, output, account)), err=output == STANDARD_STREAM)


def _decided(run: ReviewedRun) -> list[Decision]:
    if not run.decisions.exists():
        return []
    log = DecisionLog(run.decisions, run.fingerprint)
    try:
        return folded(log.entries()).final_decisions()
    finally:
        log.close()


def _answered(run: ReviewedRun, files: tuple[Path, ...], reading: str, watch: Watch) -> list[Decision]:
    return [decision for file in files for decision in read_answers(file, run, reading, watch)]


def _beside(output: Path) -> Path | None:
    return None if output == STANDARD_STREAM else output.with_name(f"{output.name}.changes.jsonl")


def _in_words(corrected: Corrected, output: Path, account: Path | None) -> list[str]:
    counts: Counter[str] = Counter(change.decision.verdict for change in corrected.changes)
    said = {"accepted": "suggestions accepted", "edited": "edited", "rejected": "given labels confirmed"}
    kinds = ", ".join(f"{counts[verdict]:,} {words}" for verdict, words in said.items() if counts[verdict])
    labels = sum(change.changed for change in corrected.changes)
    lines = [f"{output}: {len(corrected.changes):,} decisions ({kinds}), {labels:,} labels changed"]
    if account is not None:
        lines.append(f"every one of them: {account}")
    sources = {source for sentence in corrected.sentences for source in sentence.token_sources or ()}
    if sources - {GIVEN, REVIEWED}:
        lines.append(
            "labels have sources of their own: name the columns of CoNLL text to read them (--columns ...,source)"
        )
    return lines

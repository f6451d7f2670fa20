"""``trustag apply``: the training corpus of a run, corrected by review decisions."""

from collections import Counter
from contextlib import nullcontext
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
from trustag.review.applying import CorrectedCorpus, correct
from trustag.review.decisions import DecisionLog
from trustag.review.entries import ReviewDecision
from trustag.review.reviewed_run import ReviewedRun, open_reviewed_run
from trustag.review.state import replay
from trustag.runs.folder import RunFolder, require_run
from trustag.runs.writer_lock import only_writer
from trustag.text.sentences import GIVEN, REVIEWED


@click.command("apply")
@click.argument("run", metavar="RUN", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="Corpus to write; - for standard output."
)
@click.option(
    "--to",
    "--format",
    "to_format",
    type=click.Choice(FORMAT_NAMES),
    help="Format to write. Default: chosen by the name of the output.",
)
@click.option(
    "--changes",
    "changes_file",
    type=click.Path(path_type=Path),
    help="File for a list of all decisions and what they changed, as JSON lines. Default: OUTPUT.changes.jsonl.",
)
@click.option(
    "--answers",
    "answer_files",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Answers from Label Studio, doccano or Prodigy, or exported decisions. Repeatable; later files win.",
)
@click.option(
    "--answers-format",
    type=click.Choice(["auto", "label-studio", "doccano", "prodigy"]),
    default="auto",
    show_default=True,
    help="Format of the answers.",
)
@click.option("--overwrite", is_flag=True, help="Replace existing files.")
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
    """Write the training corpus of RUN with all decisions from its review page or from other tools applied.

    Labels that were accepted, edited or confirmed are marked as reviewed if the format can store that (CoNLL and JSON
    Lines can). Training always trusts reviewed labels: it never ranks or relabels them.

    \b
    trustag apply run -o corrected.conll
    trustag apply run -o corrected.jsonl --answers label-studio-export.json
    """
    require_run(run)
    # Without decisions of its own there is nothing in the run that a review could be changing.
    lock = only_writer(run, "trustag apply") if RunFolder(run).decisions.exists() else nullcontext()
    with lock, notes:
        reviewed = open_reviewed_run(run)
        decisions = [*_page_decisions(reviewed), *_answer_decisions(reviewed, answer_files, answers_format, notes)]
        if not decisions:
            raise InputError(
                "no decisions yet", where=run, remedy="review the run with trustag review, or give --answers FILE"
            )
        corrected = correct(reviewed.sentences, decisions, reviewed.scheme, notes)
        changes_path = changes_file or _default_changes_path(output)
        conversion = Conversion(format=to_format, overwrite=overwrite)
        located = LocatedCorpus(str(run), "jsonl", {"train": lambda _: iter(corrected.sentences)}, is_single_file=True)
        if changes_path is None:
            convert(located, output, conversion, notes)
        else:
            with new_file(changes_path, overwrite=overwrite) as stream:
                for change in corrected.changes:
                    write_json_line(stream, change.as_record())
                convert(located, output, conversion, notes)
    click.echo("\n".join(_summary(corrected, output, changes_path)), err=output == STANDARD_STREAM)


def _page_decisions(run: ReviewedRun) -> list[ReviewDecision]:
    if not run.decisions.exists():
        return []
    log = DecisionLog(run.decisions, run.fingerprint, run.older_fingerprint)
    try:
        return replay(log.entries()).final_decisions()
    finally:
        log.close()


def _answer_decisions(run: ReviewedRun, files: tuple[Path, ...], reading: str, watch: Watch) -> list[ReviewDecision]:
    return [decision for file in files for decision in read_answers(file, run, reading, watch)]


def _default_changes_path(output: Path) -> Path | None:
    return None if output == STANDARD_STREAM else output.with_name(f"{output.name}.changes.jsonl")


def _summary(corrected: CorrectedCorpus, output: Path, changes_path: Path | None) -> list[str]:
    counts: Counter[str] = Counter(change.decision.verdict for change in corrected.changes)
    phrases = {"accepted": "suggestions accepted", "edited": "edited", "rejected": "given labels confirmed"}
    kinds = ", ".join(f"{counts[verdict]:,} {words}" for verdict, words in phrases.items() if counts[verdict])
    labels = sum(change.changed for change in corrected.changes)
    lines = [f"{output}: {len(corrected.changes):,} decisions ({kinds}), {labels:,} labels changed"]
    if changes_path is not None:
        lines.append(f"list of changes: {changes_path}")
    sources = {source for sentence in corrected.sentences for source in sentence.token_sources or ()}
    if sources - {GIVEN, REVIEWED}:
        lines.append(
            "the corpus has label sources of its own: to read them from CoNLL text, name the columns "
            "(--columns ...,source)"
        )
    return lines

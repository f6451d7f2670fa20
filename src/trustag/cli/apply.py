"""``trustag apply``: a corpus corrected by review decisions, those of a run or rules on forms."""

from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import click

from trustag.cli.notes_on_screen import NotesOnScreen, notes_option
from trustag.cli.reading_options import FORMAT_NAMES, reading_options
from trustag.corpora.conversion import Conversion, convert
from trustag.corpora.locating import CorpusOptions, LocatedCorpus, stream
from trustag.corpora.survey import Survey
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
from trustag.review.rules import apply_rules, read_rules
from trustag.review.state import replay
from trustag.runs.folder import RunFolder
from trustag.runs.writer_lock import only_writer
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence, is_source_name


@dataclass(frozen=True, slots=True)
class _Target:
    """What is corrected: sentences in their scheme, and the decisions made on them one by one."""

    sentences: tuple[Sentence, ...]
    scheme: Scheme
    decisions: tuple[ReviewDecision, ...] = ()


@click.command("apply")
@click.argument("source", metavar="RUN|CORPUS", type=click.Path(path_type=Path))
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
    "--rules",
    "rules_file",
    type=click.Path(path_type=Path),
    help="Decisions on forms, exported by trustag review; decisions on single places come after them.",
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
@reading_options
@notes_option
def apply_decisions(
    source: Path,
    output: Path,
    to_format: str | None,
    changes_file: Path | None,
    rules_file: Path | None,
    answer_files: tuple[Path, ...],
    answers_format: str,
    overwrite: bool,
    reading: CorpusOptions,
    notes: NotesOnScreen,
) -> None:
    """Write the training corpus of RUN with all decisions from its review page or from other tools applied.

    Labels that were accepted, edited or confirmed are marked as reviewed if the format can store that (CoNLL and JSON
    Lines can). Training always trusts reviewed labels: it never ranks or relabels them.

    With --rules, decisions on forms are applied wherever these occur, in RUN or in any CORPUS that was labelled by the
    same dictionary.

    \b
    trustag apply run -o corrected.conll
    trustag apply run -o corrected.jsonl --answers label-studio-export.json
    trustag apply other.conll --rules rules.toml -o corrected.conll
    """
    # Without decisions of its own there is nothing in a run that a review could be changing.
    lock = only_writer(source, "trustag apply") if RunFolder(source).decisions.exists() else nullcontext()
    with lock, notes:
        rules = None if rules_file is None else read_rules(rules_file)
        if RunFolder(source).manifest.is_file() or rules is None:
            target = _run_target(source, reading, answer_files, answers_format, notes)
        else:
            target = _corpus_target(source, reading, answer_files, notes)
        by_rules = [] if rules is None else apply_rules(rules, target.sentences, notes)
        decisions = [*by_rules, *target.decisions]
        if not decisions:
            raise _nothing_to_apply(source, rules_file)
        corrected = correct(target.sentences, decisions, target.scheme, notes)
        changes_path = changes_file or _default_changes_path(output)
        conversion = Conversion(format=to_format, overwrite=overwrite)
        located = LocatedCorpus(
            str(source), "jsonl", {"train": lambda _: iter(corrected.sentences)}, is_single_file=True
        )
        if changes_path is None:
            convert(located, output, conversion, notes)
        else:
            with new_file(changes_path, overwrite=overwrite) as stream_out:
                for change in corrected.changes:
                    write_json_line(stream_out, change.as_record())
                convert(located, output, conversion, notes)
    click.echo("\n".join(_summary(corrected, output, changes_path)), err=output == STANDARD_STREAM)


def _run_target(
    path: Path, reading: CorpusOptions, answer_files: tuple[Path, ...], answers_format: str, watch: Watch
) -> _Target:
    if reading != CorpusOptions():
        raise InputError("a run is read as it was written", where=path, remedy="omit the options on reading")
    run = open_reviewed_run(path)
    answers = (decision for file in answer_files for decision in read_answers(file, run, answers_format, watch))
    return _Target(run.sentences, run.scheme, (*_page_decisions(run), *answers))


def _corpus_target(path: Path, reading: CorpusOptions, answer_files: tuple[Path, ...], watch: Watch) -> _Target:
    if answer_files:
        raise InputError("answers belong to a run, and this is none", where=path, remedy="omit --answers")
    sentences = tuple(stream(str(path), reading, watch))
    return _Target(sentences, Survey().add(sentences).scheme.scheme)


def _nothing_to_apply(source: Path, rules: Path | None) -> InputError:
    if rules is not None:
        return InputError(f"no rule of {rules} decides anything", where=source, remedy="check that forms are the same")
    remedy = "review the run with trustag review, or give --answers FILE or --rules FILE"
    return InputError("no decisions yet", where=source, remedy=remedy)


def _page_decisions(run: ReviewedRun) -> list[ReviewDecision]:
    if not run.decisions.exists():
        return []
    log = DecisionLog(run.decisions, run.fingerprint, run.older_fingerprint)
    try:
        return replay(log.entries()).final_decisions()
    finally:
        log.close()


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
    if not all(map(is_source_name, sources)):
        lines.append(
            "the corpus has label sources of its own: to read them from CoNLL text, name the columns "
            "(--columns ...,source)"
        )
    return lines

"""Corpora that a run leaves in its folder: as it was given, and as it was relabelled."""

from collections.abc import Sequence
from pathlib import Path

from trustag.corpora.conversion import write_corpus
from trustag.errors import DiskFullError, InputError
from trustag.files.formats import WriteOptions
from trustag.files.registry import find_format
from trustag.notes import Note, Watch, unwatched
from trustag.runs.folder import RunFolder
from trustag.runs.places import write_places
from trustag.text.sentences import Sentence


def write_given(run: RunFolder, sentences: Sequence[Sentence]) -> None:
    """Write the training corpus as the run took it in, and where each sentence comes from."""
    _write_as("jsonl", run.given, sentences)
    write_places(run.places, sentences)


def write_relabelled(run: RunFolder, sentences: Sequence[Sentence], watch: Watch) -> None:
    """Write the corpus as CoNLL text, or as JSON lines where a token does not fit into that."""
    try:
        _write_as("conll", run.relabelled_text, sentences)
    except DiskFullError:
        raise
    except InputError as refusal:
        run.relabelled_text.unlink(missing_ok=True)
        _write_as("jsonl", run.relabelled_lines, sentences)
        watch(Note("info", "the relabelled corpus is written as JSON lines", refusal.finding))
    else:
        run.relabelled_lines.unlink(missing_ok=True)


def _write_as(name: str, path: Path, sentences: Sequence[Sentence]) -> None:
    write_corpus({"train": sentences}, path, find_format(name), WriteOptions(), overwrite=True, watch=unwatched)

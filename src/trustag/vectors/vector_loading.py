"""Load the vectors of the words of a text, from a file or from stored vectors."""

import difflib
from collections.abc import Collection
from pathlib import Path

from trustag.errors import InputError
from trustag.files.inputs import STANDARD_STREAM, InputFile
from trustag.notes import Watch, unwatched
from trustag.vectors.encoder_sources import ENCODERS
from trustag.vectors.sources import SOURCES
from trustag.vectors.storing import TEXT_FILE, StoredVectors, checked_files, describe, load_table, stored_names
from trustag.vectors.tables import vectors_for
from trustag.vectors.text_files import read_vectors
from trustag.vectors.word_vectors import DEFAULT_LOOKUP, Lookup, WordVectors, concatenate_vectors


def load_vectors(
    name: str,
    words: Collection[str] | None,
    lookup: Lookup = DEFAULT_LOOKUP,
    also_first: int = 0,
    watch: Watch = unwatched,
) -> WordVectors:
    """Return the vectors of ``words`` (``None``: all) from the file or the stored vectors called ``name``.

    All forms of a word that ``lookup`` allows are kept, and the first ``also_first`` entries, the most frequent words.
    If ``name`` joins several names by a plus, their vectors are concatenated.
    """
    loaded = [_load_one(part, words, lookup, also_first, watch) for part in parts_of(name)]
    return loaded[0] if len(loaded) == 1 else concatenate_vectors(loaded, lookup)


def parts_of(name: str) -> list[str]:
    """Return the names that ``name`` joins by a plus, or ``name`` itself if there is such a file.

    >>> parts_of("german-clusters+multilingual-subwords")
    ['german-clusters', 'multilingual-subwords']
    """
    return [name] if Path(name).exists() else name.split("+")


def _load_one(name: str, words: Collection[str] | None, lookup: Lookup, also_first: int, watch: Watch) -> WordVectors:
    stored = locate_vectors(name)
    if isinstance(stored, StoredVectors) and stored.form != "text":
        return vectors_for(load_table(stored), words, lookup, also_first)
    wanted = None if words is None else lookup.all_forms(words)
    return read_vectors(text_file(stored), wanted, watch, also_first)


def locate_vectors(name: str) -> InputFile | StoredVectors:
    """Return the file or the stored vectors called ``name``; a file takes precedence."""
    path = Path(name)
    if path == STANDARD_STREAM or path.exists():
        return InputFile(path)
    stored = describe(name) if path.name == name else None
    if stored is not None:
        return stored
    if name in SOURCES:
        raise InputError("not downloaded yet", where=f"vectors {name!r}", remedy=f"run: trustag vectors get {name}")
    if name in ENCODERS:
        raise InputError("an encoder, not word vectors", where=name, remedy=f"use it with --context {name}")
    close = difflib.get_close_matches(name, [*SOURCES, *stored_names()], n=1)
    hint = f"did you mean {close[0]!r}?" if close else "see: trustag vectors list"
    raise InputError("no such file, and no vectors with that name", where=name, remedy=hint)


def text_file(found: InputFile | StoredVectors) -> InputFile:
    """Return the text file with the vectors."""
    if isinstance(found, InputFile):
        return found
    return InputFile(checked_files(found) / TEXT_FILE, shown_as=found.name)

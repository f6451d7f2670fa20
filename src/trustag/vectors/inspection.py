"""Inspect word vectors in a file or a stored table: number of words, width, case, and wrong rows."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.notes import Watch
from trustag.vectors.storing import Form, StoredVectors, load_table
from trustag.vectors.text_files import RowTally, read_batches
from trustag.vectors.text_layout import Header
from trustag.vectors.vector_loading import locate_vectors, parts_of, text_file
from trustag.vectors.word_vectors import Matrix

_EXAMPLES: Final = 10


@dataclass(frozen=True, slots=True)
class VectorFacts:
    """Facts about vectors.

    ``lower_case_share`` is the share of entries without capital letters among those with letters; ``mean_length`` is
    the mean Euclidean length of a vector. Wrong and repeated rows exist in text files only.
    """

    name: str
    form: Form
    entries: int
    width: int
    header: Header | None
    lower_case_share: float
    mean_length: float
    repeated: int
    wrong_rows: int
    examples: tuple[str, ...]


class _FactsTally:
    """Counts over words and vectors that are added in batches."""

    def __init__(self) -> None:
        self.with_letters = self.lower_case = self.count = 0
        self.lengths = 0.0
        self.examples: list[str] = []

    def add(self, words: Iterable[str], rows: Matrix) -> None:
        for word in words:
            if word.lower() != word.upper():
                self.with_letters += 1
                self.lower_case += word == word.lower()
            if len(self.examples) < _EXAMPLES:
                self.examples.append(word)
        self.count += len(rows)
        self.lengths += float(np.sqrt(np.square(rows, dtype=np.float64).sum(axis=1)).sum())

    @property
    def lower_case_share(self) -> float:
        return self.lower_case / self.with_letters if self.with_letters else 0.0

    @property
    def mean_length(self) -> float:
        return self.lengths / self.count if self.count else 0.0


def inspect_vectors(name: str, watch: Watch) -> VectorFacts:
    """Return facts about the file or the stored vectors called ``name``."""
    if len(parts_of(name)) > 1:
        raise InputError("these are several vectors", where=name, remedy="inspect one after the other")
    found = locate_vectors(name)
    if isinstance(found, StoredVectors) and found.form != "text":
        return inspect_table(found)
    return inspect_file(text_file(found), watch)


def inspect_file(file: InputFile, watch: Watch) -> VectorFacts:
    """Return facts about a text file of word vectors, after checking every value in it."""
    tally, facts = RowTally(), _FactsTally()
    for words, rows in read_batches(file, tally, None, watch):
        facts.add(words, rows)
    return VectorFacts(
        name=file.name,
        form="text",
        entries=tally.kept,
        width=tally.layout.width if tally.layout is not None else 0,
        header=tally.layout.header if tally.layout is not None else None,
        lower_case_share=facts.lower_case_share,
        mean_length=facts.mean_length,
        repeated=tally.repeated,
        wrong_rows=tally.wrong_width + tally.wrong_values + tally.wrong_words,
        examples=tuple(facts.examples),
    )


def inspect_table(stored: StoredVectors) -> VectorFacts:
    """Return facts about a stored table."""
    table, facts = load_table(stored), _FactsTally()
    words = table.entries if table.tokenizer is None else tuple(table.tokenizer.whole_words(table.entries))
    facts.add(words, table.matrix)
    return VectorFacts(
        name=stored.name,
        form=stored.form,
        entries=len(table.entries),
        width=table.width,
        header=None,
        lower_case_share=facts.lower_case_share,
        mean_length=facts.mean_length,
        repeated=0,
        wrong_rows=0,
        examples=tuple(facts.examples),
    )

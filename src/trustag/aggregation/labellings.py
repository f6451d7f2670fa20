"""One text with the labels of several sources: from one file each, or from the columns of one file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from trustag.corpora.legality import SchemeChange, rewritten
from trustag.errors import InputError
from trustag.notes import Note, Watch
from trustag.text.labels import UNKNOWN_MARK, Label, entity_types, is_label, parse_label, similar_types
from trustag.text.pairing import same_sentences
from trustag.text.schemes import Scheme, detect_scheme
from trustag.text.sentences import Sentence

LABEL: Final = "label"
"""The name of the labels of a file among its columns."""


@dataclass(frozen=True)
class Labellings:
    """Sentences without labels, and what each source gave them: ``given`` (sentences, sources), in IOB2.

    ``scheme`` is the scheme in which the first source wrote.
    """

    names: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    given: tuple[tuple[tuple[Label, ...], ...], ...]
    scheme: Scheme

    @property
    def types(self) -> list[str]:
        """The entity types of all sources, sorted."""
        return entity_types(label for row in self.given for labels in row for label in labels)


def from_files(corpora: Mapping[str, Iterable[Sentence]], watch: Watch, *, partial: bool = False) -> Labellings:
    """Return the labels of one corpus a source, by its name.

    All must have the same sentences in the same order. With ``partial``, each may have a part of them in any order:
    sentences with the same tokens are taken to be the same, the first with the first, and missing labels are unknown.
    """
    _check_several(list(corpora))
    if partial:
        return _labellings(*_joined({name: tuple(found) for name, found in corpora.items()}), watch)
    rows = list(same_sentences(list(corpora.values())))
    return _labellings(list(corpora), rows, watch)


def from_columns(sentences: Iterable[Sentence], columns: Sequence[str] | None, watch: Watch) -> Labellings:
    """Return the labels in ``columns`` of one corpus; by default in all its columns that hold nothing but labels.

    The column called ``label`` holds the labels that would be read without merging.
    """
    every = tuple(sentences)
    if columns is None:
        columns = _label_columns(every)
        watch(Note("info", "sources", f"the columns of labels are {', '.join(columns) or 'missing'}"))
    _check_several(columns)
    rows = [tuple(_of_column(sentence, name) for name in columns) for sentence in every]
    return _labellings(list(columns), rows, watch)


def _check_several(names: Sequence[str]) -> None:
    if len(names) < 2:
        found = f"only one source: {names[0]}" if names else "no source of labels"
        raise InputError(found, remedy="give several files, or one file with several columns of labels (--annotators)")


def _label_columns(sentences: Sequence[Sentence]) -> list[str]:
    names = list(sentences[0].columns) if sentences else []
    found = [name for name in names if all(_holds_labels(sentence.columns.get(name, ())) for sentence in sentences)]
    is_labelled = any(label is not None for sentence in sentences for label in sentence.labels)
    return [LABEL, *found] if is_labelled else found


def _holds_labels(values: Iterable[str]) -> bool:
    return all(not value or is_label(value) for value in values)


def _of_column(sentence: Sentence, name: str) -> Sentence:
    """Return the sentence with the labels of one column; an empty value is an unknown label."""
    if name == LABEL:
        return sentence
    if name not in sentence.columns:
        known = ", ".join([LABEL, *sentence.columns])
        raise InputError(f"no column {name!r}", where=sentence.source, remedy=f"choose among {known}")
    labels = []
    for token, value in enumerate(sentence.columns[name]):
        try:
            labels.append(parse_label(value or UNKNOWN_MARK))
        except InputError as error:
            raise InputError(
                f"{error.finding} in column {name!r}", where=sentence.line_of(token), remedy=error.remedy
            ) from None
    return replace(sentence, labels=tuple(labels))


def _joined(corpora: Mapping[str, Sequence[Sentence]]) -> tuple[list[str], list[tuple[Sentence, ...]]]:
    """Return one row a sentence that any corpus has, in the order of the first that has it."""
    numbers: dict[tuple[tuple[str, ...], int], int] = {}
    rows: list[list[Sentence | None]] = []
    for source, sentences in enumerate(corpora.values()):
        met: dict[tuple[str, ...], int] = {}
        for sentence in sentences:
            met[sentence.tokens] = met.get(sentence.tokens, 0) + 1
            number = numbers.setdefault((sentence.tokens, met[sentence.tokens]), len(rows))
            if number == len(rows):
                rows.append([None] * len(corpora))
            rows[number][source] = sentence
    return list(corpora), [_completed(row) for row in rows]


def _completed(row: Sequence[Sentence | None]) -> tuple[Sentence, ...]:
    known = next(sentence for sentence in row if sentence is not None)
    missing = replace(known, labels=(None,) * len(known), gold=None)
    return tuple(missing if sentence is None else sentence for sentence in row)


def _labellings(names: Sequence[str], rows: Sequence[Sequence[Sentence]], watch: Watch) -> Labellings:
    by_source = [[row[source] for row in rows] for source in range(len(names))]
    schemes = [detect_scheme(sentence.labels for sentence in own).scheme for own in by_source]
    changes = [SchemeChange(scheme, Scheme.IOB2, "repair") for scheme in schemes]
    legal = [
        tuple(rewritten((replace(sentence, gold=None) for sentence in own), change, watch))
        for own, change in zip(by_source, changes, strict=True)
    ]
    found = Labellings(
        tuple(names),
        tuple(_unlabelled(row) for row in rows),
        tuple(tuple(sentence.labels for sentence in row) for row in zip(*legal, strict=True)),
        schemes[0],
    )
    for group in similar_types(found.types):
        watch(Note("suspicious", "types that are probably one", " and ".join(map(repr, group))))
    return found


def _unlabelled(row: Sequence[Sentence]) -> Sentence:
    """Return the sentence of a row without labels; gold labels are those of the first source that has any."""
    gold = next((sentence.gold for sentence in row if sentence.gold is not None), None)
    return replace(row[0], labels=(None,) * len(row[0]), gold=gold, token_sources=None)


def source_rows(labellings: Labellings) -> Iterator[Mapping[str, tuple[Label, ...]]]:
    """Yield the labels of each sentence by the name of their source."""
    for row in labellings.given:
        yield dict(zip(labellings.names, row, strict=True))

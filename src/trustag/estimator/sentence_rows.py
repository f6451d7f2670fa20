"""Sentences and labels as Python lists: checked at the door, and given back as lists that numpy keeps whole."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from trustag.corpora.frames import frame_rows, is_frame
from trustag.errors import InputError
from trustag.files.spelled_tags import SpelledTags
from trustag.models.prediction import Predictor, Texts
from trustag.notes import unwatched
from trustag.text.labels import Label
from trustag.text.sentences import Sentence, Source

TokenRows: TypeAlias = Iterable[Iterable[str]]
LabelRows: TypeAlias = Iterable[Iterable[Label]]
Row = TypeVar("Row")


class Rows(list[Row]):
    """A list with one row a sentence that numpy takes as a column of rows, however long each of them is.

    scikit-learn joins the predictions of several folds with numpy, which refuses nested lists of unequal length and
    would make a table of those that happen to be equally long.
    """

    def __array__(self, dtype: object = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Return the rows as a column of objects."""
        column = np.empty(len(self), dtype=object)
        for place, row in enumerate(self):
            column[place] = row
        return column


def token_rows(rows: TokenRows, name: str = "X") -> list[tuple[str, ...]]:
    """Return the tokens of every sentence; anything but lists of strings is an error that names the place."""
    if isinstance(rows, str):
        raise InputError("a string where sentences are expected", where=name, remedy="give a list of token lists")
    found = []
    for place, row in enumerate(rows):
        where = f"{name}[{place}]"
        if isinstance(row, str) or not isinstance(row, Iterable):
            raise InputError(f"{row!r} where tokens are expected", where=where, remedy="give a list of strings")
        tokens = tuple(row)
        for token in tokens:
            if not isinstance(token, str):
                raise InputError(f"the token {token!r} is no string", where=where, remedy="give a list of strings")
        found.append(tuple(map(str, tokens)))
    return found


def text_rows(texts: Texts, model: Predictor) -> list[tuple[str, ...]]:
    """Return the tokens of every text: token lists, a table of pandas, or texts that ``model`` splits."""
    if is_frame(texts):
        return token_rows(frame_rows(texts, where="X").tokens)
    every = [texts] if isinstance(texts, str) else texts
    return token_rows(model.sentence(text).tokens if isinstance(text, str) else text for text in every)


def label_rows(
    rows: LabelRows | None, sentences: Sequence[Sequence[str]], name: str = "y", tags: SpelledTags | None = None
) -> list[tuple[Label, ...]]:
    """Return the labels of ``sentences``, one for each token; ``None`` and the usual marks are unknown labels.

    Types without positions (``PER``) are read as in files; ``tags`` then tells that they were.
    """
    known = SpelledTags(name, unwatched) if tags is None else tags
    if rows is None:
        raise InputError("no labels are given", where=name, remedy="give a list of label lists, None where unknown")
    every = list(rows)
    if len(every) != len(sentences):
        finding = f"{len(every)} label lists for {len(sentences)} sentences"
        raise InputError(finding, where=name, remedy="give one for each")
    found = []
    for place, (row, tokens) in enumerate(zip(every, sentences, strict=True)):
        where = f"{name}[{place}]"
        if isinstance(row, str) or not isinstance(row, Iterable):
            raise InputError(f"{row!r} where labels are expected", where=where, remedy="give a list of labels")
        labels = tuple(_label(label, where, known) for label in row)
        if len(labels) != len(tokens):
            finding = f"{len(labels)} labels for {len(tokens)} tokens"
            raise InputError(finding, where=where, remedy=f"give exactly {len(tokens)}")
        found.append(labels)
    return found


def sentence_rows(
    tokens: TokenRows,
    labels: LabelRows | None,
    gold: LabelRows | None = None,
    names: tuple[str, str] = ("X", "y"),
    tags: SpelledTags | None = None,
) -> tuple[Sentence, ...]:
    """Return labelled sentences, each of which knows its place in ``tokens``.

    A table of pandas may contain the labels and gold labels too.
    """
    if is_frame(tokens):
        tokens, own_labels, own_gold = frame_rows(tokens, where=names[0])
        if labels is not None and own_labels is not None:
            raise InputError("labels are in the table and given too", where=names[1], remedy="give one of them")
        labels = own_labels if labels is None else labels
        gold = own_gold if gold is None else gold
    words = token_rows(tokens, names[0])
    given = label_rows(labels, words, names[1], tags)
    trusted = label_rows(gold, words, "gold") if gold is not None else [None] * len(words)
    return tuple(
        Sentence(own, said, known, source=Source(f"{names[0]}[{place}]"))
        for place, (own, said, known) in enumerate(zip(words, given, trusted, strict=True))
    )


def _label(label: object, where: str, tags: SpelledTags) -> Label:
    if label is None:
        return None
    if not isinstance(label, str):
        remedy = "labels are O, B-TYPE, I-TYPE and the like, or None for an unknown one"
        raise InputError(f"the label {label!r} is neither a string nor None", where=where, remedy=remedy)
    try:
        return tags[str(label)]
    except InputError as error:
        raise InputError(error.finding, where=where, remedy=error.remedy) from None

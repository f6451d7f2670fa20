"""What a run found of its labels: the given, new and gold label of every token, and which it distrusts."""

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from trustag.corpora.locating import CorpusOptions, stream
from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.noise.measures import NoiseMeasures, NoiseTally
from trustag.notes import unwatched
from trustag.text.label_sets import LabelSet
from trustag.text.labels import OUTSIDE, Label, split_label
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.sentences import Sentence

_COLUMNS: Final = {"sentence": "iu", "label": "iu", "score": "f", "trusted": "b"}
_FURTHER: Final = {"suggested": "iu", "suggested_score": "f", "mean": "f", "spread": "f"}
_REMEDY: Final = "take both files from the same run"


@dataclass(frozen=True, slots=True)
class SentenceLabels:
    """One training sentence, labels in the scheme of the models; ``gold`` is there where the corpus has it.

    ``score`` is the probability of each given label under models that did not see it, and ``distrusted`` says which
    labels the run does not trust. Unknown labels are ``None`` and never distrusted.
    """

    tokens: tuple[str, ...]
    given: tuple[Label, ...]
    relabelled: tuple[Label, ...]
    gold: tuple[Label, ...] | None
    score: tuple[float, ...]
    distrusted: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class RunLabels:
    """The training sentences of a run, and the relabelled corpus as it is written, in the scheme of the corpus.

    ``scheme`` is that of the models, in which labels are compared.
    """

    sentences: tuple[SentenceLabels, ...]
    relabelled: tuple[Sentence, ...]
    scheme: Scheme

    @property
    def has_gold(self) -> bool:
        """Whether at least one sentence can be compared with gold labels."""
        return any(sentence.gold is not None for sentence in self.sentences)

    def noise(self) -> NoiseMeasures:
        """Return how noisy the given labels are, measured on the sentences with gold labels."""
        tally = NoiseTally(self.scheme)
        for sentence in self.sentences:
            if sentence.gold is not None:
                tally.add(sentence.gold, sentence.given)
        return tally.result()


def read_run_labels(table: Path, corpus: Path) -> RunLabels:
    """Return what the table of confidence and the relabelled corpus of a run say together; they must fit each other."""
    relabelled = tuple(stream(str(corpus), CorpusOptions(corpus.suffix.removeprefix(".")), unwatched))
    return run_labels(read_columns(table), relabelled, table, corpus.name)


def run_labels(
    columns: Mapping[str, npt.NDArray[Any]], relabelled: tuple[Sentence, ...], table: Path, corpus: str
) -> RunLabels:
    """Return what columns of confidence and a relabelled corpus say together; errors name their files."""
    lengths = [len(sentence) for sentence in relabelled]
    if not np.array_equal(columns["sentence"], np.repeat(np.arange(len(lengths)), lengths)):
        raise InputError(f"does not hold the sentences of {corpus}", where=table, remedy=_REMEDY)
    names = [str(name) for name in columns["names"]]
    numbers = columns["label"]
    if len(numbers) and int(numbers.max()) >= len(names):
        raise InputError(f"label number {numbers.max()} of {len(names)} labels", where=table, remedy=_REMEDY)
    scheme = _scheme_of(names, table)
    return RunLabels(tuple(_sentences(columns, names, relabelled, scheme)), relabelled, scheme)


def _sentences(
    columns: Mapping[str, npt.NDArray[Any]], names: Sequence[str], relabelled: Sequence[Sentence], scheme: Scheme
) -> Iterator[SentenceLabels]:
    first = 0
    for sentence in relabelled:
        own = slice(first, first + len(sentence))
        numbers = columns["label"][own].tolist()
        trusted = columns["trusted"][own].tolist()
        yield SentenceLabels(
            tokens=sentence.tokens,
            given=tuple(names[number] if number >= 0 else None for number in numbers),
            relabelled=tuple(convert_labels(sentence.labels, scheme)),
            gold=None if sentence.gold is None else tuple(convert_labels(sentence.gold, scheme)),
            score=tuple(columns["score"][own].tolist()),
            distrusted=tuple(number >= 0 and not kept for number, kept in zip(numbers, trusted, strict=True)),
        )
        first += len(sentence)


def _scheme_of(names: Sequence[str], table: Path) -> Scheme:
    """Return the tagging scheme of the labels that models tell apart, by their positions."""
    positions = "".join(dict.fromkeys(split_label(name)[0] for name in names if name != OUTSIDE))
    if not positions:  # a corpus without entities says nothing of the scheme
        return Scheme.IOBES
    try:
        return LabelSet((), positions).scheme
    except ValueError as error:
        raise InputError(str(error), where=table, remedy="take the file the run wrote") from None


_UNREADABLE: Final = (
    *(ValueError, TypeError, EOFError, KeyError, MemoryError, OverflowError),
    *(zipfile.BadZipFile, zlib.error),
)


def read_columns(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a table of confidence, all of one length and of the right kind, and the names of the labels.

    How confidence went over the epochs (``mean``, ``spread``) is there where it was recorded, and so is what was
    ``suggested``.
    """
    try:
        with np.load(io.BytesIO(InputFile(path).read_bytes())) as archive:
            columns = {name: archive[name] for name in (*_COLUMNS, "names")}
            columns |= {name: archive[name] for name in _FURTHER if name in archive}
    except (
        ValueError,
        TypeError,
        EOFError,
        KeyError,
        MemoryError,
        OverflowError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise InputError(f"cannot be read ({error})", where=path, remedy="take the file the run wrote") from None
    shape = columns["sentence"].shape
    for name, kinds in (_COLUMNS | _FURTHER).items():
        column = columns.get(name)
        if column is not None and (column.shape != shape or len(shape) != 1 or column.dtype.kind not in kinds):
            raise InputError(f"the column {name!r} is not as it should be", where=path, remedy="train again")
    return columns

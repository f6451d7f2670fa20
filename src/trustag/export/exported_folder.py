"""The files of an exported model, and what it says of itself; JSON, safetensors and one ONNX graph."""

from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct
from safetensors import SafetensorError
from safetensors.numpy import load_file

from trustag.errors import InputError
from trustag.export.piece_rows import ContextFacts
from trustag.models.model_place import EXPORT_FILE as DESCRIPTION
from trustag.models.vocabulary import Vocabulary
from trustag.text.label_sets import LabelSet
from trustag.vectors.word_vectors import Lookup

FORMAT: Final = 1
GRAPH: Final = "model.onnx"
TABLES: Final = "tables.safetensors"
TOKENIZER: Final = "tokenizer.json"
_LARGEST_JSON: Final = 1 << 30
_HOTTEST: Final = 1e6
_COPY: Final = "export the model again"

Weights: TypeAlias = Literal["float32", "int8"]
Array: TypeAlias = npt.NDArray[np.float32] | npt.NDArray[np.float64] | npt.NDArray[np.int8]


class Description(Struct, frozen=True, forbid_unknown_fields=True):
    """What an exported model says of itself.

    ``learned`` and ``pretrained`` words have the rows after that of unknown words, in this order; ``characters`` those
    after that of unknown characters.
    """

    format: int
    trustag: str
    types: tuple[str, ...]
    positions: str
    legal_only: bool
    temperature: float
    weight_count: int
    weights: Weights
    case_fallback: bool
    fold_digits: bool
    zero_digits: bool
    learned: tuple[str, ...]
    pretrained: tuple[str, ...]
    characters: tuple[str, ...]
    context: ContextFacts | None = None

    @property
    def labels(self) -> LabelSet:
        """The labels in the order of the graph."""
        return LabelSet(self.types, self.positions)

    @property
    def vocabulary(self) -> Vocabulary:
        """The words and characters with rows of their own."""
        lookup = Lookup(self.case_fallback, self.fold_digits, self.zero_digits)
        return Vocabulary(self.learned, self.pretrained, self.characters, lookup)


def read_description(folder: Path) -> Description:
    """Return what the model in ``folder`` says of itself, checked."""
    path = folder / DESCRIPTION
    if path.stat().st_size > _LARGEST_JSON:
        raise InputError("larger than any model description", where=path)
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Description)
        known = bool(found.labels.scheme)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise InputError(f"not a sound model description ({error})", where=path, remedy=_COPY) from None
    if found.format != FORMAT or not known:
        finding = f"format {found.format} of exported models, this version reads {FORMAT}"
        raise InputError(finding, where=path, remedy="update Trustag or export the model again")
    if not 0.0 < found.temperature < _HOTTEST:
        raise InputError(f"a temperature of {found.temperature!r}", where=path, remedy=_COPY)
    return found


def read_tables(folder: Path, description: Description) -> dict[str, Array]:
    """Return the tables beside the graph, their shapes checked against the description."""
    path = folder / TABLES
    try:
        tables: dict[str, Array] = load_file(path)
    except (SafetensorError, OSError, ValueError) as error:
        raise InputError(f"broken tables ({error})", where=path, remedy=_COPY) from None
    labels, rows = len(description.labels), 1 + len(description.learned) + len(description.pretrained)
    expected = {"transitions": (labels, labels), "start": (labels,), "end": (labels,)}
    if description.weights == "int8":
        expected["scales"] = (rows,)
    for name, shape in expected.items():
        if name not in tables or tables[name].shape != shape:
            found = tables[name].shape if name in tables else None
            raise InputError(f"{name} has the shape {found}, described is {shape}", where=path, remedy=_COPY)
    words = tables.get("words")
    if words is None or words.ndim != 2 or len(words) != rows:
        raise InputError(f"the table of words has not {rows:,} rows", where=path, remedy=_COPY)
    return tables

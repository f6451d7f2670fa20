"""Begin a training with the weights of a model that is there already."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import torch
from torch import Tensor

from trustag.models.bilstm import BiLSTMEncoder
from trustag.models.network import Network
from trustag.models.saving import load_model
from trustag.models.vocabulary import Vocabulary
from trustag.notes import Note, Watch


@dataclass(frozen=True, slots=True)
class WarmStart:
    """The weights of the model in a folder: all of them, or those of its encoder alone."""

    model: Path
    part: Literal["all", "encoder"] = "all"

    def apply(self, network: Network, watch: Watch) -> None:
        """Put the weights into ``network``; whatever does not fit there keeps its fresh values and is noted.

        Vocabularies may differ: the rows of words that both know are taken over, the others stay fresh.
        """
        # Frozen features are no weights: those at hand will do.
        source = load_model(self.model, getattr(network.encoder, "context", None)).network
        known = _in_either_form(source.state_dict())
        state = network.state_dict()
        left = []
        for name, weight in state.items():
            if self.part == "encoder" and not name.startswith("encoder."):
                continue
            found = known.get(name)
            rows = _shared_rows(name, source, network)
            if rows is not None and found is not None and found.shape[1:] == weight.shape[1:]:
                weight[rows[1]] = found[rows[0]].to(weight)
            elif found is not None and found.shape == weight.shape:
                weight.copy_(found)
            else:
                left.append(name)
        network.load_state_dict(state)
        if left:
            watch(Note("info", "weights that did not fit keep their fresh values", ", ".join(left)))


def _in_either_form(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return weights with the word table both as one that is fine-tuned and as one whose vectors are frozen."""
    rows, fresh, given = (state.get(f"encoder.table.{part}") for part in ("rows", "fresh", "given"))
    if rows is None and fresh is not None and given is not None:
        return {**state, "encoder.table.rows": torch.cat([fresh, given])}
    return dict(state)


def _shared_rows(name: str, source: Network, target: Network) -> tuple[Tensor, Tensor] | None:
    """Return which rows of a table of words or characters stand for the same thing in both networks; None elsewhere."""
    one, other = source.encoder, target.encoder
    if not isinstance(one, BiLSTMEncoder) or not isinstance(other, BiLSTMEncoder):
        return None
    rows_of = _ROWS.get(name)
    if rows_of is None:
        return None
    theirs, ours = rows_of(one.vocabulary), rows_of(other.vocabulary)
    shared = [(row, ours[word]) for word, row in theirs.items() if word in ours]
    pairs = torch.tensor(shared, dtype=torch.long).view(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _word_rows(vocabulary: Vocabulary) -> dict[str, int]:
    """Return the row of each word in a table that is fine-tuned as a whole; 0 is the unknown word."""
    return {"": 0, **{word: row for row, word in enumerate((*vocabulary.learned, *vocabulary.pretrained), start=1)}}


def _learned_rows(vocabulary: Vocabulary) -> dict[str, int]:
    """Return the row of each word without a pretrained vector."""
    return {"": 0, **{word: row for row, word in enumerate(vocabulary.learned, start=1)}}


def _pretrained_rows(vocabulary: Vocabulary) -> dict[str, int]:
    """Return the row of each word among the frozen pretrained vectors."""
    return {word: row for row, word in enumerate(vocabulary.pretrained)}


def _character_rows(vocabulary: Vocabulary) -> dict[str, int]:
    """Return the row of each character; 0 is the unknown one."""
    return {"": 0, **{character: row for row, character in enumerate(vocabulary.characters, start=1)}}


_ROWS = {
    "encoder.table.rows": _word_rows,
    "encoder.table.fresh": _learned_rows,
    "encoder.table.given": _pretrained_rows,
    "encoder.characters.letters.weight": _character_rows,
}

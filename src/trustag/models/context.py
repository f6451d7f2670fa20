"""A pretrained transformer that never learns, read beside the word vectors: it cannot memorise a wrong label.

Its features are rounded to half precision wherever they come from, so that training and tagging see the same numbers.
It is no part of the network that reads them: not of its weights, nor of its snapshots.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal, Protocol, TypeAlias

import msgspec
import torch
from torch import Tensor, nn

from trustag.errors import InputError
from trustag.models.encoders import Tokens
from trustag.models.model_folders import read_object
from trustag.models.piece_batches import PieceBatching, lay_out
from trustag.models.pieces import PieceCutter, Specials
from trustag.models.pretrained import DESCRIPTION_FILE, TOKENIZER_FILE, load_assets, load_pretrained, save_assets
from trustag.models.tensor_files import load_weights, save_tensors
from trustag.models.transformer import word_states
from trustag.notes import Watch, unwatched

_CONFIG: Final = "context.json"
_WEIGHTS: Final = "weights.safetensors"
CONTEXT_FILES: Final = (_CONFIG, DESCRIPTION_FILE, TOKENIZER_FILE, _WEIGHTS)
_WINDOW: Final = 512
_STRIDE: Final = 64
# So many sentences are read at once, since larger tables outgrow the caches of a processor; so many tokens remembered.
_TOGETHER: Final = 32
_REMEMBERED: Final = 16_384
LayerMix: TypeAlias = Literal["concatenate", "mean"]
_LARGEST: Final = torch.finfo(torch.float16).max


class Context(Protocol):
    """Frozen features of sentences, wherever they come from."""

    @property
    def width(self) -> int:
        """How many features a token has."""
        ...

    def rows(self, sentences: Sequence[Tokens]) -> list[Tensor]:
        """Return the features of each sentence, (tokens, width), in half precision."""
        ...

    def save(self, folder: Path) -> None:
        """Put into ``folder`` all that :func:`load_context` needs."""
        ...


@dataclass(frozen=True, slots=True)
class ContextConfig:
    """Which hidden layers are taken (0 are the embeddings), how they are combined, and how pieces are read."""

    layers: tuple[int, ...]
    specials: Specials
    positions: int
    stride: int
    mix: LayerMix = "concatenate"


class FrozenContext:
    """Hidden layers of a transformer side by side, or their mean; of each word the mean over its pieces.

    Every token gets a row, in sentences of any length. The last sentences that were asked for are remembered.
    """

    def __init__(self, transformer: nn.Module, cutter: PieceCutter, config: ContextConfig) -> None:
        own: Any = transformer.config
        self.config = config
        self.width: int = own.hidden_size * (len(config.layers) if config.mix == "concatenate" else 1)
        self._transformer = transformer.requires_grad_(False).eval()
        self._cutter = cutter
        self._batching = PieceBatching(config.specials, config.positions, config.stride, "mean")
        self._known: dict[tuple[str, ...], Tensor] = {}
        self._known_tokens = 0

    @classmethod
    def from_pretrained(
        cls, name: str, layers: Sequence[int] = (), mix: LayerMix = "concatenate", watch: Watch = unwatched
    ) -> "FrozenContext":
        """Return the context of the encoder called ``name``, which may be a folder or a downloaded encoder.

        Without ``layers`` those of :func:`usual_layers` are taken; negative ones count from the last.
        """
        found = load_pretrained(name, watch)
        own: Any = found.transformer.config
        count = own.num_hidden_layers
        odd = [layer for layer in layers if not -count - 1 <= layer <= count]
        if odd:
            raise InputError(
                f"bilstm.context_layers names {odd[0]}: the model has {count} layers",
                remedy=f"choose from 0 (embeddings) to {count}, or -1 for the last",
            )
        chosen = tuple(layer % (count + 1) for layer in layers) or usual_layers(count)
        positions = min(_WINDOW, found.positions or _WINDOW)
        config = ContextConfig(chosen, found.cutter.specials, positions, _STRIDE, mix)
        return cls(found.transformer, found.cutter, config)

    @property
    def transformer(self) -> nn.Module:
        """The transformer itself."""
        return self._transformer

    @property
    def cutter(self) -> PieceCutter:
        """What cuts words for it."""
        return self._cutter

    def rows(self, sentences: Sequence[Tokens]) -> list[Tensor]:
        """Return the features of each sentence, (tokens, width), in half precision."""
        known = self._known
        wanted = dict.fromkeys(tuple(tokens) for tokens in sentences)
        found = {tokens: known[tokens] for tokens in wanted if tokens in known}
        # By length, so that there is little padding to read.
        new = sorted((tokens for tokens in wanted if tokens not in found), key=len)
        for start in range(0, len(new), _TOGETHER):
            batch = new[start : start + _TOGETHER]
            found.update(zip(batch, self._read(batch), strict=True))
        self._remember({tokens: found[tokens] for tokens in new})
        return [found[tuple(tokens)] for tokens in sentences]

    def save(self, folder: Path) -> None:
        """Put into ``folder`` all that :func:`load_context` needs."""
        save_assets(self._transformer, self._cutter, folder)
        (folder / _CONFIG).write_bytes(msgspec.json.encode(asdict(self.config)))
        save_tensors(self._transformer.state_dict(), folder / _WEIGHTS)
        (folder / _WEIGHTS).chmod((folder / _CONFIG).stat().st_mode)

    @torch.no_grad()
    def _read(self, sentences: Sequence[Tokens]) -> list[Tensor]:
        inputs = lay_out([[self._cutter(word) for word in tokens] for tokens in sentences], self._batching)
        states = word_states(self._transformer, inputs, self.config.layers)
        if self.config.mix == "mean":
            states = states.view(*states.shape[:-1], len(self.config.layers), self.width).mean(-2)
        halves = states.clamp_(-_LARGEST, _LARGEST).half()
        return [rows[: len(tokens)].clone() for rows, tokens in zip(halves, sentences, strict=True)]

    def _remember(self, found: dict[tuple[str, ...], Tensor]) -> None:
        tokens = sum(map(len, found))
        if self._known_tokens + tokens > _REMEMBERED:
            # A new table instead of an emptied one: another thread may be reading the old one.
            self._known, self._known_tokens = {}, 0
        if tokens <= _REMEMBERED:
            self._known.update(found)
            self._known_tokens += tokens


def usual_layers(count: int) -> tuple[int, ...]:
    """Return which layers of a model with ``count`` are taken unless others are named: the middle, the last but one.

    >>> usual_layers(6), usual_layers(12), usual_layers(2)
    ((3, 5), (6, 11), (1,))
    """
    return tuple(dict.fromkeys(max(layer, 1) for layer in (count // 2, count - 1)))


def load_context(folder: Path) -> FrozenContext:
    """Return the context that was saved in ``folder``."""
    described = read_object(folder / _CONFIG)
    try:
        config = msgspec.convert(described, ContextConfig)
    except msgspec.ValidationError as error:
        raise InputError(
            f"not the description of a context ({error})", where=folder / _CONFIG, remedy="copy the model again"
        ) from None
    transformer, cutter = load_assets(folder, config.specials)
    own: Any = transformer.config
    if not config.layers or not all(0 <= layer <= own.num_hidden_layers for layer in config.layers):
        finding = f"layers {list(config.layers)} of a model that has {own.num_hidden_layers}"
        raise InputError(finding, where=folder / _CONFIG, remedy="copy the model again")
    load_weights(transformer, folder / _WEIGHTS)
    return FrozenContext(transformer, cutter, config)

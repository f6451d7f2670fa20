"""The transformer encoder: a Hugging Face model over the pieces of words, brought back to one row a word."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final

import msgspec
import torch
from torch import Tensor, nn
from torch.nn import functional

from trustag.errors import InputError
from trustag.models.characters import CharacterBiLSTM, distinct_words
from trustag.models.dropout import Dropout
from trustag.models.encoders import Tokens
from trustag.models.piece_batches import Block, PieceBatching, PieceInputs, Pooling, lay_out
from trustag.models.pieces import PieceCutter, Specials
from trustag.models.pretrained import load_assets, load_pretrained, save_assets
from trustag.models.vocabulary import Vocabulary
from trustag.notes import Note, Watch, unwatched
from trustag.vectors.word_vectors import DEFAULT_LOOKUP

LAST_LAYER: Final = -1


@dataclass(frozen=True, slots=True)
class TransformerOptions:
    """How a transformer's features are made.

    ``pooling`` says which pieces stand for a word; ``layer`` which hidden layer is taken (0 are the embeddings, -1 the
    last). No more than ``window`` pieces are read at once, nor more than the model allows; the windows of a longer
    sentence share ``stride`` pieces. ``character_hidden`` units a direction read the characters of each word beside
    the transformer, if any.
    """

    pooling: Pooling = "first"
    layer: int = LAST_LAYER
    dropout: float = 0.2
    window: int = 512
    stride: int = 64
    characters: int = 25
    character_hidden: int = 0


@dataclass(frozen=True, slots=True)
class TransformerConfig:
    """All that a saved encoder needs to know besides its tokenizer, the transformer's own description and weights."""

    options: TransformerOptions
    specials: Specials
    positions: int
    alphabet: tuple[str, ...]


class TransformerEncoder(nn.Module):
    """Features of each token from a transformer and, if asked for, from its characters.

    Every token gets a row: words that the tokenizer swallows are read as unknown, sentences that are too long in
    overlapping windows, and of a word longer than half a window both ends are read.
    """

    def __init__(self, transformer: nn.Module, cutter: PieceCutter, config: TransformerConfig) -> None:
        super().__init__()
        options = config.options
        self.settings = config
        self.cutter = cutter
        self.batching = PieceBatching(config.specials, config.positions, options.stride, options.pooling)
        self.transformer = transformer
        self.characters: CharacterBiLSTM | None = None
        if options.character_hidden:
            vocabulary = Vocabulary((), (), config.alphabet, DEFAULT_LOOKUP)
            self.characters = CharacterBiLSTM(vocabulary, options.characters, options.character_hidden, options.dropout)
        self.dropout = Dropout(options.dropout)
        self.width = _checked_width(transformer, config) + (self.characters.width if self.characters else 0)

    @classmethod
    def from_pretrained(
        cls, name: str, options: TransformerOptions, alphabet: Sequence[str] = (), watch: Watch = unwatched
    ) -> "TransformerEncoder":
        """Return an encoder around the Hugging Face model in the folder ``name``, or of that name on the hub.

        ``alphabet`` are the characters to know, for options with character features.
        """
        found = load_pretrained(name, watch)
        if found.cutter.lowers_case() and not options.character_hidden:
            detail = f"{name} does not tell capitals from small letters, names often do"
            watch(Note("suspicious", "uncased model", detail))
        positions = min(options.window, found.positions or options.window)
        config = TransformerConfig(options, found.cutter.specials, positions, tuple(alphabet))
        return cls(found.transformer, found.cutter, config)

    @classmethod
    def from_assets(cls, folder: Path, config: Mapping[str, Any]) -> "TransformerEncoder":
        """Return the encoder that :meth:`save_assets` and :attr:`config` describe, its weights yet to be loaded.

        Load them with ``load_state_dict(..., assign=True)``: until then the transformer has no memory for them.
        """
        try:
            checked = msgspec.convert(config, TransformerConfig)
        except msgspec.ValidationError as error:
            raise InputError(
                f"not the description of an encoder ({error})", where=folder, remedy="save it again"
            ) from None
        return cls(*load_assets(folder, checked.specials), checked)

    @property
    def config(self) -> dict[str, Any]:
        """Everything :meth:`from_assets` needs besides the files, ready for JSON."""
        described: dict[str, Any] = asdict(self.settings)
        return described

    def save_assets(self, folder: Path) -> None:
        """Write the tokenizer and the description of the transformer into ``folder``; weights are saved elsewhere."""
        save_assets(self.transformer, self.cutter, folder)

    def collate(self, sentences: Sequence[Tokens]) -> PieceInputs:
        """Return ``sentences`` as pieces in blocks, and which of them stand for each token."""
        inputs = lay_out([[self.cutter(word) for word in tokens] for tokens in sentences], self.batching)
        if self.characters is None:
            return inputs
        distinct = distinct_words(chain.from_iterable(sentences))
        number = {word: i for i, word in enumerate(distinct)}
        spelling = torch.full(inputs.shape, len(distinct))
        for row, tokens in zip(spelling, sentences, strict=True):
            row[: len(tokens)] = torch.tensor([number[word] for word in tokens])
        return PieceInputs(
            inputs.blocks,
            inputs.pooled,
            inputs.bags,
            inputs.shape,
            spelling,
            self.characters.collate(distinct),
        )

    def forward(self, inputs: PieceInputs) -> Tensor:
        """Return features of shape (sentences, tokens, width), zero in the padding."""
        features = word_states(self.transformer, inputs, (self.settings.options.layer,))
        if self.characters is not None and inputs.spellings is not None and inputs.spelling is not None:
            spelled = self.characters(inputs.spellings)
            with_padding = torch.cat([spelled, spelled.new_zeros(1, self.characters.width)])
            features = torch.cat([features, with_padding[inputs.spelling]], dim=-1)
        dropped: Tensor = self.dropout(features)
        return dropped


def word_states(transformer: nn.Module, inputs: PieceInputs, layers: Sequence[int]) -> Tensor:
    """Return hidden layers of a transformer side by side, one row a word, (sentences, tokens, width of all layers)."""
    states = torch.cat([_states(transformer, block, layers).flatten(0, 1) for block in inputs.blocks])
    # A bag without pieces is zero: that is the padding.
    pooled = functional.embedding_bag(inputs.pooled, states, inputs.bags, mode="mean")
    return pooled.view(*inputs.shape, -1)


def _states(transformer: nn.Module, block: Block, layers: Sequence[int]) -> Tensor:
    """Return the chosen hidden layers of a block, (rows, pieces, width of all layers)."""
    inner = any(layer != LAST_LAYER for layer in layers)
    found = transformer(input_ids=block.pieces, attention_mask=block.attended, output_hidden_states=inner)
    chosen = [found.last_hidden_state if layer == LAST_LAYER else found.hidden_states[layer] for layer in layers]
    return torch.cat(chosen, dim=-1)


def _checked_width(transformer: nn.Module, config: TransformerConfig) -> int:
    """Return the width of the transformer's features; options that do not fit it are errors."""
    own: Any = transformer.config
    layers = own.num_hidden_layers
    if not -layers - 1 <= config.options.layer <= layers:
        raise InputError(
            f"transformer.layer = {config.options.layer}: the model has {layers} layers",
            remedy=f"choose from 0 (embeddings) to {layers}, or -1 for the last",
        )
    if config.positions <= config.specials.around:
        raise InputError(
            f"only {config.positions} pieces can be read at once, {config.specials.around} of them special",
            remedy="choose a larger window",
        )
    width: int = own.hidden_size
    return width

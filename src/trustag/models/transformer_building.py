"""Transformer encoders made from settings, and kept in model folders."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

from torch import nn

from trustag.errors import InputError
from trustag.models.encoder_kinds import EncoderKind, StoredEncoder
from trustag.models.encoders import Tokens
from trustag.models.network_spec import NetworkSpec
from trustag.models.transformer import TransformerEncoder, TransformerOptions
from trustag.notes import Watch

_FOLDER: Final = "transformer"


def _new(sentences: Sequence[Tokens], spec: NetworkSpec, watch: Watch) -> TransformerEncoder:
    settings = spec.settings.transformer
    if not settings.name:
        raise InputError("no transformer was named", remedy="name a folder with --set transformer.name=FOLDER")
    options = TransformerOptions(
        pooling=settings.pooling,
        layer=settings.layer,
        dropout=settings.dropout,
        window=settings.window,
        stride=settings.stride,
        character_hidden=settings.character_hidden,
    )
    alphabet = sorted(set(chain.from_iterable(chain.from_iterable(sentences)))) if settings.character_hidden else ()
    return TransformerEncoder.from_pretrained(settings.name, options, alphabet, watch)


def _save(encoder: nn.Module, folder: Path) -> dict[str, Any]:
    """Write the tokenizer and the shape of the transformer, and return the rest of its description."""
    if not isinstance(encoder, TransformerEncoder):
        raise TypeError(f"no transformer encoder: {type(encoder)}")
    (folder / _FOLDER).mkdir()
    encoder.save_assets(folder / _FOLDER)
    return {_FOLDER: encoder.config}


def _load(stored: StoredEncoder) -> TransformerEncoder:
    return TransformerEncoder.from_assets(stored.folder / _FOLDER, stored.facts[_FOLDER])


TRANSFORMER: Final = EncoderKind(_new, _save, _load)

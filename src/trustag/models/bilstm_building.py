"""BiLSTM encoders made from settings, and kept in model folders."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from trustag.errors import InputError
from trustag.models.bilstm import BiLSTMEncoder, BiLSTMSizes
from trustag.models.context import Context, FrozenContext, load_context
from trustag.models.encoder_kinds import EncoderKind, StoredEncoder, stored_strings
from trustag.models.encoders import Tokens
from trustag.models.network_spec import GivenVectors, NetworkSpec
from trustag.models.vocabulary import Vocabulary, learn_vocabulary, rows_seen_once
from trustag.models.weightless import weightless
from trustag.models.word_table import WordTable
from trustag.notes import Watch
from trustag.recipes.network_settings import BiLSTMSettings
from trustag.vectors.word_vectors import Lookup

_CONTEXT: Final = "context"
_WIDEST: Final = 1 << 16


def bilstm_encoder(
    vocabulary: Vocabulary,
    vectors: Tensor,
    settings: BiLSTMSettings,
    seen_once: Tensor | None = None,
    context: Context | None = None,
    *,
    finetune_vectors: bool,
) -> BiLSTMEncoder:
    """Return a BiLSTM encoder over a vocabulary whose pretrained words have these vectors."""
    table = WordTable(len(vocabulary.learned), vectors, "trained" if finetune_vectors else "frozen")
    sizes = BiLSTMSizes(
        words=vectors.shape[1],
        characters=settings.characters,
        character_hidden=settings.character_hidden,
        hidden=settings.hidden,
        dropout=settings.dropout,
        singletons=settings.singletons,
    )
    return BiLSTMEncoder(vocabulary, table, sizes, seen_once, context)


def lookup_of(settings: BiLSTMSettings) -> Lookup:
    """Return how a word is looked up among those with a vector."""
    return Lookup(zero_digits=settings.zero_digits)


def _new(sentences: Sequence[Tokens], spec: NetworkSpec, watch: Watch) -> BiLSTMEncoder:
    """Return an untrained encoder; the context that the settings name is loaded unless it is at hand already."""
    settings, vectors, context = spec.settings.bilstm, spec.vectors, spec.context
    if settings.context and context is None:
        layers, mix = settings.context_layers, settings.context_mix
        context = FrozenContext.from_pretrained(settings.context, layers, mix, watch)
    if vectors is None:
        if not settings.random_vectors:
            raise InputError(
                "no word vectors were given",
                remedy="name a file with --vectors, or accept worse results with --set bilstm.random_vectors=true",
            )
        vectors = GivenVectors((), torch.empty(0, settings.words))
    vocabulary = learn_vocabulary(sentences, vectors.words, lookup_of(settings), settings.min_count)
    seen_once = torch.tensor(rows_seen_once(vocabulary, sentences)) if settings.singletons else None
    return bilstm_encoder(
        vocabulary, vectors.rows, settings, seen_once, context, finetune_vectors=spec.finetune_vectors
    )


def _save(encoder: nn.Module, folder: Path) -> dict[str, Any]:
    """Write the context of an encoder, if it has one, and return its vocabulary."""
    if not isinstance(encoder, BiLSTMEncoder):
        raise TypeError(f"no BiLSTM encoder: {type(encoder)}")
    if encoder.context is not None:
        (folder / _CONTEXT).mkdir()
        encoder.context.save(folder / _CONTEXT)
    vocabulary = encoder.vocabulary
    described = {
        "learned": vocabulary.learned,
        "pretrained": vocabulary.pretrained,
        "characters": vocabulary.characters,
        "vector_width": encoder.sizes.words,
    }
    return {"vocabulary": described}


def _load(stored: StoredEncoder) -> BiLSTMEncoder:
    words, settings, context = stored.facts["vocabulary"], stored.settings.bilstm, stored.context
    learned, pretrained, characters = (stored_strings(words[part]) for part in ("learned", "pretrained", "characters"))
    vocabulary = Vocabulary(learned, pretrained, characters, stored.lookup)
    if settings.context and context is None:
        context = load_context(stored.folder / _CONTEXT)
    with weightless():
        vectors = torch.empty(len(vocabulary.pretrained), _width(words["vector_width"]))
        return bilstm_encoder(
            vocabulary, vectors, settings, context=context, finetune_vectors=settings.finetune_vectors
        )


def _width(value: object) -> int:
    if not isinstance(value, int) or not 1 <= value <= _WIDEST:
        raise ValueError(f"vectors that are {value!r} wide")
    return value


BILSTM: Final = EncoderKind(_new, _save, _load, reads_vectors=True)

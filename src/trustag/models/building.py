"""Make the network a recipe asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import torch
from torch import Tensor, nn

from trustag.errors import InputError
from trustag.models.bilstm import BiLSTMEncoder, BiLSTMSizes
from trustag.models.context import Context, FrozenContext
from trustag.models.network import Network
from trustag.models.transformer import TransformerEncoder, TransformerOptions
from trustag.models.vocabulary import Vocabulary, learn_vocabulary, rows_seen_once
from trustag.models.word_table import WordTable
from trustag.notes import Watch
from trustag.recipes.network_settings import BiLSTMSettings, TransformerSettings
from trustag.recipes.settings import Recipe
from trustag.text.labels import LabelSet
from trustag.vectors.word_vectors import Lookup


@dataclass(frozen=True, slots=True)
class GivenVectors:
    """Word vectors to start from: the words and a row for each."""

    words: Sequence[str]
    rows: Tensor


def fresh_network(
    sentences: Sequence[Sequence[str]],
    vectors: GivenVectors | None,
    labels: LabelSet,
    recipe: Recipe,
    watch: Watch,
    context: Context | None = None,
) -> Network:
    """Return a network to train on ``sentences``; a BiLSTM starts from ``vectors`` or, if asked for, random ones.

    The context that a recipe names is loaded unless it is at hand already, as ``context``.
    """
    settings = recipe.bilstm
    if recipe.model.encoder == "transformer":
        encoder: nn.Module = _pretrained(sentences, recipe.transformer, watch)
    else:
        if settings.context and context is None:
            context = FrozenContext.from_pretrained(settings.context, settings.context_layers, watch)
        encoder = _fresh_bilstm(sentences, vectors, settings, context)
    return network_of(encoder, labels, recipe)


def network_of(encoder: nn.Module, labels: LabelSet, recipe: Recipe) -> Network:
    """Return a network around ``encoder``, with a chain where the recipe wants one."""
    width = int(encoder.width)  # type: ignore[arg-type]
    drawn = recipe.model.chain_start == "drawn"
    return Network(encoder, width, len(labels), with_chain=recipe.model.chain, drawn_chain=drawn)


def bilstm_encoder(
    vocabulary: Vocabulary,
    vectors: Tensor,
    settings: BiLSTMSettings,
    seen_once: Tensor | None = None,
    context: Context | None = None,
) -> BiLSTMEncoder:
    """Return a BiLSTM encoder over a vocabulary whose pretrained words have these vectors."""
    table = WordTable(len(vocabulary.learned), vectors, "trained" if settings.vectors_learn else "frozen")
    sizes = BiLSTMSizes(
        words=vectors.shape[1],
        characters=settings.characters,
        character_hidden=settings.character_hidden,
        hidden=settings.hidden,
        dropout=settings.dropout,
        word_dropout=settings.word_dropout,
        singletons=settings.singletons,
    )
    return BiLSTMEncoder(vocabulary, table, sizes, seen_once, context)


def lookup_of(settings: BiLSTMSettings) -> Lookup:
    """Return how forgiving the search for words is."""
    return Lookup(settings.case_fallback, settings.fold_digits, settings.zero_digits)


def _fresh_bilstm(
    sentences: Sequence[Sequence[str]],
    vectors: GivenVectors | None,
    settings: BiLSTMSettings,
    context: Context | None,
) -> BiLSTMEncoder:
    if vectors is None:
        if not settings.random_vectors:
            raise InputError(
                "no word vectors were given",
                remedy="name a file with --vectors, or accept worse results with --set bilstm.random_vectors=true",
            )
        vectors = GivenVectors((), torch.empty(0, settings.words))
    vocabulary = learn_vocabulary(sentences, vectors.words, lookup_of(settings), settings.min_count)
    seen_once = torch.tensor(rows_seen_once(vocabulary, sentences)) if settings.singletons else None
    return bilstm_encoder(vocabulary, vectors.rows, settings, seen_once, context)


def _pretrained(sentences: Sequence[Sequence[str]], settings: TransformerSettings, watch: Watch) -> TransformerEncoder:
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

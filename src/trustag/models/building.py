"""Make the network that settings ask for."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import torch
from torch import Tensor, nn

from trustag.errors import InputError
from trustag.models.bilstm import BiLSTMEncoder, BiLSTMSizes
from trustag.models.context import Context, FrozenContext
from trustag.models.heads import HEADS
from trustag.models.network import Network
from trustag.models.transformer import TransformerEncoder, TransformerOptions
from trustag.models.vocabulary import Vocabulary, learn_vocabulary, rows_seen_once
from trustag.models.word_table import WordTable
from trustag.notes import Watch
from trustag.recipes.network_settings import BiLSTMSettings, ModelSettings, NetworkSettings, TransformerSettings
from trustag.text.label_sets import LabelSet
from trustag.vectors.word_vectors import Lookup


@dataclass(frozen=True, slots=True)
class GivenVectors:
    """Word vectors to start from: the words and a row for each."""

    words: Sequence[str]
    rows: Tensor


@dataclass(frozen=True, slots=True)
class NetworkSpec:
    """What networks of a run are made from: settings, word vectors to start from, frozen embeddings beside them.

    ``finetune_vectors`` says whether the word vectors of this network learn, whatever the settings say of others.
    """

    settings: NetworkSettings
    vectors: GivenVectors | None
    context: Context | None
    finetune_vectors: bool

    @property
    def legal_only(self) -> bool:
        """Whether predictions are kept to legal label sequences."""
        return self.settings.model.constraints != "none"


def new_network(sentences: Sequence[Sequence[str]], labels: LabelSet, spec: NetworkSpec, watch: Watch) -> Network:
    """Return an untrained network for the words of ``sentences``.

    The frozen encoder that the settings name is loaded unless it is at hand already.
    """
    settings, context = spec.settings.bilstm, spec.context
    if spec.settings.model.encoder == "transformer":
        encoder: nn.Module = _pretrained(sentences, spec.settings.transformer, watch)
    else:
        if settings.context and context is None:
            context = FrozenContext.from_pretrained(
                settings.context, settings.context_layers, settings.context_mix, watch
            )
        encoder = _new_bilstm(sentences, spec, context)
    return network_of(encoder, labels, spec.settings.model)


def network_of(encoder: nn.Module, labels: LabelSet, settings: ModelSettings) -> Network:
    """Return a network around ``encoder`` with the head that the settings choose."""
    width = int(encoder.width)  # type: ignore[arg-type]
    return Network(encoder, HEADS[settings.head](labels, width, settings))


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


def _new_bilstm(sentences: Sequence[Sequence[str]], spec: NetworkSpec, context: Context | None) -> BiLSTMEncoder:
    settings, vectors = spec.settings.bilstm, spec.vectors
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

"""Make the network a recipe asks for."""

from collections.abc import Sequence

import torch
from torch import Tensor

from trustag.errors import InputError
from trustag.models.bilstm import BiLSTMEncoder, BiLSTMSizes
from trustag.models.network import Network
from trustag.models.vocabulary import Spelling, Vocabulary, learn_vocabulary
from trustag.models.word_table import WordTable
from trustag.recipes.settings import BiLSTMSettings, Recipe
from trustag.text.labels import LabelSet


def spelling_of(settings: BiLSTMSettings) -> Spelling:
    """Return how forgiving the search for words is."""
    return Spelling(settings.case_fallback, settings.fold_digits)


def bilstm_network(vocabulary: Vocabulary, vectors: Tensor, labels: LabelSet, recipe: Recipe) -> Network:
    """Return a fresh BiLSTM network over a vocabulary whose pretrained words have these vectors."""
    settings = recipe.bilstm
    table = WordTable(len(vocabulary.learned), vectors, "trained" if settings.vectors_learn else "frozen")
    sizes = BiLSTMSizes(
        words=vectors.shape[1],
        characters=settings.characters,
        character_hidden=settings.character_hidden,
        hidden=settings.hidden,
        dropout=settings.dropout,
        word_dropout=settings.word_dropout,
    )
    encoder = BiLSTMEncoder(vocabulary, table, sizes)
    return Network(encoder, encoder.width, len(labels), with_chain=recipe.model.chain)


def fresh_network(
    sentences: Sequence[Sequence[str]], words: Sequence[str], vectors: Tensor | None, labels: LabelSet, recipe: Recipe
) -> Network:
    """Return a network for training on ``sentences``, with given word vectors or, if asked for, random ones."""
    settings = recipe.bilstm
    if vectors is None:
        if not settings.random_vectors:
            raise InputError(
                "no word vectors were given",
                remedy="name a file with --vectors, or accept worse results with --set bilstm.random_vectors=true",
            )
        words, vectors = (), torch.empty(0, settings.words)
    vocabulary = learn_vocabulary(sentences, words, spelling_of(settings), settings.min_count)
    return bilstm_network(vocabulary, vectors, labels, recipe)

"""The word vectors a training starts from: those its words need, and the most frequent others for later use."""

from collections.abc import Mapping

import numpy as np
import torch

from trustag.errors import InputError
from trustag.models.bilstm_building import lookup_of
from trustag.models.encoder_kinds import find_encoder
from trustag.models.network_spec import GivenVectors
from trustag.notes import Note, Watch
from trustag.recipes.settings import Recipe
from trustag.vectors.advice import advice, likely_language
from trustag.vectors.coverage import coverage
from trustag.vectors.vector_loading import load_vectors


def given_vectors(recipe: Recipe, counts: Mapping[str, int], watch: Watch) -> GivenVectors | None:
    """Return the vectors that a recipe names for the words counted in ``counts``; how far they reach is noted.

    None where it needs none: transformers, and random vectors asked for. Otherwise the want of vectors is an error that
    advises which to fetch, since a tagger on random vectors is worse than it could be and nobody should train one
    unknowingly.
    """
    settings = recipe.bilstm
    if not find_encoder(recipe.model.encoder).reads_vectors or (not settings.vectors and settings.random_vectors):
        return None
    if not settings.vectors:
        remedy = "or accept worse results with --set bilstm.random_vectors=true"
        raise InputError(advice(likely_language(counts)), remedy=remedy)
    lookup = lookup_of(settings)
    vectors = load_vectors(settings.vectors, counts, lookup, settings.kept_vectors, watch)
    reach = coverage(vectors, counts, lookup)
    detail = f"{reach.token_share:.1%} of the tokens, {reach.type_share:.1%} of the distinct words"
    watch(Note("info", "word vectors know", detail))
    return GivenVectors(vectors.words, torch.from_numpy(np.array(vectors.matrix, dtype=np.float32)))

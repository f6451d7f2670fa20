"""The word vectors a training starts from: those its words need, and the most frequent others for later use."""

from collections.abc import Mapping
from pathlib import Path

import torch

from trustag.files.inputs import InputFile
from trustag.models.building import GivenVectors, lookup_of
from trustag.recipes.settings import BiLSTMSettings
from trustag.results import Note, Watch
from trustag.vectors.coverage import coverage
from trustag.vectors.text_files import read_vectors


def given_vectors(settings: BiLSTMSettings, counts: Mapping[str, int], watch: Watch) -> GivenVectors | None:
    """Return the vectors that the settings name, or None where they name none; how far they reach is noted."""
    if not settings.vectors:
        return None
    lookup = lookup_of(settings)
    file = InputFile(Path(settings.vectors))
    vectors = read_vectors(file, lookup.all_forms(counts), watch, also_first=settings.kept_vectors)
    reach = coverage(vectors, counts, lookup)
    detail = f"{reach.token_share:.1%} of the tokens, {reach.type_share:.1%} of the distinct words"
    watch(Note("info", "word vectors know", detail))
    return GivenVectors(vectors.words, torch.from_numpy(vectors.matrix))

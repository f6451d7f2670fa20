"""The frozen features that networks of a run read beside word vectors: computed once, then read from the run folder.

They are also kept for other runs that read the same sentences with the same encoder.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

from trustag.engines import Engine
from trustag.errors import InputError
from trustag.files.outputs import draft_folder, new_folder
from trustag.models.context import CONTEXT_FILES, FrozenContext
from trustag.models.encoder_kinds import find_encoder
from trustag.models.encoders import Tokens
from trustag.models.stored_context import StoredContext, features_file, write_features
from trustag.notes import Note, Watch
from trustag.recipes.settings import Recipe
from trustag.vectors.feature_cache import FeatureCache
from trustag.vectors.packages import checksum

# A piece of work for one worker: large enough that loading the transformer for it does not count.
_SENTENCES_A_PART: Final = 1024
# Another version of one of these may round differently.
_LIBRARIES: Final = ("torch", "transformers", "tokenizers")


@dataclass(frozen=True, slots=True)
class FeaturesReport:
    """Frozen features are being computed: of how many sentences they are there, and of how many they will be."""

    sentences: int
    of: int


def given_context(recipe: Recipe, watch: Watch) -> FrozenContext | None:
    """Return the context that a recipe names, None where it names none; what it consists of is noted."""
    settings = recipe.bilstm
    if not settings.context:
        return None
    if not find_encoder(recipe.model.encoder).reads_vectors:
        raise InputError(
            f"bilstm.context with model.encoder = {recipe.model.encoder!r}, which is one itself and learns",
            remedy="leave out the context, or choose a recipe whose encoder is bilstm",
        )
    context = FrozenContext.from_pretrained(settings.context, settings.context_layers, settings.context_mix, watch)
    chosen = context.config.layers
    layers = ("layers " if len(chosen) > 1 else "layer ") + " and ".join(map(str, chosen))
    if len(chosen) > 1 and settings.context_mix == "mean":
        layers = f"the mean of {layers}"
    detail = f"{context.width} numbers a token, from {layers} of {settings.context}; computed once"
    watch(Note("info", "frozen features beside the word vectors", detail))
    return context


@dataclass(frozen=True, slots=True)
class FeatureCost:
    """The processor seconds of a run's features: of those computed now, and of those that an earlier run computed."""

    computed: float = 0.0
    reused: float = 0.0


def stored_context(
    context: FrozenContext,
    sentences: Iterable[Tokens],
    folder: Path,
    engine: Engine,
    report: Callable[[FeaturesReport], None],
    cache: FeatureCache,
) -> tuple[StoredContext, FeatureCost]:
    """Return ``context`` with the features of ``sentences``, which are left in ``folder`` for whoever comes again.

    Parts of the corpus always are the same ones and each is computed by itself, so that nothing depends on the engine,
    nor on what the ``cache`` holds.
    """
    cost = FeatureCost()
    if not folder.exists():
        distinct = list(dict.fromkeys(tuple(tokens) for tokens in sentences))
        starts = range(0, len(distinct), _SENTENCES_A_PART)
        parts = [distinct[start : start + _SENTENCES_A_PART] for start in starts]
        report(FeaturesReport(0, len(distinct)))
        with new_folder(folder) as draft, draft_folder(draft) as encoder:
            context.save(encoder)
            StoredContext(encoder).save(draft)
            cost = _fill(draft, encoder, parts, engine, report, cache)
    return StoredContext(folder), cost


def _fill(
    draft: Path,
    encoder: Path,
    parts: Sequence[Sequence[Tokens]],
    engine: Engine,
    report: Callable[[FeaturesReport], None],
    cache: FeatureCache,
) -> FeatureCost:
    """Put the features of all parts into ``draft``, by the context in ``encoder``, and return what they cost."""
    own = _encoder_key(encoder)
    keys = [f"{own}-{_part_key(part)}" for part in parts]
    known = [cache.take(key, features_file(draft, number)) for number, key in enumerate(keys)]
    of = sum(map(len, parts))
    done = sum(len(part) for part, cost in zip(parts, known, strict=True) if cost is not None)
    if done:
        report(FeaturesReport(done, of))
    missing = {number: part for number, part in enumerate(parts) if known[number] is None}
    computed = 0.0
    for number, seconds in _computed(draft, encoder, missing, engine):
        cache.keep(keys[number], features_file(draft, number), seconds)
        computed += seconds
        done += len(parts[number])
        report(FeaturesReport(done, of))
    return FeatureCost(computed, sum(cost for cost in known if cost is not None))


def _computed(
    folder: Path, encoder: Path, parts: Mapping[int, Sequence[Tokens]], engine: Engine
) -> Iterator[tuple[int, float]]:
    """Yield the number of each part as soon as its features are there, and the processor seconds that they took."""
    waiting = {}
    for number, part in parts.items():
        promise = engine.submit_into(folder, write_features, encoder, number, part, keep=True)
        if promise.done():  # an engine without worker processes computes while a part is submitted
            yield number, promise.result()
        else:
            waiting[promise] = number
    for promise in as_completed(waiting):
        yield waiting[promise], promise.result()


def _encoder_key(folder: Path) -> str:
    """Return a checksum of all that features depend on except the sentences."""
    facts = [checksum(folder / name) for name in CONTEXT_FILES] + [version(name) for name in _LIBRARIES]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:32]


def _part_key(sentences: Sequence[Tokens]) -> str:
    return hashlib.sha256(json.dumps([list(tokens) for tokens in sentences]).encode()).hexdigest()[:32]

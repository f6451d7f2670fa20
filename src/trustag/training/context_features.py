"""The frozen features that networks of a run read beside word vectors: computed once, then read from the run folder."""

from collections.abc import Callable, Iterable
from concurrent.futures import as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trustag.engines import Engine
from trustag.errors import InputError
from trustag.files.outputs import new_folder
from trustag.models.context import FrozenContext
from trustag.models.encoder_kinds import find_encoder
from trustag.models.encoders import Tokens
from trustag.models.stored_context import StoredContext, write_features
from trustag.notes import Note, Watch
from trustag.recipes.settings import Recipe

# A piece of work for one worker: large enough that loading the transformer for it does not count.
_SENTENCES_A_PART: Final = 1024


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
    context = FrozenContext.from_pretrained(settings.context, settings.context_layers, watch)
    chosen = context.config.layers
    layers = ("layers " if len(chosen) > 1 else "layer ") + " and ".join(map(str, chosen))
    detail = f"{context.width} numbers a token, from {layers} of {settings.context}; computed once"
    watch(Note("info", "frozen features beside the word vectors", detail))
    return context


def stored_context(
    context: FrozenContext,
    sentences: Iterable[Tokens],
    folder: Path,
    engine: Engine,
    report: Callable[[FeaturesReport], None],
) -> StoredContext:
    """Return ``context`` with the features of ``sentences``, which are left in ``folder`` for whoever comes again.

    Parts of the corpus always are the same ones and each is computed by itself, so that nothing depends on the engine.
    """
    if not folder.exists():
        distinct = list(dict.fromkeys(tuple(tokens) for tokens in sentences))
        with new_folder(folder) as draft:
            context.save(draft)
            starts = range(0, len(distinct), _SENTENCES_A_PART)
            parts = [distinct[start : start + _SENTENCES_A_PART] for start in starts]
            promises = {
                engine.submit(write_features, draft, number, part): len(part) for number, part in enumerate(parts)
            }
            report(FeaturesReport(0, len(distinct)))
            done = 0
            for promise in as_completed(promises):
                promise.result()
                done += promises[promise]
                report(FeaturesReport(done, len(distinct)))
    return StoredContext(folder)

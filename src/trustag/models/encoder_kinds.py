"""Kinds of encoders: how one is made, kept in a model folder, and read from there.

Those that a recipe can choose are listed in ``recipes.network_settings``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import nn

from trustag.errors import InputError
from trustag.models.context import Context
from trustag.models.encoders import Tokens
from trustag.models.network_spec import NetworkSpec
from trustag.notes import Watch
from trustag.recipes.named_parts import load_part
from trustag.recipes.network_settings import ENCODERS, NetworkSettings
from trustag.vectors.word_vectors import Lookup


@dataclass(frozen=True, slots=True)
class StoredEncoder:
    """What a model folder says of its encoder: the files, the ``facts`` of its description, the checked settings.

    ``lookup`` says how words are looked up. A ``context`` that is at hand already stands in for the model's own.
    """

    folder: Path
    facts: Mapping[str, Any]
    settings: NetworkSettings
    lookup: Lookup
    context: Context | None


@dataclass(frozen=True, slots=True)
class EncoderKind:
    """A kind of encoder.

    ``build`` returns an untrained one for the words of some sentences. ``save`` writes the files of one into a model
    folder, but not its weights, and returns facts for the description; ``load`` returns one without memory for its
    weights. ``reads_vectors`` tells whether it starts from word vectors and may read a frozen context.

    Parameters called ``transformer.…`` learn at the rate of a transformer, one called ``table.rows`` learns as word
    vectors do.
    """

    build: Callable[[Sequence[Tokens], NetworkSpec, Watch], nn.Module]
    save: Callable[[nn.Module, Path], Mapping[str, Any]]
    load: Callable[[StoredEncoder], nn.Module]
    reads_vectors: bool = False


def find_encoder(name: str, *, imports: bool = True) -> EncoderKind:
    """Return the kind of encoder called ``name``: one of ``ENCODERS``, or ``package.module:NAME``.

    Unless it ``imports``, code from outside this package must have been imported before.
    """
    found = load_part(name, ENCODERS, "encoder", imports=imports)
    if not isinstance(found, EncoderKind):
        raise InputError(f"{name!r} is no encoder", remedy="see trustag.models.encoder_kinds.EncoderKind")
    return found


def stored_strings(values: object) -> tuple[str, ...]:
    """Return a list of strings from the description of a model; anything else is an error."""
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError("expected a list of strings")
    return tuple(values)

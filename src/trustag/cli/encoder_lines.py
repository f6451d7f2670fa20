"""Facts on encoders and on their kept features, as text for people and as plain values for programs."""

from collections.abc import Iterator
from typing import Any

from trustag.cli.vector_lines import megabytes
from trustag.vectors.encoder_fetching import is_stored, stored_bytes
from trustag.vectors.encoder_sources import EncoderSource
from trustag.vectors.feature_cache import LIMIT_VARIABLE, features_folder, features_limit, kept_bytes


def encoder_as_value(source: EncoderSource) -> dict[str, Any]:
    """Return the facts on an encoder as plain values."""
    return {
        "name": source.name,
        "kind": "encoder",
        "summary": source.summary,
        "languages": source.languages,
        "case": source.case,
        "parameters": source.parameters * 1_000_000,
        "layers": source.layers,
        "width": source.width,
        "licence": source.licence,
        "carried_by": {
            "manager": source.packages[0].manager,
            "packages": [package.name for package in source.packages],
            "version": source.packages[0].version,
            "bytes": source.fetched_bytes,
        },
        "stored_bytes": stored_bytes(source) if is_stored(source) else None,
    }


def encoder_lines(source: EncoderSource) -> Iterator[str]:
    """Yield the facts on an encoder."""
    state = f"stored, {megabytes(stored_bytes(source))}" if is_stored(source) else "not downloaded"
    size = f"{source.parameters} million parameters, {source.layers} layers, {source.width} values each"
    first, *others = source.packages
    packages = str(first) if not others else f"{first} and {len(others)} more"
    yield f"{source.name}  [{state}]"
    yield f"    {', '.join(source.languages)}: encoder for --context, {size}, {source.case}"
    yield f"    {source.summary}"
    yield f"    {packages}, {megabytes(source.fetched_bytes)}; licence: {source.licence}"


def kept_features_line() -> str:
    """Return how many features of --context are kept, how many may be, and where."""
    folder, limit = features_folder(), features_limit()
    kept = megabytes(kept_bytes(folder))
    return f"features of --context: {kept} of at most {megabytes(limit)} ({LIMIT_VARIABLE}) in {folder}"

"""Facts on word vectors as text for people and as plain values for programs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trustag.cli.output import aligned
from trustag.errors import printable
from trustag.vectors.coverage import Coverage
from trustag.vectors.inspection import VectorFacts
from trustag.vectors.sources import NamedSource
from trustag.vectors.storing import StoredVectors


def source_as_value(source: NamedSource, stored: StoredVectors | None) -> dict[str, Any]:
    """Return the facts on named vectors as plain values."""
    return {
        "name": source.name,
        "summary": source.summary,
        "languages": source.languages,
        "case": source.case,
        "entries": source.entries,
        "pieces": source.is_pieces,
        "width": source.width if stored is None else stored.width,
        "full_width": source.full_width,
        "licence": source.licence,
        "carried_by": {
            "manager": source.package.manager,
            "package": source.package.name,
            "version": source.package.version,
            "bytes": source.fetched_bytes,
        },
        "stored_bytes": None if stored is None else stored.bytes,
    }


def stored_as_value(stored: StoredVectors) -> dict[str, Any]:
    """Return the facts on a user's own vectors as plain values."""
    return {
        "name": stored.name,
        "url": stored.origin,
        "entries": stored.entries,
        "width": stored.width,
        "licence": stored.licence,
        "stored_bytes": stored.bytes,
    }


def source_lines(source: NamedSource, stored: StoredVectors | None) -> Iterator[str]:
    """Yield the facts on named vectors."""
    width = source.width if stored is None else stored.width
    kind = "pieces" if source.is_pieces else "words"
    state = "not downloaded" if stored is None else f"stored, {megabytes(stored.bytes)}"
    yield f"{source.name}  [{state}]"
    yield f"    {', '.join(source.languages)}: {source.entries:,} {kind}, {width} values each, {source.case}"
    yield f"    {source.summary}"
    yield f"    {source.package}, {megabytes(source.fetched_bytes)}; licence: {source.licence}"


def own_lines(stored: StoredVectors) -> Iterator[str]:
    """Yield the facts on a user's own vectors."""
    yield f"{stored.name}  [stored, {megabytes(stored.bytes)}]"
    yield f"    {stored.entries:,} words, {stored.width} values each; from {stored.origin}"


def stored_lines(stored: StoredVectors, folder: Path) -> Iterator[str]:
    """Yield what was stored and where."""
    kind = "pieces" if stored.form.endswith("pieces") else "words"
    yield f"{stored.name}: {stored.entries:,} {kind}, {stored.width} values each, from {stored.origin}"
    if stored.variance_kept is not None:
        yield f"  reduced, {stored.variance_kept:.1%} of the variance kept"
    yield f"  {folder}, {megabytes(stored.bytes)}"
    yield f"  sha256 of the download: {stored.sha256}"


def coverage_as_value(reach: Coverage) -> dict[str, Any]:
    """Return the coverage of a corpus as plain values."""
    return {
        "types": reach.types,
        "tokens": reach.tokens,
        "type_share": reach.type_share,
        "token_share": reach.token_share,
        "types_by_manner": reach.types_by_manner,
        "tokens_by_manner": reach.tokens_by_manner,
        "missing": reach.missing,
    }


def fact_lines(facts: VectorFacts) -> Iterator[str]:
    """Yield a description of vectors."""
    kind = "pieces" if facts.form.endswith("pieces") else "words"
    yield f"{facts.name}: {facts.entries:,} {kind}, {facts.width} values each"
    if facts.form == "text":
        header = facts.header
        says = "none" if header is None else f"{header.words:,} words of {header.width} values"
        yield f"  header     {says}"
        yield f"  dropped    {facts.wrong_rows:,} malformed rows, {facts.repeated:,} duplicate words"
    yield f"  case       {facts.lower_case_share:.1%} of the {kind} with letters are lower-case"
    yield f"  length     {facts.mean_length:.3g} on average"
    yield f"  first      {' '.join(printable(word) for word in facts.examples)}"


def coverage_lines(reach: dict[str, Coverage]) -> Iterator[str]:
    """Yield a table of the coverage of each split, and the most frequent words without a vector."""
    if not reach:
        return
    header = ("with a vector", "words", "distinct", "exact", "lower-case", "digits folded", "both")
    rows: list[tuple[str, ...]] = [header]
    for split, found in reach.items():
        shares = [count / found.tokens if found.tokens else 0.0 for count in found.tokens_by_manner.values()]
        rows.append((split, *(f"{share:.1%}" for share in (found.token_share, found.type_share, *shares))))
    yield ""
    yield from aligned(rows, header=True)
    missing = [f"{printable(word)} ({count:,})" for word, count in list(reach.values())[-1].missing]
    if missing:
        yield f"  without a vector: {', '.join(missing)}"


def megabytes(count: int) -> str:
    """Return a number of bytes in megabytes."""
    return f"{count / 1e6:,.1f} MB" if count < 10e6 else f"{count / 1e6:,.0f} MB"

"""All formats by name."""

from typing import Final

from trustag.errors import InputError
from trustag.files import (
    bond,
    brat,
    conll,
    csv_tables,
    doccano,
    entity_lists,
    gliner,
    hugging_face,
    jsonl,
    label_studio,
    parquet,
    prodigy,
    roster,
    spacy_docbin,
    spert,
)
from trustag.files.formats import Format

MODULES: Final = (
    conll,
    csv_tables,
    jsonl,
    hugging_face,
    parquet,
    bond,
    roster,
    spacy_docbin,
    doccano,
    label_studio,
    prodigy,
    brat,
    gliner,
    spert,
    entity_lists,
)

FORMATS: Final[dict[str, Format]] = {module.FORMAT.name: module.FORMAT for module in MODULES}


def find_format(name: str) -> Format:
    """Return the format called ``name``."""
    try:
        return FORMATS[name]
    except KeyError:
        raise InputError(f"unknown format {name!r}", remedy=f"choose one of: {', '.join(FORMATS)}") from None

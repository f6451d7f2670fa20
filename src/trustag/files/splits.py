"""The three splits of a corpus, and the names that files and folders use for them."""

import re
from typing import Final

SPLITS: Final = ("train", "dev", "test")
_NAMES: Final = {
    "train": "train",
    "training": "train",
    "dev": "dev",
    "devel": "dev",
    "development": "dev",
    "valid": "dev",
    "val": "dev",
    "validation": "dev",
    "testa": "dev",
    "test": "test",
    "testb": "test",
    "testing": "test",
}


def split_of(name: str) -> str | None:
    """Return the split that the name of a file, folder or split stands for, or None.

    >>> split_of("eng.testa"), split_of("validation"), split_of("train-00000-of-00001.parquet"), split_of("notes.txt")
    ('dev', 'dev', 'train', None)
    """
    found = {_NAMES[part] for part in re.split(r"[^a-z]+", name.lower()) if part in _NAMES}
    return found.pop() if len(found) == 1 else None

"""The three parts of a corpus under the many names that files and folders give them."""

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
    """Return the split that a file, folder or split name stands for, or None where it says nothing.

    >>> split_of("eng.testa"), split_of("validation"), split_of("train-00000-of-00001.parquet"), split_of("notes.txt")
    ('dev', 'dev', 'train', None)
    """
    found = {_NAMES[part] for part in re.split(r"[^a-z]+", name.lower()) if part in _NAMES}
    return found.pop() if len(found) == 1 else None

"""Stored vectors come back as they were, byte for byte, and any change of a file is noticed."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from tests.vectors.made_up import files_under
from trustag.errors import InputError
from trustag.vectors.packages import checksum
from trustag.vectors.storing import (
    StoredVectors,
    checked_files,
    describe,
    form_of,
    load_table,
    store,
    stored_names,
    write_table,
)
from trustag.vectors.subword_tokenizers import (
    BytePairTokenizer,
    SubwordTokenizer,
    UnigramTokenizer,
    WordPieceTokenizer,
)
from trustag.vectors.tables import VectorTable

ENTRIES = ("▁a", "b", "##c", "中", "half \ud800".encode(errors="replace").decode())
CUTTERS: list[SubwordTokenizer | None] = [
    None,
    BytePairTokenizer(("▁ a", "a b"), frozenset(ENTRIES)),
    WordPieceTokenizer(frozenset(ENTRIES)),
    UnigramTokenizer(dict(zip(ENTRIES, (-1.5, -2.25, -0.1, -3.0, -4.0), strict=True)), {"c": "b"}),
]


def table(cutter: SubwordTokenizer | None = None) -> VectorTable:
    rows = np.array([0, 2, 2, 1, 0], dtype=np.int32)
    return VectorTable("small", ENTRIES, rows, np.arange(6, dtype=np.float32).reshape(3, 2).T.copy().T, cutter)


def kept(own: VectorTable, *, overwrite: bool = False) -> StoredVectors:
    description = StoredVectors(own.name, "made up", "none", form_of(own), len(own.entries), own.width, "0" * 64)
    return store(description, lambda folder: write_table(own, folder), overwrite=overwrite)


@pytest.mark.parametrize("cutter", CUTTERS, ids=["words", "merging", "longest", "most probable"])
def test_a_table_comes_back_as_it_was(cutter: SubwordTokenizer | None, cache: Path) -> None:
    written = table(cutter)
    stored = kept(written)
    assert describe("small") == stored
    read = load_table(stored)
    assert (read.entries, read.rows.tolist(), read.matrix.tolist()) == (
        written.entries,
        written.rows.tolist(),
        written.matrix.tolist(),
    )
    assert type(read.tokenizer) is type(cutter)
    if cutter is not None and read.tokenizer is not None:
        assert [read.tokenizer.tokenize(word) for word in ("ab", "abc", "中")] == [
            cutter.tokenize(w) for w in ("ab", "abc", "中")
        ]


def test_size_and_checksums_are_those_of_the_files(cache: Path) -> None:
    stored = kept(table())
    folder = cache / "vectors" / "small"
    found = {name: (folder / name).read_bytes() for name in files_under(folder) - {"source.json"}}
    assert set(stored.files) == set(found)
    assert stored.bytes == sum(map(len, found.values()))
    for name, data in found.items():
        assert stored.files[name].sha256 == hashlib.sha256(data).hexdigest() == checksum(folder / name)
    assert checked_files(stored) == folder


@pytest.mark.parametrize("cutter", CUTTERS[1:], ids=["merging", "longest", "most probable"])
def test_one_changed_byte_in_any_file_is_noticed(cutter: SubwordTokenizer, cache: Path) -> None:
    stored = kept(table(cutter))
    folder = cache / "vectors" / "small"
    for name in stored.files:
        original = (folder / name).read_bytes()
        (folder / name).write_bytes(original[:-1] + bytes([original[-1] ^ 1]))
        with pytest.raises(InputError, match=name):
            checked_files(stored)
        (folder / name).unlink()
        with pytest.raises(InputError, match=name):
            load_table(stored)
        (folder / name).write_bytes(original)
    checked_files(stored)


def test_a_failure_while_filling_leaves_nothing_and_names_are_sorted(cache: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").write_bytes(b"1")
        raise KeyError

    assert list(stored_names()) == []
    assert describe("small") is None
    with pytest.raises(KeyError):
        store(StoredVectors("broken", "", "", "words", 0, 0, ""), fail, overwrite=False)
    assert list(stored_names()) == []
    assert not any("half" in name for name in files_under(cache))
    kept(table())
    with pytest.raises(InputError, match="small"):
        kept(table())
    kept(table(CUTTERS[2]), overwrite=True)
    found = describe("small")
    assert found is not None
    assert found.form == "longest-match pieces"
    assert list(stored_names()) == ["small"]

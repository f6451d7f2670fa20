"""Mutated files: another content every time, the same for the same seed, and still of their kind where meant."""

import io
import json
import random
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save

from attack.mutating import (
    changed,
    changed_archive,
    changed_bytes,
    changed_database,
    changed_json,
    changed_tensors,
    changed_toml,
)

JSON = json.dumps({"width": 3, "labels": ["O", "B-PER"], "deep": {"rate": 0.5, "none": None}}).encode()
LINES = b'{"a": 1}\n{"b": [1, 2]}\n{"c": {"d": "e"}}\n'
TOML = b'[training]\nepochs = 3\nrate = 0.5\nname = "x"\n'
TENSORS = save({"one": torch.ones(2, 3), "two": torch.zeros(4, dtype=torch.int64)})


def archive() -> bytes:
    stream = io.BytesIO()
    np.savez(stream, one=np.ones(3), two=np.zeros((2, 2)))
    return stream.getvalue()


def database(folder: Path) -> bytes:
    path = folder / "log.sqlite"
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE corpus (fingerprint TEXT)")
        base.execute("CREATE TABLE decisions (number INTEGER PRIMARY KEY, verdict TEXT)")
        base.executemany("INSERT INTO decisions VALUES (?, ?)", [(number, "accepted") for number in range(9)])
        base.execute("INSERT INTO corpus VALUES ('x')")
        base.commit()
    return path.read_bytes()


@pytest.mark.parametrize(
    ("mutate", "content"),
    [
        (changed_bytes, JSON),
        (changed_json, JSON),
        (changed_json, LINES),
        (changed_toml, TOML),
        (changed_tensors, TENSORS),
        (changed_archive, archive()),
    ],
)
def test_contents_change_in_many_ways_and_each_can_be_had_again(
    mutate: Callable[[bytes, random.Random], bytes], content: bytes
) -> None:
    found = [mutate(content, random.Random(seed)) for seed in range(60)]
    assert found == [mutate(content, random.Random(seed)) for seed in range(60)]
    assert len(set(found) - {content}) > 20


def test_json_stays_json_but_for_numbers_that_no_float_holds() -> None:
    for seed in range(200):
        json.loads(changed_json(JSON, random.Random(seed)))
        for line in changed_json(LINES, random.Random(seed)).splitlines():
            json.loads(line)


def test_a_database_is_still_one(tmp_path: Path) -> None:
    whole = database(tmp_path)
    path = tmp_path / "changed.sqlite"
    readable = 0
    for seed in range(40):
        path.write_bytes(changed_database(whole, random.Random(seed)))
        with closing(sqlite3.connect(path)) as base:
            try:
                readable += base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            except sqlite3.DatabaseError:
                continue
    assert readable > 20


def test_the_header_of_tensors_mostly_has_the_length_that_it_says() -> None:
    fitting = 0
    for seed in range(100):
        content = changed_tensors(TENSORS, random.Random(seed))
        (length,) = struct.unpack("<Q", content[:8])
        fitting += content[8 + length - 1 : 8 + length].strip()[-1:] in {b"}", b"]", b" ", b""}
    assert fitting > 80


def test_every_file_can_be_mutated_even_an_empty_one() -> None:
    for name in ("a.json", "b.jsonl", "c.toml", "d.safetensors", "e.npz", "f.sqlite", "g"):
        assert isinstance(changed(name, b"", random.Random(1)), bytes)

"""Mutated files: bytes changed anywhere, and values changed where the file keeps its structure."""

import io
import json
import random
import re
import sqlite3
import struct
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, TypeAlias

Mutator: TypeAlias = Callable[[bytes, random.Random], bytes]

_HUGE: Final = "a number that JSON can write and a float cannot hold"  # replaced by 1e400 in the text
_VALUES: Final[Sequence[object]] = (
    *(None, True, False, 0, 1, -1, 2, 3, 7, 0.5, -0.0, 1.5, 1e308, 1e-320, 2**31, 2**63, 2**64, 10**30, -(2**63)),
    *(
        "",
        " ",
        "O",
        "B-PER",
        "I-",
        "-",
        "x" * 5_000,
        "\x00",
        "\x1b[2J",
        "\u202e",
        "<script>alert(1)</script>",
        "../../x",
    ),
    *("NaN", "1e400", "None", "2026-13-45T99:99:99", "PER\nLOC", "\ud800"),
    *(_HUGE, [], {}, [0, 0], [1, 0], [[0, 1, "PER"]], [[5, 2, "PER"]]),
)
_TOML_VALUES: Final = (
    *("0", "-1", "1e400", "nan", "inf", "-inf", "1e308", "9223372036854775807", "99999999999999999999", '""', "[]"),
    *("{}", "true", '"x"', "1979-05-27", "[[1]]", "0.5", "1", '"\\u0000"', "", "=", '"', "[1,"),
)
_SQL_VALUES: Final = (
    *(None, 0, -1, 1, 2**62, -(2**63), "", "x", "[]", "[[0,1]]", '[[0,1,"PER"]]', '[{"start":1e400}]', "accepted"),
    *("undone", "2026", "1e400", "\x00", "<b>", "nothing"),
)


def changed_bytes(content: bytes, rng: random.Random) -> bytes:
    """Return the content with some of its bytes changed, lost, repeated or added."""
    if not content:
        return rng.randbytes(rng.randint(1, 200))
    first = rng.randrange(len(content))
    end = min(len(content), first + rng.choice([1, 4, 16, 200, 4096]))
    kinds: list[Callable[[], bytes]] = [
        lambda: b"",
        lambda: content[:first],
        lambda: content[first:],
        lambda: content[:first] + content[end:],
        lambda: content[:end] + content[first:],
        lambda: content[:first] + rng.randbytes(end - first) + content[end:],
        lambda: content[:first] + bytes(end - first) + content[end:],
        lambda: content[:first] + b"\xff" * (end - first) + content[end:],
        lambda: content[:first] + bytes([content[first] ^ 1 << rng.randrange(8)]) + content[first + 1 :],
        lambda: content[:first] + rng.choice([b"\n", b"\0", b"{", b"]", b'"', b"\xef\xbb\xbf"]) + content[first:],
        lambda: re.sub(
            rb"\d+", lambda _: rng.choice([b"0", b"-1", b"1e400", b"99999999999999999999"]), content, count=1
        ),
        lambda: content + content,
        lambda: content.decode("utf-8", errors="replace").encode("utf-16"),
    ]
    return rng.choice(kinds)()


def changed_json(content: bytes, rng: random.Random) -> bytes:
    """Return a JSON value, or one line of JSON lines, with one value in it changed."""
    lines = content.splitlines() or [b"{}"]
    is_lines = len(lines) > 1 and lines[0].startswith(b"{") and lines[0].endswith(b"}")
    number = rng.randrange(len(lines)) if is_lines else 0
    whole: object = json.loads(lines[number] if is_lines else content or b"{}")
    text = json.dumps(_changed(whole, rng)).replace(json.dumps(_HUGE), "1e400").encode()
    return b"\n".join([*lines[:number], text, *lines[number + 1 :]]) + b"\n" if is_lines else text


def _changed(value: object, rng: random.Random) -> object:
    """Return a copy in which one value, at any depth, is another."""
    if not isinstance(value, dict | list) or not value or rng.random() < 0.08:
        return [[[[value]]]] if rng.random() < 0.05 else rng.choice(_VALUES)
    if isinstance(value, list):
        place = rng.randrange(len(value))
        way = rng.random()
        if way < 0.1:
            return value[:place] + value[place + 1 :]
        if way < 0.2:
            return [*value, value[place]]
        return [*value[:place], _changed(value[place], rng), *value[place + 1 :]]
    key = rng.choice(list(value))
    way = rng.random()
    if way < 0.1:
        return {name: one for name, one in value.items() if name != key}
    if way < 0.15:
        return {**value, rng.choice(["", "more", key + " "]): rng.choice(_VALUES)}
    return {**value, key: _changed(value[key], rng)}


def changed_toml(content: bytes, rng: random.Random) -> bytes:
    """Return a recipe with the value of one line changed, or a line lost or twice."""
    lines = content.decode().splitlines()
    place = rng.randrange(len(lines))
    name, _, _ = lines[place].partition("=")
    way = rng.random()
    changed = [f"{name} = {rng.choice(_TOML_VALUES)}"] if way < 0.7 else [] if way < 0.85 else [lines[place]] * 2
    return "\n".join([*lines[:place], *changed, *lines[place + 1 :]]).encode()


def changed_tensors(content: bytes, rng: random.Random) -> bytes:
    """Return a safetensors file with another header, whose length is right, or with odd numbers in it."""
    length = struct.unpack("<Q", content[:8])[0]
    header, numbers = content[8 : 8 + length], content[8 + length :]
    way = rng.random()
    if way < 0.3:
        place = rng.randrange(max(1, len(numbers) // 4)) * 4
        odd = struct.pack("<f", rng.choice([float("nan"), float("inf"), -float("inf"), 1e38, 0.0]))
        return content[: 8 + length] + numbers[:place] + odd + numbers[place + 4 :]
    if way < 0.4:
        return struct.pack("<Q", rng.choice([0, 1, length - 1, length + 1, 2**40, 2**63])) + header + numbers
    if way < 0.55:
        other = rng.choice([b'"F16"', b'"F64"', b'"I64"', b'"BOOL"', b'"BF16"', b'"X"'])
        changed = re.sub(rb'"(F32|I64|F64)"', other, header, count=1)
    elif way < 0.7:
        changed = re.sub(rb"\[(\d+),(\d+)\]", rb"[\2,\1]", header, count=rng.randint(1, 3))
    else:
        changed = changed_json(header, rng)
    return struct.pack("<Q", len(changed)) + changed + numbers


def changed_archive(content: bytes, rng: random.Random) -> bytes:
    """Return a NumPy archive in which one array has another header or other bytes, or is another's."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(list(members))
    headers: list[tuple[bytes, bytes]] = [
        (rb"\((\d+),", b"(99999999999,"),
        (rb"'descr': '[^']*'", b"'descr': '|O'"),
        (rb"'descr': '[^']*'", b"'descr': '<f2'"),
        (rb"\((\d+),", b"(0,"),
        (rb"False", b"True"),
    ]
    way = rng.random()
    if way < 0.5:
        pattern, other = rng.choice(headers)
        members[name] = re.sub(pattern, other, members[name], count=1)
    elif way < 0.7:
        members[name] = members[rng.choice(list(members))]
    elif way < 0.8:
        del members[name]
    else:
        members[name] = changed_bytes(members[name], rng)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for member, data in members.items():
            archive.writestr(member, data)
    return packed.getvalue()


def changed_database(content: bytes, rng: random.Random) -> bytes:
    """Return a log of decisions in which a value of a row, a row or a table is another."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        path = Path(folder) / "changed.sqlite"
        path.write_bytes(content)
        with closing(sqlite3.connect(path, isolation_level=None)) as base:
            triggers = [row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]
            for trigger in triggers:
                base.execute(f"DROP TRIGGER {trigger}")
            columns = [row[1] for row in base.execute("PRAGMA table_info(decisions)")]
            statement = rng.choice(
                [
                    *[f"UPDATE decisions SET {rng.choice(columns)} = ? WHERE number % 3 = {rng.randrange(3)}"] * 8,
                    "DELETE FROM decisions WHERE number % 2 = 0 AND ? IS NOT 'never'",
                    "UPDATE corpus SET fingerprint = ?",
                ]
            )
            try:
                base.execute(statement, (rng.choice(_SQL_VALUES),))
                if rng.random() < 0.1:
                    base.execute(rng.choice(["DROP TABLE decisions", "DROP TABLE corpus", "PRAGMA user_version = 99"]))
            except sqlite3.Error:
                return changed_bytes(content, rng)  # the schema forbids that value
        return path.read_bytes()


_BY_ENDING: Final[Mapping[str, Mutator]] = {
    ".json": changed_json,
    ".jsonl": changed_json,
    ".toml": changed_toml,
    ".safetensors": changed_tensors,
    ".npz": changed_archive,
    ".sqlite": changed_database,
}


def changed(name: str, content: bytes, rng: random.Random) -> bytes:
    """Return a file with a change that its kind invites, or with its bytes changed."""
    mutator = _BY_ENDING.get(Path(name).suffix, changed_bytes)
    if not content or rng.random() < 0.4:
        mutator = changed_bytes
    return mutator(content, rng)

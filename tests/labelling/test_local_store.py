"""Dumps become stores once, and stores answer like servers."""

import gzip
from pathlib import Path

import pytest

from tests.labelling.sparql_servers import ITEMS, dump
from trustag.errors import InputError
from trustag.labelling.local_store import LocalStore, is_dump, store_of_dump

LABELS = "SELECT ?item ?label ?none WHERE { ?item <http://www.w3.org/2000/01/rdf-schema#label> ?label }"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUSTAG_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("name", ["dump.nt", "dump.nt.gz"])
def test_a_dump_is_loaded_once(tmp_path: Path, name: str) -> None:
    content = dump().encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert is_dump(tmp_path / name)
    folder = store_of_dump(tmp_path / name)
    before = sorted(folder.iterdir())
    rows = LocalStore(folder).select(LABELS)
    assert sorted(row["label"] for row in rows) == sorted(label for label, _, _ in ITEMS.values())
    assert store_of_dump(tmp_path / name) == folder
    assert [path for path in before if not path.exists()] == []


def test_what_is_no_dump_or_store_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "bad.nt").write_text("<a> <b>")
    with pytest.raises(InputError, match=r"not a dump in \.nt"):
        store_of_dump(tmp_path / "bad.nt")
    assert list((tmp_path / "cache" / "knowledge").iterdir()) == []
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="cannot be opened as a store"):
        LocalStore(tmp_path / "empty")

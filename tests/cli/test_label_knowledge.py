"""``trustag label --kb`` with a real server: labels, answers that are kept, and a server that dies half-way."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.labelling.sparql_servers import dump, failing, oxigraph
from trustag.cli.label import label
from trustag.errors import InputError
from trustag.labelling import sparql


def labelled(folder: Path, *arguments: str) -> dict[str, tuple[str, str]]:
    """Return the label and source of each token."""
    done = CliRunner().invoke(label, [str(folder / "text.conll"), "-o", str(folder / "out.conll"), *arguments, "-q"])
    if done.exception is not None:
        raise done.exception
    rows = [line.split() for line in (folder / "out.conll").read_text().splitlines() if line]
    return {row[0]: (row[2], row[3]) for row in rows}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRUSTAG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sparql, "_FIRST_WAIT", 0.001)
    words = ["We", "saw", "Einstein", "in", "New", "York", "and", "Berlin", "near", "Zork"]
    (tmp_path / "text.conll").write_text("\n".join(f"{word} O" for word in words) + "\n\n")
    return tmp_path


def test_a_server_a_dump_and_kept_answers_say_the_same(folder: Path) -> None:
    with oxigraph(folder) as url, failing(url) as server:
        first = labelled(folder, "--kb", server.url)
        asked = len(server.queries)
        assert labelled(folder, "--kb", server.url, "--overwrite") == first
        assert len(server.queries) == asked > 0
    assert first["Einstein"] == ("B-PER", "kb")
    assert (first["New"], first["York"]) == (("B-LOC", "kb"), ("I-LOC", "kb"))
    assert first["Berlin"] == ("-", "kb")  # a town and a band
    assert first["Zork"] == ("-", "rule:candidate")
    (folder / "dump.nt").write_text(dump())
    assert labelled(folder, "--kb", str(folder / "dump.nt"), "--overwrite") == first


def test_a_server_that_dies_leaves_nothing_half_written(folder: Path) -> None:
    with oxigraph(folder) as url, failing(url) as server:
        server.always = "dies"
        with pytest.raises(InputError, match="cannot be read"):
            labelled(folder, "--kb", server.url)
        assert not (folder / "out.conll").exists()
        assert [path.name for path in folder.iterdir() if "part" in path.name] == []
        server.always = ""
        assert labelled(folder, "--kb", server.url)["Einstein"] == ("B-PER", "kb")


def test_a_knowledge_base_needs_candidates(folder: Path) -> None:
    with pytest.raises(InputError, match="nothing finds candidates"):
        labelled(folder, "--kb", "http://127.0.0.1:9/", "--candidates", "none")

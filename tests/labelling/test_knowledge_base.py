"""Names are looked up in a knowledge base once, by a server or a store, and answers are kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.labelling.sparql_servers import FailingServer, dump, failing, oxigraph
from trustag.errors import InputError
from trustag.labelling.knowledge_base import Asking, KnowledgeBase, cache_name, read_classes
from trustag.labelling.local_store import LocalStore, store_of_dump
from trustag.labelling.sparql import HttpEndpoint

NAMES = ["Berlin", "New York", "NYC", "Einstein", "Texas", "Google", "zork", "Nowhere", "berlin"]
EXPECTED = {
    "Berlin": {"LOC": 1, "ORG": 1},
    "New York": {"LOC": 1},
    "NYC": {"LOC": 1},
    "Einstein": {"PER": 1},
    "Texas": {"LOC": 1},
    "Google": {"ORG": 1},
}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with oxigraph(tmp_path_factory.mktemp("oxigraph")) as address:
        yield address


@pytest.fixture
def server(url: str) -> Iterator[FailingServer]:
    with failing(url) as one:
        yield one


def base(server: FailingServer, cache: Path, **values: int) -> KnowledgeBase:
    endpoint = HttpEndpoint(server.url, retries=1, per_second=1e9, sleep=lambda seconds: None)
    return KnowledgeBase(endpoint, read_classes(None), Asking(**values), cache)  # type: ignore[arg-type]


def counts(knowledge: KnowledgeBase, names: list[str] = NAMES) -> dict[str, dict[str, int]]:
    return {form: dict(known.counts) for form, known in knowledge.types_of(names).items()}


@pytest.mark.parametrize("values", [{}, {"batch": 2}, {"page": 1}, {"batch": 3, "page": 2}])
def test_types_do_not_depend_on_how_it_is_asked(server: FailingServer, tmp_path: Path, values: dict[str, int]) -> None:
    knowledge = base(server, tmp_path / "answers.sqlite", **values)
    assert counts(knowledge) == EXPECTED
    assert {form: known.only for form, known in knowledge.types_of(NAMES).items()}["Berlin"] is None
    assert knowledge.types_of(["NYC"])["NYC"].only == "LOC"


def test_a_second_run_asks_nothing(server: FailingServer, tmp_path: Path) -> None:
    assert counts(base(server, tmp_path / "answers.sqlite")) == EXPECTED
    asked = len(server.queries)
    assert counts(base(server, tmp_path / "answers.sqlite")) == EXPECTED
    assert len(server.queries) == asked > 0


def test_what_was_answered_before_a_server_dies_is_kept(server: FailingServer, tmp_path: Path) -> None:
    server.failures = ["", "", "dies", "dies"]
    with pytest.raises(InputError):
        counts(base(server, tmp_path / "answers.sqlite", batch=2))
    before = len(server.queries)
    server.failures = []
    assert counts(base(server, tmp_path / "answers.sqlite", batch=2)) == EXPECTED
    assert len(server.queries) - before == 3  # of five batches, two had been answered


def test_a_local_store_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUSTAG_CACHE", str(tmp_path / "cache"))
    (tmp_path / "dump.nt").write_text(dump())
    store = LocalStore(store_of_dump(tmp_path / "dump.nt"))
    assert counts(KnowledgeBase(store, read_classes(None), Asking(), tmp_path / "a.sqlite")) == EXPECTED


def test_the_map_of_classes_decides(tmp_path: Path, server: FailingServer) -> None:
    (tmp_path / "classes.toml").write_text('BAND = ["Q215380"]\nTHING = ["Q999"]\n')
    classes = read_classes(tmp_path / "classes.toml")
    endpoint = HttpEndpoint(server.url, per_second=1e9)
    knowledge = KnowledgeBase(endpoint, classes, Asking(), tmp_path / cache_name(server.url, "en", classes))
    assert counts(knowledge) == {"Berlin": {"BAND": 1}, "zork": {"THING": 1}}
    assert cache_name(server.url, "en", classes) != cache_name(server.url, "de", classes)


@pytest.mark.parametrize("text", ["PER =", "PER = 3", 'PER = ["Q5>"]', "", 'PER = ["Q5} . ?a ?b ?c"]'])
def test_wrong_maps_are_errors(tmp_path: Path, text: str) -> None:
    (tmp_path / "classes.toml").write_text(text)
    with pytest.raises(InputError):
        read_classes(tmp_path / "classes.toml")


def test_a_damaged_file_of_answers_is_an_error(server: FailingServer, tmp_path: Path) -> None:
    (tmp_path / "answers.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(InputError, match="answers cannot be kept there"):
        base(server, tmp_path / "answers.sqlite")

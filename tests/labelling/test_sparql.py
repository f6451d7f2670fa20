"""A SPARQL endpoint is asked again when it fails, ever later, and says at last what was wrong."""

from collections.abc import Iterator

import pytest

from tests.labelling.sparql_servers import ITEMS, FailingServer, failing, oxigraph
from trustag.errors import InputError
from trustag.labelling.sparql import USER_AGENT, HttpEndpoint, in_pages, quoted

LABELS = "SELECT ?item ?label WHERE { ?item <http://www.w3.org/2000/01/rdf-schema#label> ?label } ORDER BY ?item ?label"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with oxigraph(tmp_path_factory.mktemp("oxigraph")) as address:
        yield address


@pytest.fixture
def server(url: str) -> Iterator[FailingServer]:
    with failing(url) as one:
        yield one


def endpoint(server: FailingServer, waits: list[float], **values: float) -> HttpEndpoint:
    return HttpEndpoint(server.url, sleep=waits.append, per_second=1e9, **values)  # type: ignore[arg-type]


def test_a_real_server_is_asked_page_by_page(server: FailingServer) -> None:
    rows = list(in_pages(endpoint(server, []), LABELS, 3))
    assert sorted(row["label"] for row in rows) == sorted(label for label, _, _ in ITEMS.values())
    assert len({(row["item"], row["label"]) for row in rows}) == len(rows) == 7
    assert len(server.queries) == 3
    assert server.agents == {USER_AGENT}


@pytest.mark.parametrize("failure", ["429", "500", "503", "{", '{"results": 3}', "[]", "dies"])
def test_failures_that_pass_are_not_seen(server: FailingServer, failure: str) -> None:
    waits: list[float] = []
    server.failures = [failure, failure]
    assert len(endpoint(server, waits).select(LABELS)) == 7
    assert waits == ([7.0, 7.0] if failure.isdecimal() else [0.5, 1.0])


def test_a_server_that_hangs_is_not_waited_for(server: FailingServer) -> None:
    server.failures = ["hangs"]
    assert len(endpoint(server, [], timeout=0.2).select(LABELS)) == 7


@pytest.mark.parametrize(
    ("failure", "finding"),
    [
        ("500", "after 3 attempts, it answers 500"),
        ("dies", "its answer cannot be read"),
        ("<html>", "its answer cannot be read"),
    ],
)
def test_failures_that_stay_are_one_line(server: FailingServer, failure: str, finding: str) -> None:
    server.always = failure
    waits: list[float] = []
    with pytest.raises(InputError) as caught:
        endpoint(server, waits, retries=2).select(LABELS)
    assert finding in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(server.queries) == 3
    assert waits == sorted(waits)


def test_a_wrong_query_is_not_repeated(server: FailingServer) -> None:
    server.always = "400"
    with pytest.raises(InputError, match="it answers 400"):
        endpoint(server, []).select("nonsense")
    assert len(server.queries) == 1


def test_nobody_there_and_no_address() -> None:
    with pytest.raises(InputError, match="cannot be reached"):
        HttpEndpoint("http://127.0.0.1:9/", retries=1, sleep=lambda seconds: None).select(LABELS)
    with pytest.raises(InputError, match="not a web address"):
        HttpEndpoint("file:///etc/passwd")


def test_requests_keep_their_distance(server: FailingServer) -> None:
    clock = [100.0]
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        clock[0] += seconds

    slow = HttpEndpoint(server.url, per_second=2, sleep=sleep, now=lambda: clock[0])
    for _ in range(3):
        slow.select(LABELS)
    assert waits == [0.5, 0.5]


@pytest.mark.parametrize(
    "text", ['a "b"', "back\\slash", "new\nline", "O'Neill", "Zürich", "} } UNION { ?a ?b ?c", "\x7f"]
)
def test_no_name_can_leave_its_quotes(url: str, text: str) -> None:
    (row,) = HttpEndpoint(url, per_second=1e9).select(f"SELECT ?x WHERE {{ BIND({quoted(text)} AS ?x) }}")
    assert row["x"] == text

"""The pages beside predictions: they say what is, and browsers may not embed them."""

from pathlib import Path

import trustag
from tests.serving.in_process import Played


def test_the_page_and_its_files_are_there_and_kept_to_themselves() -> None:
    door = Played()
    page = door.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    for path in Path(trustag.__file__).with_name("serving").joinpath("page").iterdir():
        if path.suffix != ".html":
            assert f"/static/{path.name}" in page.text
            assert door.get(f"/static/{path.name}").content == path.read_bytes()


def test_without_workers_the_server_is_healthy_but_not_ready() -> None:
    door = Played(answers=False)
    assert door.get("/health").json() == {"status": "ok", "workers": 0, "waiting": 0}
    assert door.get("/ready").status_code == 503
    assert door.get("/model").json() == {"trustag": trustag.__version__}
    assert "trustag_workers 0.0" in door.get("/metrics").text
    assert door.get("/openapi.json").json()["openapi"] == "3.1.0"

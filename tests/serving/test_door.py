"""What the door lets in, refuses and counts; it never tells anybody what visitors wrote."""

import json

import pytest

from tests.serving.in_process import JSON, Played
from trustag.serving.limits import Limits


def test_a_prediction_is_answered_by_a_worker_and_counted() -> None:
    door = Played()
    found = door.post(b'{"text": "x"}', {"Content-Type": "application/json; charset=utf-8"})
    assert (found.status_code, found.json()) == (200, {"echo": '{"text": "x"}'})
    assert found.headers["x-content-type-options"] == "nosniff"
    text = door.metrics.as_text().decode()
    assert 'trustag_requests_total{path="/predict",status="200"} 1.0' in text
    assert "trustag_texts_total 1.0" in text


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (405, lambda door: door.get("/predict")),
        (404, lambda door: door.get("/private-words")),
        (404, lambda door: door.get("/static/../secret")),
        (405, lambda door: door.post(b"", path="/health")),
        (415, lambda door: door.post(b"text=private-words", {"Content-Type": "application/x-www-form-urlencoded"})),
        (413, lambda door: door.post(b"private-words" * 10)),
    ],
)
def test_what_is_not_offered_is_refused_as_json_and_told_without_words(status: int, answer: object) -> None:
    door = Played(Limits(body_bytes=50))
    found = answer(door)  # type: ignore[operator]
    assert (found.status_code, found.json()["status"]) == (status, status)
    (event,) = door.events
    assert event["status"] == status
    assert "private" not in json.dumps(event) + door.metrics.as_text().decode()


def test_more_than_can_wait_is_refused_with_a_time_to_come_back() -> None:
    full = Played(Limits(waiting=0), answers=False).post(b"{}")
    assert (full.status_code, full.headers["retry-after"]) == (503, "1")
    assert "too many requests are waiting" in full.json()["error"]
    late = Played(Limits(seconds=0.05), answers=False).post(b"{}")
    assert (late.status_code, late.headers["retry-after"]) == (503, "1")
    assert "not answered within 0.05 seconds" in late.json()["error"]


def test_a_client_with_too_many_requests_is_told_to_wait() -> None:
    door = Played(Limits(per_client=1))
    assert [door.post(b"{}", JSON).status_code for _ in range(2)] == [200, 200]
    door.door._clients.enter({"client": ("127.0.0.1", 123)})
    assert door.post(b"{}", JSON).status_code == 429

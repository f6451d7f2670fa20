"""Streams: a line for every line, in order, whatever the workers do."""

import json

from tests.serving.in_process import LINES, Played
from trustag.serving.limits import Limits


def test_every_line_gets_one_line_in_order() -> None:
    lines = [json.dumps({"text": str(number)}) for number in range(500)]
    # Fewer may wait than the stream has, so it has to wait for room.
    found = Played(Limits(waiting=3, stream_ahead=10)).post("\n".join(lines).encode(), LINES)
    assert found.status_code == 200
    assert [json.loads(line)["echo"] for line in found.text.splitlines()] == lines


def test_a_problem_with_the_stream_is_its_last_line() -> None:
    found = Played(Limits(body_bytes=20)).post(b'{"text": "a"}\n' + b"x" * 100, LINES)
    first, last = map(json.loads, found.text.splitlines())
    assert first == {"echo": '{"text": "a"}'}
    assert last["status"] == 413


def test_a_line_that_no_worker_answers_is_refused_and_the_stream_ends() -> None:
    found = Played(Limits(seconds=0.05), answers=False).post(b"{}\n\n{}\n", LINES)
    assert [json.loads(line)["status"] for line in found.text.splitlines()] == [503, 503]

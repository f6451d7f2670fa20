"""Messages arrive whole however they are cut, and the end of the connection is noticed."""

import asyncio
import socket
import threading

import pytest

from trustag.serving.worker_messages import Answer, Answers, RequestBatch, framed, read_message, receive


def test_a_worker_receives_what_was_sent_in_pieces_and_then_the_end() -> None:
    ours, theirs = socket.socketpair()
    sent = framed(RequestBatch([b"", b"\0" * 100_000])) + framed(RequestBatch([b"x"]))

    def send() -> None:
        with ours:
            for start in range(0, len(sent), 7777):
                ours.sendall(sent[start : start + 7777])

    thread = threading.Thread(target=send)
    thread.start()
    with theirs:
        found = [receive(theirs, RequestBatch) for _ in range(3)]
    thread.join()
    assert found == [RequestBatch([b"", b"\0" * 100_000]), RequestBatch([b"x"]), None]


def test_the_server_receives_answers_and_an_error_at_the_end() -> None:
    async def read() -> Answers:
        reader = asyncio.StreamReader()
        reader.feed_data(framed(Answers([Answer(200, b"{}", 1)])) + b"\0")
        reader.feed_eof()
        found = await read_message(reader, Answers)
        with pytest.raises(asyncio.IncompleteReadError):
            await read_message(reader, Answers)
        return found

    assert asyncio.run(read()) == Answers([Answer(200, b"{}", 1)])

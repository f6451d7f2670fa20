"""Requests to the review page without a network: the real application, called in this process."""

import asyncio

import httpx

from tests.review.small_run import REUTERS
from trustag.review.security import Access
from trustag.review.server import application
from trustag.review.session import ReviewSession

HOST = "127.0.0.1:8000"
OWN = {"Host": HOST, "Origin": f"http://{HOST}"}
KEY = {"Cookie": "trustag_8000=secret; trustag_reviewer=Ann"}
DECISION = {"issue": REUTERS, "version": "0", "verdict": "accepted"}


def ask(
    session: ReviewSession,
    path: str,
    headers: dict[str, str],
    form: dict[str, str] | bytes | None = None,
    password: str | None = None,
) -> httpx.Response:
    """Return the response to a GET request, or to a POST request if there is a form."""
    hosts = None if password else frozenset({HOST, "localhost:8000"})
    app = application(session, Access("secret", 8000, hosts, password))

    async def answer() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=f"http://{HOST}") as client:
            if form is None:
                return await client.get(path, headers=headers)
            if isinstance(form, bytes):
                return await client.post(path, headers=headers, content=form)
            return await client.post(path, headers=headers, data=form)

    return asyncio.run(answer())

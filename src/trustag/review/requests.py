"""What a request contains: the view of the queue, the action and the reviewer. Every value is validated."""

from collections.abc import Mapping
from typing import Final, get_args
from urllib.parse import parse_qsl, unquote

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from trustag.errors import InputError
from trustag.issues.issue import Kind
from trustag.review.entries import Verdict
from trustag.review.issue_queue import QUEUE_ORDERS, IssueFilter, Show
from trustag.review.pages import PageQuery
from trustag.review.security import LARGEST_REQUEST
from trustag.review.session import ReviewAction
from trustag.text.labels import OUTSIDE
from trustag.text.spans import Span

REVIEWER: Final = "trustag_reviewer"
_EXCEPTION: Final = "except-"
_LONGEST_NAME: Final = 60
_LONGEST_COMMENT: Final = 2_000
_MOST_DIGITS: Final = 19  # of a number that SQLite can store


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form; a form larger than any decision needs is refused."""
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST_REQUEST:
                raise HTTPException(413)
    except ClientDisconnect:
        raise HTTPException(400) from None
    return dict(parse_qsl(body.decode("utf-8", errors="replace"), keep_blank_values=True))


def reviewer_of(request: Request) -> str:
    """Return the reviewer's name; empty if they have not entered one yet."""
    return clean_name(unquote(request.cookies.get(REVIEWER, "")))


def clean_name(name: str) -> str:
    r"""Return a name that is safe to show anywhere: printable characters, single spaces, limited length.

    >>> clean_name("  Ann\t Lee\u202e ")
    'Ann Lee'
    """
    visible = "".join(character for character in name if character.isprintable())
    return " ".join(visible.split())[:_LONGEST_NAME]


def query_of(fields: Mapping[str, str]) -> PageQuery:
    """Return which view of the queue a request asks for; invalid values are ignored."""
    kind, show, order = fields.get("kind", ""), fields.get("show", "open"), fields.get("order", "")
    issue_filter = IssueFilter(
        kind=kind if kind in get_args(Kind) else "",  # type: ignore[arg-type] # one of them
        type=fields.get("type", ""),
        word=fields.get("word", "").strip(),
        least=_share(fields.get("least", "")),
        show=show if show in get_args(Show) else "open",  # type: ignore[arg-type] # one of them
        order=order if order in QUEUE_ORDERS else "",
    )
    return PageQuery(issue_filter, fields.get("issue", ""), _whole(fields.get("done", ""), 0))


def action_of(form: Mapping[str, str], reviewer: str, *, for_identical: bool) -> ReviewAction:
    """Return the action a form describes; a form that the page never sends is an error."""
    # A button that says which label of a form is right has no verdict of its own.
    verdict = form.get("verdict", "edited" if "label" in form else "")
    if verdict not in get_args(Verdict) or verdict == "undone":
        raise InputError(f"unknown verdict {verdict!r}", remedy="reload the page")
    comment = form.get("comment", "").strip()
    if len(comment) > _LONGEST_COMMENT:
        raise InputError("the comment is too long", remedy=f"use at most {_LONGEST_COMMENT:,} characters")
    return ReviewAction(
        issue=form.get("issue", ""),
        version=_whole(form.get("version", ""), -1),
        verdict=verdict,  # type: ignore[arg-type] # one of them
        reviewer=reviewer,
        comment=comment,
        spans=_spans(form.get("spans", "[]")) if verdict == "edited" else (),
        for_identical=for_identical,
        label=form.get("label", OUTSIDE),
        exceptions=frozenset(name.removeprefix(_EXCEPTION) for name in form if name.startswith(_EXCEPTION)),
    )


def _spans(text: str) -> tuple[Span, ...]:
    try:
        return msgspec.json.decode(text, type=tuple[Span, ...])
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise InputError("the edited entities cannot be read", remedy="reload the page") from None


def _whole(text: str, otherwise: int) -> int:
    return int(text) if text.isdecimal() and len(text) < _MOST_DIGITS else otherwise


def _share(text: str) -> float:
    """Return a number from 0 to 1; anything else is 0."""
    try:
        share = float(text)
    except ValueError:
        return 0.0
    return share if 0 <= share <= 1 else 0.0

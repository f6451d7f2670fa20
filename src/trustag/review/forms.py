"""What a request says: where one is, what was clicked, and by whom; nothing in it is taken on trust."""

import json
from collections.abc import Mapping
from typing import Final, get_args
from urllib.parse import parse_qsl, unquote

from starlette.exceptions import HTTPException
from starlette.requests import Request

from trustag.errors import InputError
from trustag.issues.filtering import Order
from trustag.issues.issue import Kind
from trustag.review.decisions import Verdict
from trustag.review.desk import Ruling
from trustag.review.issue_queue import Filter, Show
from trustag.review.pages import Place
from trustag.review.security import LARGEST_REQUEST
from trustag.text.spans import Span

REVIEWER: Final = "trustag_reviewer"
_LONGEST_NAME: Final = 60
_LONGEST_COMMENT: Final = 2_000
_MOST_DIGITS: Final = 19  # of a number that SQLite can hold


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form, which may be no longer than a decision needs."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_REQUEST:
            raise HTTPException(413)
    return dict(parse_qsl(body.decode("utf-8", errors="replace"), keep_blank_values=True))


def reviewer_of(request: Request) -> str:
    """Return the name of whoever sits there; empty where nobody was asked yet."""
    return tidy_name(unquote(request.cookies.get(REVIEWER, "")))


def tidy_name(name: str) -> str:
    """Return a name as it can be shown anywhere: visible characters, single spaces, not too long."""
    visible = "".join(character for character in name if character.isprintable())
    return " ".join(visible.split())[:_LONGEST_NAME]


def place_of(fields: Mapping[str, str]) -> Place:
    """Return where a request says one is; what makes no sense there is taken for nothing said."""
    kind, show, order = fields.get("kind", ""), fields.get("show", "open"), fields.get("order", "")
    chosen = Filter(
        kind=kind if kind in get_args(Kind) else "",  # type: ignore[arg-type] # one of them
        type=fields.get("type", ""),
        word=fields.get("word", "").strip(),
        least=_share(fields.get("least", "")),
        show=show if show in get_args(Show) else "open",  # type: ignore[arg-type] # one of them
        order=order if order in get_args(Order) else "",  # type: ignore[arg-type] # one of them
    )
    return Place(chosen, fields.get("issue", ""), _whole(fields.get("done", ""), 0))


def ruling_of(form: Mapping[str, str], reviewer: str, *, for_identical: bool) -> Ruling:
    """Return what was clicked; a form that the page never sends is an error."""
    verdict = form.get("verdict", "")
    if verdict not in get_args(Verdict) or verdict == "undone":
        raise InputError(f"unknown verdict {verdict!r}", remedy="load the page again")
    comment = form.get("comment", "").strip()
    if len(comment) > _LONGEST_COMMENT:
        raise InputError("the comment is too long", remedy=f"say it in {_LONGEST_COMMENT:,} characters")
    return Ruling(
        issue=form.get("issue", ""),
        version=_whole(form.get("version", ""), -1),
        verdict=verdict,  # type: ignore[arg-type] # one of them
        reviewer=reviewer,
        comment=comment,
        spans=_spans(form.get("spans", "[]")) if verdict == "edited" else (),
        for_identical=for_identical,
    )


def _spans(text: str) -> tuple[Span, ...]:
    try:
        return tuple(Span(int(start), int(end), str(kind)) for start, end, kind in json.loads(text))
    except (ValueError, TypeError, RecursionError):
        raise InputError("the edited entities cannot be read", remedy="load the page again") from None


def _whole(text: str, otherwise: int) -> int:
    return int(text) if text.isdecimal() and len(text) < _MOST_DIGITS else otherwise


def _share(text: str) -> float:
    """Return a number from 0 to 1; anything else is 0."""
    try:
        share = float(text)
    except ValueError:
        return 0.0
    return share if 0 <= share <= 1 else 0.0

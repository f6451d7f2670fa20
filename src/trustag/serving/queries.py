"""What a request asks for: its body, checked field by field."""

from typing import Annotated, Final, TypeAlias

import msgspec

from trustag.serving.limits import Limits

Text: TypeAlias = str | list[str]


class Query(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request: one text, the tokens of one, or several of either; what to leave out."""

    text: str | None = None
    tokens: list[str] | None = None
    inputs: list[Text] | None = None
    min_score: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0

    @property
    def texts(self) -> list[Text]:
        """All texts of the request."""
        if self.inputs is not None:
            return self.inputs
        return [self.text if self.text is not None else self.tokens or []]


class RefusedError(Exception):
    """A request that is refused, with a status of HTTP and one line that says why."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


def refusal(refused: RefusedError) -> bytes:
    """Return the body of a response that refuses a request."""
    return msgspec.json.encode({"error": refused.reason, "status": refused.status})


_QUERY: Final = msgspec.json.Decoder(Query)
_EXPECTED: Final = 'send {"text": "..."}, {"tokens": ["..."]} or {"inputs": ["...", ["..."]]}'


def parse_query(body: bytes, limits: Limits) -> Query:
    """Return what a body asks for, or refuse it: 400 if it is no JSON, 413 if it is too much, 422 for the rest."""
    try:
        query = _QUERY.decode(body)
    except msgspec.ValidationError as error:
        raise RefusedError(422, f"{error}; {_EXPECTED}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        reason = str(error) if isinstance(error, msgspec.DecodeError) else "it is no UTF-8, or nested too deeply"
        raise RefusedError(400, f"the body is not JSON ({reason}); {_EXPECTED}") from None
    if sum(part is not None for part in (query.text, query.tokens, query.inputs)) != 1:
        raise RefusedError(422, f"exactly one of text, tokens and inputs is needed; {_EXPECTED}")
    texts = query.texts
    if len(texts) > limits.texts:
        raise RefusedError(413, f"{len(texts):,} texts, at most {limits.texts:,} are taken; send several requests")
    longest = max(map(len, texts), default=0)
    if longest > limits.characters:
        unit = "characters or tokens"
        raise RefusedError(413, f"a text of {longest:,} {unit}, at most {limits.characters:,} are taken; divide it")
    return query

"""The OpenAPI document of the server: its requests, answers and refusals."""

from typing import Any, Final

from trustag._version import __version__
from trustag.serving.limits import Limits

_TOKENS: Final = {"type": "array", "items": {"type": "string"}}
_REFUSALS: Final = {
    "400": "The body is not JSON.",
    "401": "The token is missing or wrong.",
    "403": "A page of another site asked.",
    "408": "The body did not arrive in time.",
    "413": "The body, a text or their number is too large.",
    "415": "The body is of another type.",
    "421": "The server does not accept that host name.",
    "422": "A field is missing, unknown or of the wrong type.",
    "429": "Too many requests of this client are under way.",
    "503": "Too many requests are waiting, or it took too long; see Retry-After.",
}
_ENTITY: Final = {
    "type": "object",
    "required": ["start", "end", "text", "label", "score"],
    "properties": {
        "start": {"type": "integer", "description": "The first character, counted in code points."},
        "end": {"type": "integer", "description": "The character after the last."},
        "text": {"type": "string"},
        "label": {"type": "string"},
        "score": {"type": "number", "description": "The exact probability of the entity."},
    },
}
_ANSWER: Final = {
    "type": "object",
    "required": ["entities"],
    "properties": {
        "entities": {"type": "array", "items": {"$ref": "#/components/schemas/Entity"}},
        "ner_tags": {**_TOKENS, "description": "An IOB2 label for every token, where tokens were sent."},
    },
}


def openapi_document(limits: Limits) -> dict[str, Any]:
    """Return the document, with the limits of this server."""
    predict = {
        "summary": "Find the entities in texts.",
        "description": "Send one text, the tokens of one, or several of either. JSON Lines are answered line by line.",
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/Query"}},
                "application/x-ndjson": {"schema": {"type": "string"}},
            },
        },
        "responses": {
            "200": {"description": "The entities.", **_content("Result")},
            **{status: {"description": text, **_content("Refusal")} for status, text in _REFUSALS.items()},
        },
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Trustag", "version": __version__, "license": {"name": "Apache-2.0"}},
        "paths": {
            "/predict": {"post": predict},
            "/health": _page("The server runs.", "application/json"),
            "/ready": _page("Predictions are answered at present; 503 if not.", "application/json"),
            "/model": _page("What the model says of itself.", "application/json"),
            "/metrics": _page("Counters for Prometheus.", "text/plain"),
        },
        "components": {
            "schemas": {"Query": _query(limits), "Entity": _ENTITY, "Answer": _ANSWER, **_results()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _query(limits: Limits) -> dict[str, Any]:
    text = {"type": "string", "maxLength": limits.characters}
    return {
        "type": "object",
        "additionalProperties": False,
        "oneOf": [{"required": [name]} for name in ("text", "tokens", "inputs")],
        "properties": {
            "text": text,
            "tokens": {**_TOKENS, "maxItems": limits.characters},
            "inputs": {"type": "array", "maxItems": limits.texts, "items": {"oneOf": [text, _TOKENS]}},
            "min_score": {"type": "number", "minimum": 0, "maximum": 1, "default": 0},
        },
    }


def _results() -> dict[str, Any]:
    answer = {"$ref": "#/components/schemas/Answer"}
    several = {"type": "object", "properties": {"results": {"type": "array", "items": answer}}}
    refusal = {"type": "object", "properties": {"error": {"type": "string"}, "status": {"type": "integer"}}}
    return {"Result": {"oneOf": [answer, several]}, "Refusal": refusal}


def _content(name: str) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}}


def _page(text: str, kind: str) -> dict[str, Any]:
    return {"get": {"summary": text, "responses": {"200": {"description": text, "content": {kind: {}}}}}}

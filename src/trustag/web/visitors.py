"""Which visitors a server trusts: secrets compared in constant time, pages of its own, and headers for browsers."""

import hmac
from typing import Final

BROWSER_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Without any referrer, browsers would also hide the origin of forms, which is checked.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def is_secret(given: str, secret: str) -> bool:
    """Return whether ``given`` is the secret, in a time that does not depend on how much of it is right."""
    return hmac.compare_digest(given.encode(errors="backslashreplace"), secret.encode())


def is_own_origin(origin: str, host: str) -> bool:
    """Return whether a page from ``origin`` is one of the server that was called as ``host``.

    >>> is_own_origin("http://Localhost:80", "localhost:80"), is_own_origin("null", "localhost:80")
    (True, False)
    """
    return origin.lower() in {f"http://{host}".lower(), f"https://{host}".lower()}

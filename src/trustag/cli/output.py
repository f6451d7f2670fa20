"""How values reach standard output as JSON."""

import msgspec


def as_json(value: object) -> str:
    """Return ``value`` as indented JSON; dataclasses and enums come out as plain objects and names."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()

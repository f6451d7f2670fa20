"""What sections of a recipe are made of: checked values; unknown names and wrong types are errors."""

from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.fields import FieldInfo

MOST: Final = 1_000_000
"""More than any count or measure needs; it keeps products of settings in the range of every number type."""
LARGEST_SEED: Final = 2**63 - 1

Share = Annotated[float, Field(ge=0, lt=1)]
Count = Annotated[int, Field(ge=1, le=MOST)]
CountOrNone = Annotated[int, Field(ge=0, le=MOST)]
Positive = Annotated[float, Field(gt=0, le=MOST)]
PositiveOrNone = Annotated[float, Field(ge=0, le=MOST)]


def _numbers(value: Any) -> Any:
    """Return what is written as ``3,5``, as a single ``3`` or as a list in the one form that is checked."""
    if isinstance(value, str):
        parts = [part.strip() for part in value.split(",") if part.strip()]
        return tuple(int(part) for part in parts) if all(_is_whole(part) for part in parts) else value
    if isinstance(value, list):
        return tuple(value)
    return (value,) if isinstance(value, int) else value


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


Layer = Annotated[int, Field(ge=-MOST, le=MOST)]
Numbers = Annotated[tuple[Layer, ...], BeforeValidator(_numbers)]


def as_tuple(value: Any) -> Any:
    """Return a TOML array as the tuple that a strict section expects."""
    return tuple(value) if isinstance(value, list) else value


def advanced(default: Any, description: str, **limits: Any) -> Any:
    """Return a setting that few people change: sizes, and switches that repeat what the published code does."""
    return Field(default=default, description=description, json_schema_extra={"advanced": True}, **limits)


def is_advanced(field: FieldInfo) -> bool:
    """Tell whether a setting was declared with :func:`advanced`."""
    extra = field.json_schema_extra
    return isinstance(extra, dict) and bool(extra.get("advanced"))


class Section(BaseModel):
    """A group of settings; unknown names and wrong types are errors."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)

"""What sections of a recipe are made of: values that are checked, and refusal of everything else."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Share = Annotated[float, Field(ge=0, lt=1)]
Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0)]


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


Numbers = Annotated[tuple[int, ...], BeforeValidator(_numbers)]


class Section(BaseModel):
    """A group of settings; unknown names and wrong types are errors."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

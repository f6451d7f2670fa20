"""Texts on the screen with their entities in brackets, each with its label and its score."""

from itertools import cycle
from typing import TYPE_CHECKING, Final

from trustag.errors import printable

if TYPE_CHECKING:
    from rich.text import Text

    from trustag.models.prediction import Prediction

_COLOURS: Final = ("green", "blue", "magenta", "cyan", "yellow", "red")


class EntityMarker:
    """Marks entities in texts; each label keeps the colour that it got first."""

    def __init__(self) -> None:
        self._colours: dict[str, str] = {}
        self._next = cycle(_COLOURS)

    def marked(self, prediction: "Prediction") -> "Text":
        """Return the text of a prediction with its entities in brackets; a text without tokens is a blank line."""
        from rich.text import Text  # noqa: PLC0415 - rich takes time to load

        text, marked, position = prediction.sentence.text, Text(), 0
        if not prediction.sentence.tokens:
            return marked
        for entity in prediction.entities:
            if entity.label not in self._colours:
                self._colours[entity.label] = next(self._next)
            colour = self._colours[entity.label]
            marked.append(printable(text[position : entity.start]))
            marked.append(f"[{printable(entity.text)}", style=f"bold {colour}")
            marked.append(f" {printable(entity.label)} {entity.score:.2f}]", style=colour)
            position = entity.end
        marked.append(printable(text[position:]))
        return marked

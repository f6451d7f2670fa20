"""A model called like a pipeline of transformers: ``pipeline(PATH)("Ann met Bob.")``."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypedDict, overload

from trustag.errors import InputError
from trustag.export.model_loading import load
from trustag.models.prediction import Entity, Predictor

TASKS: Final = ("ner", "token-classification")
AGGREGATED: Final = ("simple", "first", "average", "max")


class EntityGroup(TypedDict):
    """An entity as transformers describes it."""

    entity_group: str
    score: float
    word: str
    start: int
    end: int


class EntityPipeline:
    """Returns what ``transformers.pipeline("ner", aggregation_strategy="simple")`` returns."""

    task: Final = TASKS[0]

    def __init__(self, predictor: Predictor) -> None:
        self.predictor = predictor

    @overload
    def __call__(self, inputs: str) -> list[EntityGroup]: ...  # type: ignore[overload-overlap] # a string is a sequence
    @overload
    def __call__(self, inputs: Sequence[str]) -> list[list[EntityGroup]]: ...  # type: ignore[overload-overlap]
    @overload
    def __call__(self, inputs: Iterable[str]) -> Iterator[list[EntityGroup]]: ...
    def __call__(
        self, inputs: str | Sequence[str] | Iterable[str]
    ) -> list[EntityGroup] | list[list[EntityGroup]] | Iterator[list[EntityGroup]]:
        """Return the entities of a text, a list of these for a list of texts, or an iterator for any other iterable."""
        if isinstance(inputs, str):
            return next(self._stream([inputs]))
        if isinstance(inputs, Sequence):
            return list(self._stream(inputs))
        return self._stream(inputs)

    def _stream(self, texts: Iterable[str]) -> Iterator[list[EntityGroup]]:
        sentences = (self.predictor.sentence(_text(text)) for text in texts)
        for prediction in self.predictor.stream(sentences):
            yield [_group(entity) for entity in prediction.entities]


def pipeline(
    model: str | Path, task: str = TASKS[0], *, aggregation_strategy: str = AGGREGATED[0], tokenizer: str = "auto"
) -> EntityPipeline:
    """Return the model in ``model`` (a run, a model folder, an exported model) as a pipeline for entities.

    Words are never split into pieces, so all strategies of aggregation are the same.
    """
    if task not in TASKS:
        raise InputError(f"no task {task!r}", remedy=f"a model of Trustag does {' or '.join(map(repr, TASKS))}")
    if aggregation_strategy not in AGGREGATED:
        remedy = f"choose from {', '.join(AGGREGATED)}; labels of tokens: trustag.load(...).predict_tokens"
        raise InputError(f"aggregation_strategy={aggregation_strategy!r}", remedy=remedy)
    return EntityPipeline(load(model, tokenizer))


def _group(entity: Entity) -> EntityGroup:
    return EntityGroup(
        entity_group=entity.label, score=entity.score, word=entity.text, start=entity.start, end=entity.end
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise InputError(f"{value!r} where a text is expected", remedy="give a text or a list of texts")
    return value

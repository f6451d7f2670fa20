"""What a corpus must hold so that a tagger can learn from it; asked before anything that takes time."""

from collections.abc import Sequence

from trustag.errors import InputError
from trustag.text.labels import entity_types
from trustag.text.sentences import Sentence


def types_to_learn(sentences: Sequence[Sentence], where: object = None) -> tuple[str, ...]:
    """Return the entity types in a training corpus; one without any is refused."""
    if not sentences:
        raise InputError("the training corpus holds no sentence", where=where, remedy="give one with tokens and labels")
    types = tuple(entity_types(label for sentence in sentences for label in sentence.labels))
    if not types:
        finding = "the training corpus holds no entity"
        raise InputError(finding, where=where, remedy="check which column holds the labels")
    return types

"""What a corpus must be so that a tagger can learn from it; asked before anything that takes time."""

from collections.abc import Iterator, Sequence
from itertools import chain

from trustag.corpora.legality import OnIllegal, SchemeChange, rewritten
from trustag.corpora.survey import Survey
from trustag.errors import InputError
from trustag.notes import Note, Watch
from trustag.text.labels import entity_types
from trustag.text.sentences import Sentence
from trustag.text.soft_labels import PROBABILITIES, read_probabilities


def types_to_learn(sentences: Sequence[Sentence], where: object = None) -> tuple[str, ...]:
    """Return the entity types in a training corpus, those of label probabilities too; one without any is refused."""
    if not sentences:
        raise InputError("the training corpus holds no sentence", where=where, remedy="give one with tokens and labels")
    types = tuple(entity_types(chain(chain.from_iterable(own.labels for own in sentences), _probable(sentences))))
    if not types:
        finding = "the training corpus holds no entity"
        raise InputError(finding, where=where, remedy="check what holds the labels, and the notes")
    return types


def _probable(sentences: Sequence[Sentence]) -> Iterator[str]:
    """Yield the labels that sources of a corpus give a probability."""
    texts = {text for sentence in sentences for text in sentence.columns.get(PROBABILITIES, ())}
    for text in texts:
        yield from read_probabilities(text)


def legal_sentences(sentences: Sequence[Sentence], on_illegal: OnIllegal, name: str, watch: Watch) -> list[Sentence]:
    """Return ``sentences`` with legal labels and at least one token each; what is changed or left out is noted."""
    filled = [sentence for sentence in sentences if sentence.tokens]
    if len(filled) < len(sentences):
        watch(Note("left out", f"sentences without tokens in {name}", f"{len(sentences) - len(filled)} of them"))
    evidence = Survey().add(filled).scheme
    if evidence.against:
        filled = list(rewritten(filled, SchemeChange(evidence.scheme, None, on_illegal), watch))
    return filled

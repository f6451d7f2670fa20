"""Entities in raw text or tokens, with character offsets and exact probabilities: what ``trustag.load`` gives."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import tee
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from trustag.corpora.frames import frame_rows, is_frame
from trustag.errors import InputError
from trustag.files.raw_texts import gaps_between
from trustag.files.tokenizers import tokenizer_named
from trustag.models.long_documents import DEFAULT_WINDOWING, Windowing, tag_documents
from trustag.models.tagged import SentenceTagger, Tagged
from trustag.notes import Note, Watch, unwatched
from trustag.text.entity_markup import MarkedEntity, marked_texts
from trustag.text.labels import OUTSIDE
from trustag.text.sentences import Sentence

Texts: TypeAlias = str | Iterable[str | Sequence[str]]
_TEXTS_REMEDY: Final = "give a text, a list of texts, a list of token lists, or a table of pandas"


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity in a text: its characters from ``start`` to before ``end``, its label, and its probability."""

    start: int
    end: int
    text: str
    label: str
    score: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """A sentence with predicted labels (its own are replaced), and its entities by characters of its text."""

    sentence: Sentence
    labels: tuple[str, ...]
    entities: tuple[Entity, ...]

    def _repr_html_(self) -> str:
        """Return the text of the sentence as HTML with its entities marked, everything in it escaped."""
        entities = (MarkedEntity(e.start, e.end, e.label, e.score) for e in self.entities)
        return marked_texts([self.sentence.text], [entities])


class EntityLists(list[list[Entity]]):
    """The entities of each of some ``texts``; notebooks show the texts with their entities marked."""

    def __init__(self, entities: Iterable[list[Entity]], texts: Sequence[str]) -> None:
        super().__init__(entities)
        self.texts = tuple(texts)

    def _repr_html_(self) -> str:
        """Return the texts as HTML, everything in them escaped."""
        return marked_texts(
            self.texts,
            ((MarkedEntity(e.start, e.end, e.label, e.score) for e in entities) for entities in self),
        )


class Predictor:
    """A loaded model: give it texts or tokens."""

    def __init__(self, tagger: SentenceTagger, tokenizer: str = "auto") -> None:
        self.tagger = tagger
        self._cut = tokenizer_named(tokenizer)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels in the order of :meth:`predict_marginals`."""
        return self.tagger.labels.labels

    @property
    def expects_words(self) -> bool:
        """Whether the model was trained on words, not single characters, of a script without spaces between words."""
        return self.tagger.expects_words

    def predict(self, texts: Texts, min_score: float = 0.0) -> EntityLists:
        """Return the entities of each text, leaving out those that are less probable than ``min_score``.

        A text is a string, or a list of its tokens, which the characters of its entities then take to be joined by
        spaces. A single string is one text, and a table of pandas with one token per row is a list of token lists.
        """
        found = list(self.stream(self.sentences(texts), min_score))
        entities = (list(prediction.entities) for prediction in found)
        return EntityLists(entities, [prediction.sentence.text for prediction in found])

    def predict_tokens(self, sentences: Iterable[Sequence[str]]) -> list[tuple[str, ...]]:
        """Return an IOB2 label for every token of every sentence."""
        return list(self.tagger.tag(sentences))

    def predict_marginals(self, sentences: Iterable[Sequence[str]]) -> list[npt.NDArray[np.float32]]:
        """Return, for each sentence, the probability of each label at each token, (tokens, labels)."""
        return list(self.tagger.marginals(sentences))

    def sentences(self, texts: Texts) -> Iterator[Sentence]:
        """Yield each text as a sentence whose labels are unknown."""
        if isinstance(texts, str):
            texts = [texts]
        elif is_frame(texts):
            texts = frame_rows(texts).tokens
        elif not isinstance(texts, Iterable):
            raise InputError(f"{texts!r} where texts are expected", remedy=_TEXTS_REMEDY)
        for place, text in enumerate(texts):
            if isinstance(text, str):
                yield self.sentence(text)
                continue
            tokens = tuple(text) if isinstance(text, Iterable) else (text,)
            wrong = [token for token in tokens if not isinstance(token, str)]
            if wrong:
                where = f"text {place + 1}"
                raise InputError(f"the token {wrong[0]!r} is no string", where=where, remedy=_TEXTS_REMEDY)
            yield Sentence(tokens, (None,) * len(tokens))

    def sentence(self, text: str) -> Sentence:
        """Return a raw text cut into tokens, its labels unknown."""
        offsets = self._cut(text)
        tokens = tuple(text[start:end] for start, end in offsets)
        return Sentence(tokens, (None,) * len(tokens), gaps=gaps_between(text, offsets))

    def stream(
        self, sentences: Iterable[Sentence], min_score: float = 0.0, watch: Watch = unwatched
    ) -> Iterator[Prediction]:
        """Yield a prediction for each sentence, in order, reading only a little ahead.

        Entities that are less probable than ``min_score`` are left out and reported; their labels become ``O``.
        """
        first, second = tee(sentences)
        yield from _predictions(
            zip(first, self.tagger.tag_entities(s.tokens for s in second), strict=True), min_score, watch
        )

    def documents(
        self,
        documents: Iterable[Sentence],
        min_score: float = 0.0,
        watch: Watch = unwatched,
        windowing: Windowing = DEFAULT_WINDOWING,
    ) -> Iterator[Prediction]:
        """Yield a prediction for each document, which is read in overlapping windows of whole sentences.

        Entities are by characters and tokens of the document, and none is found twice.
        """
        yield from _predictions(tag_documents(self.tagger, documents, windowing), min_score, watch)

    def pipe(
        self, texts: Iterable[str | Sequence[str]], min_score: float = 0.0, *, documents: bool = False
    ) -> Iterator[list[Entity]]:
        """Yield the entities of each text as :meth:`predict` returns them, reading only a little ahead.

        With ``documents``, texts are read as :meth:`documents` does. Memory does not grow with the number of texts.
        """
        read = self.documents if documents else self.stream
        for prediction in read(self.sentences(texts), min_score):
            yield list(prediction.entities)


def _predictions(found: Iterable[tuple[Sentence, Tagged]], min_score: float, watch: Watch) -> Iterator[Prediction]:
    """Yield predictions, without the entities that are less probable; how many there were is reported at the end."""
    left_out = 0
    for sentence, tagged in found:
        sure = _sure(tagged, min_score)
        left_out += len(tagged.entities) - len(sure.entities)
        yield Prediction(sentence, sure.labels, tuple(_entities(sentence, sure)))
    if left_out:
        watch(Note("left out", "less probable than asked for", f"{left_out:,} entities below {min_score:g}"))


def _sure(tagged: Tagged, min_score: float) -> Tagged:
    """Return ``tagged`` without the entities that are less probable than ``min_score``."""
    labels = list(tagged.labels)
    for span in tagged.entities:
        if span.score < min_score:
            labels[span.start : span.end] = [OUTSIDE] * (span.end - span.start)
    return Tagged(tuple(labels), tuple(span for span in tagged.entities if span.score >= min_score))


def _entities(sentence: Sentence, tagged: Tagged) -> Iterator[Entity]:
    if not tagged.entities:
        return
    text, offsets = sentence.text, sentence.offsets
    for span in tagged.entities:
        start, end = offsets[span.start][0], offsets[span.end - 1][1]
        yield Entity(start, end, text[start:end], span.type, span.score)

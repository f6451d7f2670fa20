"""The spaCy component ``trustag_ner``: entities with their probabilities for the tokens that spaCy has."""

import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import srsly
from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup

from trustag.errors import InputError
from trustag.export.model_loading import load
from trustag.integrations.token_entities import entities_of_rows
from trustag.models.model_place import model_folder
from trustag.models.prediction import Predictor
from trustag.models.tagged import ScoredSpan
from trustag.text.entity_markup import MarkedEntity, marked_text

NAME: Final = "trustag_ner"
SPANS: Final = "trustag"
_MODEL: Final = "model"
_SCORE: Final = "score"
_BATCH: Final = 256


class SpacyNER:
    """Sets ``doc.ents`` and ``doc.spans["trustag"]``, whose ``attrs["scores"]`` and ``span._.score`` are probabilities.

    The model reads the sentences of spaCy where they are set, and overlapping windows where not. Tokens of whitespace
    are not shown to it, since no training text has such; an entity may go across one.
    """

    def __init__(self, name: str, model: str, *, min_score: float, overwrite: bool) -> None:
        self.name = name
        self.min_score = min_score
        self.overwrite = overwrite
        self._place = model
        self._predictor: Predictor | None = None

    def __call__(self, doc: Doc) -> Doc:
        """Return ``doc`` with its entities."""
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = _BATCH) -> Iterator[Doc]:
        """Yield each document with its entities, reading ``batch_size`` of them at once."""
        tagger = self.predictor.tagger
        for docs in _batches(stream, batch_size):
            rows = [[row for row in _rows(doc) if row] for doc in docs]
            tokens = ([doc[index].text for index in row] for doc, own in zip(docs, rows, strict=True) for row in own)
            found = entities_of_rows(tagger, tokens)
            for doc, own in zip(docs, rows, strict=True):
                entities = [(row, entity) for row in own for entity in next(found)]
                yield self._annotated(doc, entities)

    @property
    def predictor(self) -> Predictor:
        """The model, loaded when first needed: where a pipeline is read from disk, it comes after this component."""
        if self._predictor is None:
            if not self._place:
                remedy = 'nlp.add_pipe("trustag_ner", config={"model": PATH})'
                raise InputError(f"the component {self.name} has no model", remedy=remedy)
            self._predictor = load(self._place)
        return self._predictor

    @property
    def labels(self) -> tuple[str, ...]:
        """The types of entities that the model tells apart, once it is loaded."""
        return () if self._predictor is None else self._predictor.tagger.labels.types

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the model to ``path``, so that the pipeline can be moved without the run."""
        if _MODEL not in exclude:
            shutil.copytree(model_folder(Path(self._place)), Path(path) / _MODEL, dirs_exist_ok=True)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "SpacyNER":
        """Read the model that :meth:`to_disk` wrote to ``path``."""
        if _MODEL not in exclude:
            self._place, self._predictor = str(Path(path) / _MODEL), None
            self._predictor = self.predictor
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the model as bytes."""
        if _MODEL in exclude:
            return bytes(srsly.msgpack_dumps({}))
        folder = model_folder(Path(self._place))
        files = {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
        return bytes(srsly.msgpack_dumps(files))

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "SpacyNER":
        """Read the model that :meth:`to_bytes` returned."""
        files = srsly.msgpack_loads(data)
        if _MODEL in exclude or not files:
            return self
        folder = Path(tempfile.mkdtemp(prefix="trustag-"))
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        for name, content in files.items():
            target = (folder / name).resolve()
            if not target.is_relative_to(folder.resolve()):
                raise InputError(f"a file outside the model: {name!r}", remedy="take bytes that to_bytes returned")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        self._place, self._predictor = str(folder), None
        return self

    def _annotated(self, doc: Doc, entities: Iterable[tuple[list[int], ScoredSpan]]) -> Doc:
        """Return ``doc`` with ``entities``, given as the tokens of their row and their place in it."""
        spans, scores = [], []
        for row, entity in entities:
            if entity.score >= self.min_score:
                spans.append(Span(doc, row[entity.start], row[entity.end - 1] + 1, label=entity.type))
                scores.append(entity.score)
        doc.spans[SPANS] = SpanGroup(doc, name=SPANS, attrs={"scores": scores}, spans=spans)
        if self.overwrite:
            doc.set_ents(spans)
        else:
            taken = {index for span in doc.ents for index in range(span.start, span.end)}
            new = [span for span in spans if taken.isdisjoint(range(span.start, span.end))]
            doc.set_ents([*doc.ents, *new])
        return doc


@Language.factory(
    NAME,
    default_config={"model": "", "min_score": 0.0, "overwrite": True},
    assigns=["doc.ents", "doc.spans", "token.ent_iob", "token.ent_type"],
)
def create(nlp: Language, name: str, model: str, min_score: float, overwrite: bool) -> SpacyNER:  # noqa: ARG001
    """Return the component for a run, a model folder or an exported model.

    Entities less probable than ``min_score`` are left out. Unless it may ``overwrite``, entities that a document has
    already stay, and those of the model that overlap them are only in ``doc.spans``.
    """
    if not Span.has_extension(_SCORE):
        Span.set_extension(_SCORE, getter=score_of)
    return SpacyNER(name, model, min_score=min_score, overwrite=overwrite)


def score_of(span: Span) -> float | None:
    """Return the probability of an entity that the component found; None for any other span."""
    group = span.doc.spans.get(SPANS, ())
    for known, score in zip(group, group.attrs["scores"] if group else (), strict=True):
        if (known.start, known.end, known.label) == (span.start, span.end, span.label):
            return float(score)
    return None


def render(doc: Doc) -> str:
    """Return the text of ``doc`` as HTML with the entities of the component, the deeper the more probable."""
    group = doc.spans.get(SPANS, ())
    scores = group.attrs["scores"] if group else ()
    entities = zip(group, scores, strict=True)
    return marked_text(doc.text, [MarkedEntity(s.start_char, s.end_char, s.label_, score) for s, score in entities])


def _batches(stream: Iterable[Doc], size: int) -> Iterator[list[Doc]]:
    batch: list[Doc] = []
    for doc in stream:
        batch.append(doc)
        if len(batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch


def _rows(doc: Doc) -> Iterator[list[int]]:
    """Yield the tokens of each sentence, or of the whole document where sentences are not set, without whitespace."""
    sentences: Iterable[Any] = doc.sents if doc.has_annotation("SENT_START") else (doc[:],)
    for sentence in sentences:
        yield [token.i for token in sentence if not token.is_space]

"""Label Studio: exported tasks (JSON), the short JSON_MIN export, and tasks to import.

The labels of a task are its first annotation that is neither cancelled nor marked as ground truth; a ground-truth
annotation is read as gold labels. If there are no annotations, the labels are the last prediction, which is the one
that Label Studio shows. All other annotations are reported. If several annotators are asked for, their annotations
are additional columns, named after who made them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Final, TypeVar

import msgspec

from trustag.errors import InputError
from trustag.files.formats import FileFormat, ReadOptions, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.json_records import decode, is_given, read_json_records, write_json_array
from trustag.files.label_studio_regions import LabelStudioRegion, spans_of
from trustag.files.raw_texts import RawText, StoredTokens, TextReader, locate_tokens, stored_tokens
from trustag.files.tally import Tally
from trustag.files.text_spans import TextSpan, character_spans
from trustag.notes import Note, Watch
from trustag.text.labels import Label
from trustag.text.sentences import Sentence, Source

_REGIONS: Final = "labels"
_MERGE: Final = "; trustag merge makes one of them, or export those of one annotator"
AnyAnnotation = TypeVar("AnyAnnotation", bound="_Annotation")
_OWN_DATA: Final = frozenset({"tokens", "id", "document"})


class _Result(msgspec.Struct):
    type: str | None = None
    value: msgspec.Raw = msgspec.Raw()


class _Annotation(msgspec.Struct):
    result: list[_Result]
    was_cancelled: bool | None = None
    ground_truth: bool | None = None
    id: str | int | None = None


class _SignedAnnotation(_Annotation):
    completed_by: msgspec.Raw = msgspec.Raw()


class _Person(msgspec.Struct):
    id: int | None = None
    email: str | None = None


class _Task(msgspec.Struct):
    data: dict[str, msgspec.Raw]
    annotations: list[msgspec.Raw] | None = None
    completions: list[msgspec.Raw] | None = None
    predictions: list[msgspec.Raw] | None = None
    id: str | int | None = None


@dataclass(frozen=True, slots=True)
class _TaskContext:
    """The location of one task, how to read it, and where to report problems."""

    source: Source
    options: ReadOptions
    watch: Watch
    tally: Tally


def _read(file: InputFile, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:
    tally, texts = Tally(file.name), TextReader(options, watch)
    for line, raw in read_json_records(file, msgspec.Raw):
        context = _TaskContext(Source(file.name, line), options, watch, tally)
        fields = decode(raw, dict[str, msgspec.Raw], context.source)
        task = _full_task(raw, context) if "data" in fields else _short_task(fields, context)
        yield from texts.sentences(task)
    tally.report(watch)


def _full_task(raw: msgspec.Raw, context: _TaskContext) -> RawText:
    where = context.source
    task = decode(raw, _Task, where)
    context.tally.add_extra_keys(raw, _Task, where)
    key = _text_key(task.data, where)
    text = decode(task.data[key], str, where)
    for extra in task.data:
        if extra != key and extra not in _OWN_DATA:
            context.tally.add("left out", "extra key", repr(f"data.{extra}"))
    given: _Annotation | None = None
    signed: Mapping[str, _Annotation] = {}
    if context.options.annotators:
        signed, gold = _signed(task, context)
    else:
        given, gold = _choose(task, context)
    tokens = None
    if "tokens" in task.data and context.options.tokenizer == "auto":
        tokens = locate_tokens(text, decode(task.data["tokens"], StoredTokens, where), where)
    own_id = _name(task.data.get("id"), where)
    if own_id is None and task.id is not None:
        own_id = str(task.id)
    return RawText(
        text=text,
        spans=None if given is None else _spans(text, given, context),
        gold=None if gold is None else _spans(text, gold, context),
        annotators={name: _spans(text, annotation, context) for name, annotation in signed.items()},
        tokens=tokens,
        source=where,
        id=own_id,
        document=_name(task.data.get("document"), where),
    )


def _text_key(data: Mapping[str, msgspec.Raw], where: Source) -> str:
    """Return the key of the text: ``text``, or else the only key with a string."""
    strings = ["text"] if "text" in data else [key for key, value in data.items() if bytes(value).startswith(b'"')]
    if len(strings) != 1:
        found = "no text" if not strings else f"several strings ({', '.join(map(repr, strings))})"
        raise InputError(f"{found} in the data of the task", where=where, remedy="use the key `text` for the text")
    return strings[0]


def _name(value: msgspec.Raw | None, where: Source) -> str | None:
    name = None if value is None else decode(value, str | int | None, where)  # type: ignore[arg-type]
    return None if name is None else str(name)


def _choose(task: _Task, context: _TaskContext) -> tuple[_Annotation | None, _Annotation | None]:
    """Return the annotation to use as labels and the one to use as gold; the others are reported."""
    given, gold = _finished(task, _Annotation, context)
    wanted = context.options.label_studio
    if wanted == "predictions" or (wanted == "auto" and not given and not gold):
        for annotation in given:
            _note(annotation, "annotation not requested", context)
        taken = list(_annotations(task.predictions or [], _Annotation, "predictions.", context))[::-1]
    else:
        for _ in task.predictions or []:
            context.tally.add("left out", "labels not requested", "a prediction")
        taken, gold = (given, gold) if given else (gold, [])
    for annotation in taken[1:] + gold[1:]:
        _note(annotation, "another annotation", context, _MERGE)
    return taken[0] if taken else None, gold[0] if gold else None


def _signed(task: _Task, context: _TaskContext) -> tuple[Mapping[str, _Annotation], _Annotation | None]:
    """Return the last annotation of each person by the person's name, and the ground truth if there is one."""
    given, gold = _finished(task, _SignedAnnotation, context)
    found: dict[str, _Annotation] = {}
    for number, annotation in enumerate(given, start=1):
        name = _person(annotation.completed_by, context.source) or f"annotation-{number}"
        if name in found:
            _note(found[name], "earlier annotation of the same person", context)
        found[name] = annotation
    for annotation in gold[1:]:
        _note(annotation, "another ground truth", context)
    for _ in task.predictions or []:
        context.tally.add("left out", "labels not requested", "a prediction")
    return found, gold[0] if gold else None


def _person(value: msgspec.Raw, where: Source) -> str | None:
    """Return the name of a person, whom Label Studio stores by number or with an address."""
    if not is_given(value):
        return None
    found = decode(value, int | str | _Person | None, where)  # type: ignore[arg-type]
    if isinstance(found, _Person):
        return found.email or (None if found.id is None else f"annotator-{found.id}")
    return f"annotator-{found}" if isinstance(found, int) else found


def _finished(
    task: _Task, kind: type[AnyAnnotation], context: _TaskContext
) -> tuple[list[AnyAnnotation], list[AnyAnnotation]]:
    """Return the annotations that were not cancelled, and those among them that are the ground truth, apart."""
    given: list[AnyAnnotation] = []
    gold: list[AnyAnnotation] = []
    for annotation in _annotations(
        [*(task.annotations or []), *(task.completions or [])], kind, "annotations.", context
    ):
        if annotation.was_cancelled:
            _note(annotation, "cancelled annotation", context)
        else:
            (gold if annotation.ground_truth else given).append(annotation)
    return given, gold


def _annotations(
    raws: Sequence[msgspec.Raw], kind: type[AnyAnnotation], prefix: str, context: _TaskContext
) -> Iterator[AnyAnnotation]:
    for raw in raws:
        context.tally.add_extra_keys(raw, kind, context.source, prefix)
        yield decode(raw, kind, context.source)


def _note(annotation: _Annotation, reason: str, context: _TaskContext, remedy: str = "") -> None:
    name = "annotation" if annotation.id is None else f"annotation {annotation.id}"
    context.watch(Note("left out", reason, f"{name} with {len(annotation.result)} results{remedy}", context.source))


def _spans(text: str, annotation: _Annotation, context: _TaskContext) -> list[TextSpan]:
    regions = []
    for result in annotation.result:
        if result.type == _REGIONS and is_given(result.value):
            regions.append(decode(result.value, LabelStudioRegion, context.source))
        else:
            context.tally.add("left out", "result other than a text region", repr(result.type))
    return list(spans_of(text, regions, context.source, context.watch))


def _short_task(fields: Mapping[str, msgspec.Raw], context: _TaskContext) -> RawText:
    """Return a task of the JSON_MIN export, in which the name of a control is the key of its list of regions."""
    where = context.source
    if "text" not in fields:
        raise InputError("neither `data` nor `text` in the task", where=where, remedy="export as JSON or JSON_MIN")
    text = decode(fields["text"], str, where)
    regions: list[LabelStudioRegion] | None = [] if fields.keys() & {"annotation_id", "annotator"} else None
    for key, value in fields.items():
        found = decode(value, list[LabelStudioRegion], where) if key == "label" else _regions_if_any(value)
        if found is not None:
            regions = [*(regions or []), *found]
        elif key not in {"id", "text"}:
            context.tally.add("left out", "extra key", repr(key))
    return RawText(
        text=text,
        spans=None if regions is None else list(spans_of(text, regions, where, context.watch)),
        source=where,
        id=_name(fields.get("id"), where),
    )


def _regions_if_any(value: msgspec.Raw) -> list[LabelStudioRegion] | None:
    try:
        return msgspec.json.decode(value, type=list[LabelStudioRegion]) or None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _write(sentences: Iterable[Sentence], stream: BinaryIO, options: WriteOptions, watch: Watch) -> None:  # noqa: ARG001
    write_json_array(stream, map(_task, sentences))


def _task(sentence: Sentence) -> dict[str, object]:
    data: dict[str, object] = {"text": sentence.text, "tokens": stored_tokens(sentence)}
    if sentence.id is not None:
        data["id"] = sentence.id
    if sentence.document is not None:
        data["document"] = sentence.document
    annotations: list[dict[str, object]] = [{"result": _results(sentence, sentence.labels)}]
    if sentence.gold is not None:
        annotations.append({"result": _results(sentence, sentence.gold), "ground_truth": True})
    return {"data": data, "annotations": annotations}


def _results(sentence: Sentence, labels: Sequence[Label]) -> list[dict[str, object]]:
    text = sentence.text
    return [
        {
            "id": f"region-{number}",
            "from_name": "label",
            "to_name": "text",
            "type": _REGIONS,
            "value": {"start": start, "end": end, "text": text[start:end], "labels": [kind]},
        }
        for number, (start, end, kind, _) in enumerate(character_spans(labels, sentence.offsets, sentence.source))
    ]


FORMAT: Final = FileFormat(
    name="label-studio",
    summary="Label Studio JSON: tasks with annotations or predictions; also reads JSON_MIN",
    suffixes=(".json",),
    room=frozenset({"gold", "unknown", "id", "document", "gaps", "empty"}),
    read=_read,
    write=_write,
)

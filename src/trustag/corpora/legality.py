"""Convert a stream of sentences to another scheme; illegal labels are repaired, rejected or kept."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from msgspec.structs import replace

from trustag.errors import InputError
from trustag.notes import Note, Watch
from trustag.text.labels import Label
from trustag.text.schemes import Scheme, convert_labels, illegal_labels, merged_by
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans

OnIllegal: TypeAlias = Literal["repair", "error", "keep"]


@dataclass(frozen=True, slots=True)
class SchemeChange:
    """How to change labels of the scheme ``source``: to the scheme ``target``, or not at all if that is None.

    ``must_be_read`` says that the destination stores entities instead of labels, so illegal labels cannot be kept.
    """

    source: Scheme
    target: Scheme | None = None
    on_illegal: OnIllegal = "keep"
    must_be_read: bool = False


def rewritten(sentences: Iterable[Sentence], change: SchemeChange, watch: Watch) -> Iterator[Sentence]:
    """Yield ``sentences`` with their labels and gold labels changed by ``change``; every repair is reported."""
    for sentence in sentences:
        labels = _rewrite(sentence, sentence.labels, change, watch)
        gold = _rewrite(sentence, sentence.gold, change, watch) if sentence.gold is not None else None
        if labels is sentence.labels and gold is sentence.gold:
            yield sentence
        else:
            yield replace(sentence, labels=labels, gold=gold)


def _rewrite(sentence: Sentence, labels: tuple[Label, ...], change: SchemeChange, watch: Watch) -> tuple[Label, ...]:
    illegal = illegal_labels(labels, change.source)
    if illegal:
        fault = illegal[0]
        if change.on_illegal == "error" or (change.on_illegal == "keep" and (change.target or change.must_be_read)):
            raise InputError(
                f"{fault.before} is illegal here in {change.source} (conlleval reads it as {fault.after})",
                where=sentence.line_of(fault.token),
                remedy="pass --on-illegal repair to read such labels as conlleval does; each repair is listed",
            )
        if change.on_illegal == "repair":
            for fault in illegal:
                what = f"{fault.before} -> {fault.after} at token {sentence.tokens[fault.token]!r}"
                watch(Note("repaired", f"illegal in {change.source}", what, sentence.line_of(fault.token)))
            labels = convert_labels(labels, change.source)
    if change.target is None or change.target is change.source:
        return labels
    for first, second in merged_by(change.target, read_spans(labels)):
        names = " ".join(sentence.tokens[first.start : second.end])
        watch(Note("left out", f"{change.target} merges adjacent entities", names, sentence.line_of(second.start)))
    return convert_labels(labels, change.target)

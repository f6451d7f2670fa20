"""Decisions on forms as rules: kept in a small TOML file, and applied to any corpus labelled by the same dictionary."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec
import tomli_w
from msgspec import Struct

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.files.outputs import new_file
from trustag.issues.forms import Place, WordIndex, is_unlabelled, unreviewed
from trustag.notes import Note, Watch
from trustag.review.decisions import ReviewDecision, Verdict
from trustag.text.labels import OUTSIDE
from trustag.text.sentences import Sentence, Source
from trustag.text.spans import Span, read_spans

RuleVerdict: TypeAlias = Literal["right", "wrong", "depends"]
Words: TypeAlias = tuple[str, ...]

_HEADER: Final = b"""\
# Decisions on forms. form: the words. type: as they are given, O where they are not labelled.
# verdict: right, wrong (then label says what is right, O for no entity), or depends on the context.
"""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person decided on a form: whether its given ``type`` is right, and the ``label`` if it is wrong.

    ``occurrences`` were decided by it where it was made, and ``exceptions`` left open; ``who`` decided.
    """

    form: str
    type: str
    verdict: RuleVerdict
    label: str | None = None
    who: str = ""
    occurrences: int = 0
    exceptions: int = 0

    @property
    def right_label(self) -> str | None:
        """The type that is right wherever the form occurs, ``O`` for no entity; None where it depends."""
        return {"right": self.type, "wrong": self.label, "depends": None}[self.verdict]


def write_rules(path: Path, rules: Iterable[Rule], *, overwrite: bool = False) -> int:
    """Write rules to ``path`` and return how many there are."""
    records = [{name: value for name, value in msgspec.structs.asdict(rule).items() if value} for rule in rules]
    with new_file(path, overwrite=overwrite) as stream:
        stream.write(_HEADER + tomli_w.dumps({"rule": records}).encode())
    return len(records)


def read_rules(path: Path) -> list[Rule]:
    """Return the rules in a file; a rule that cannot be used is an error that names it."""
    try:
        content: dict[str, Any] = tomllib.loads(InputFile(path).read_bytes().decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is no TOML file ({error})", where=path, remedy=_REMEDY) from None
    records = content.get("rule")
    if not isinstance(records, list) or content.keys() != {"rule"}:
        raise InputError("contains no list of rules", where=path, remedy=_REMEDY)
    rules = [_checked(record, number, path) for number, record in enumerate(records, 1)]
    twice = [key for key, count in Counter((rule.form, rule.type) for rule in rules).items() if count > 1]
    if twice:
        form, kind = twice[0]
        raise InputError(f"has two rules for {form!r} given {kind}", where=path, remedy="keep one of them")
    return rules


_REMEDY: Final = "give a file written by trustag review RUN --export-rules FILE"


def _checked(record: object, number: int, path: Path) -> Rule:
    where = f"{path}: rule {number}"
    try:
        rule = msgspec.convert(record, Rule)
    except msgspec.ValidationError as error:
        raise InputError(f"cannot be used ({error})", where=where, remedy=_REMEDY) from None
    fault = (
        "has no words"
        if not rule.form.split(" ")[0]
        else "has no type"
        if not rule.type
        else "says wrong, but not what is right"
        if rule.verdict == "wrong" and not rule.label
        else "says that one label is both right and wrong"
        if rule.verdict == "wrong" and rule.label == rule.type
        else ""
    )
    if fault:
        raise InputError(fault, where=where, remedy="correct or remove it")
    return rule


@dataclass(frozen=True, slots=True)
class RuleUse:
    """The decisions that rules make on a corpus, and how many places each rule decides."""

    decisions: tuple[ReviewDecision, ...]
    counts: Counter[Rule]


def apply_rules(rules: Sequence[Rule], sentences: Sequence[Sentence], watch: Watch) -> RuleUse:
    """Return the decisions of ``rules`` on ``sentences``; labels that a person has reviewed stay as they are.

    Where the words of two rules overlap the longer ones count, and ``watch`` receives a note.
    """
    by_key = {(tuple(rule.form.split(" ")), rule.type): rule for rule in rules}
    index = WordIndex(words for words, kind in by_key if kind == OUTSIDE)
    decisions: list[ReviewDecision] = []
    counts: Counter[Rule] = Counter()
    for number, sentence in enumerate(sentences):
        taken: set[int] = set()
        for place, key in _places(number, sentence, index):
            rule = by_key.get(key)
            label = None if rule is None else rule.right_label
            if rule is None or label is None:
                continue
            if not taken.isdisjoint(range(place.first, place.end)):
                watch(Note("left out", "words of a rule inside those of a longer one", rule.form, sentence.source))
                continue
            taken.update(range(place.first, place.end))
            counts[rule] += 1
            decisions.append(_decision(rule, label, place))
    return RuleUse(tuple(decisions), counts)

"""Decisions on forms as rules: kept in a small TOML file, and applied to any corpus labelled by the same dictionary."""

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec
import tomli_w
from msgspec import Struct

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.issues.forms import FORM_MARK, Form, Occurrence, WordIndex, Words, form_places
from trustag.notes import Note, Watch
from trustag.review.entries import Entry, ReviewDecision, Verdict
from trustag.review.form_decisions import entities
from trustag.review.session import ReviewSession
from trustag.text.labels import OUTSIDE
from trustag.text.sentences import Sentence

RuleVerdict: TypeAlias = Literal["right", "wrong", "depends"]

_HEADER: Final = b"""\
# Decisions on forms. form: the words; type: how they are labelled, O where no entity is given.
# verdict: right, or wrong (label says what is right, O for no entity), or depends (on the context).
# decided: places where the verdict holds; exceptions: other places in the corpus it was made on.

"""
_REMEDY: Final = "give a file written by trustag review RUN --export-rules FILE"


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person decided on a form: whether its given ``type`` is right, and the ``label`` that is if it is wrong.

    The verdict holds at ``decided`` places of the corpus it was made on, and not at ``exceptions`` other ones.
    """

    form: str
    type: str
    verdict: RuleVerdict
    label: str | None = None
    who: str = ""
    decided: int = 0
    exceptions: int = 0

    @property
    def right_label(self) -> str | None:
        """The type that is right wherever the form occurs, ``O`` for no entity; None where it depends."""
        return {"right": self.type, "wrong": self.label, "depends": None}[self.verdict]

    @property
    def fault(self) -> str:
        """What makes the rule useless; empty if nothing does."""
        if not all(self.form.split(" ")):
            return "form must be words with single spaces between them"
        if not self.type:
            return "type is empty"
        if (self.verdict == "wrong") != bool(self.label):
            return "label must say what is right if the verdict is wrong, and only then"
        return "label is the type that is said to be wrong" if self.label == self.type else ""


def rules_of(session: ReviewSession) -> list[Rule]:
    """Return the decisions on forms in force, in the order of forms and types."""
    rules = (_rule(session, entry) for entry in session.state.on_forms() if entry.decision.verdict != "skipped")
    return sorted(rules, key=lambda rule: (rule.form, rule.type))


def _rule(session: ReviewSession, entry: Entry) -> Rule:
    decision = entry.decision
    given, *words = json.loads(decision.issue.removeprefix(FORM_MARK))
    label = decision.spans[0].type if decision.spans else OUTSIDE
    form = session.queue.form(decision.issue)
    verdict: RuleVerdict = "right" if label == (given or OUTSIDE) else "wrong"
    if decision.verdict == "depends":
        return Rule(" ".join(words), given or OUTSIDE, "depends", who=decision.reviewer)
    decided = 0 if form is None else _places_with(session, form, label)
    return Rule(
        form=" ".join(words),
        type=given or OUTSIDE,
        verdict=verdict,
        label=None if verdict == "right" else label,
        who=decision.reviewer,
        decided=decided,
        exceptions=0 if form is None else len(form.occurrences) - decided,
    )


def _places_with(session: ReviewSession, form: Form, label: str) -> int:
    """Return at how many places of a form a person decided that ``label`` is right."""
    found = (session.state.decided_entities(one.sentence, one.first, one.end) for one in form.occurrences)
    return sum(spans == entities(place, label) for place, spans in zip(form.occurrences, found, strict=True))


def as_toml(rules: Iterable[Rule]) -> bytes:
    """Return rules as the content of a file; fields that say nothing are left out."""
    records = [
        {name: value for name, value in msgspec.structs.asdict(rule).items() if value not in {None, ""}}
        for rule in rules
    ]
    return _HEADER + tomli_w.dumps({"rule": records}).encode()


def read_rules(path: Path) -> list[Rule]:
    """Return the rules in a file; anything that cannot be used is an error that names its place."""
    try:
        content: dict[str, Any] = tomllib.loads(InputFile(path).read_bytes().decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is no TOML file ({error})", where=path, remedy=_REMEDY) from None
    records = content.get("rule")
    if not isinstance(records, list) or not records or content.keys() != {"rule"}:
        raise InputError("holds no rules", where=path, remedy=_REMEDY)
    rules = [_checked(record, f"{path}: rule {number}") for number, record in enumerate(records, 1)]
    counts = Counter((rule.form, rule.type) for rule in rules)
    (form, kind), count = counts.most_common(1)[0]
    if count > 1:
        raise InputError(f"{count} rules for {form!r} labelled {kind}", where=path, remedy="keep one of them")
    return rules


def _checked(record: object, where: str) -> Rule:
    try:
        rule = msgspec.convert(record, Rule)
    except msgspec.ValidationError as error:
        raise InputError(f"cannot be used ({error})", where=where, remedy=_REMEDY) from None
    if rule.fault:
        raise InputError(rule.fault, where=where, remedy="correct or remove the rule")
    return rule


def apply_rules(rules: Sequence[Rule], sentences: Sequence[Sentence], watch: Watch) -> list[ReviewDecision]:
    """Return the decisions of ``rules`` on ``sentences``; labels that a person has reviewed stay as they are.

    Where the words of two rules overlap, the first and longest count, and ``watch`` receives a note; it also gets one
    on each rule that decides nothing.
    """
    labels = {(tuple(rule.form.split(" ")), rule.type): rule for rule in rules if rule.right_label is not None}
    index = WordIndex(words for words, kind in labels if kind == OUTSIDE)
    decisions: list[ReviewDecision] = []
    used: set[Rule] = set()
    for number, sentence in enumerate(sentences):
        taken: set[int] = set()
        for first, end, rule in _matches(sentence, index, labels):
            if not taken.isdisjoint(range(first, end)):
                watch(Note("left out", "words of a rule that overlap with another one", rule.form, sentence.source))
                continue
            taken.update(range(first, end))
            used.add(rule)
            decisions.append(_decision(rule, Occurrence(number, first, end)))
    for rule in (rule for rule in rules if rule not in used):
        reason = "rule that depends on the context" if rule.verdict == "depends" else "rule that matches nothing"
        watch(Note("left out", reason, f"{rule.form} labelled {rule.type}"))
    return decisions


def _matches(
    sentence: Sentence, index: WordIndex, rules: dict[tuple[Words, str], Rule]
) -> Iterator[tuple[int, int, Rule]]:
    for first, end, given in form_places(sentence, index):
        rule = rules.get((sentence.tokens[first:end], given or OUTSIDE))
        if rule is not None:
            yield first, end, rule


def _decision(rule: Rule, place: Occurrence) -> ReviewDecision:
    label = rule.right_label or OUTSIDE
    verdict: Verdict = "rejected" if rule.verdict == "right" else "edited"
    tokens = place.sentence, place.first, place.end, entities(place, label)
    return ReviewDecision("", verdict, *tokens, f"rule: {rule.form} labelled {rule.type}", rule.who)

"""Names that a document repeats."""

from trustag.labelling.candidates import NameCandidate
from trustag.labelling.proposals import Proposal
from trustag.labelling.repetition import NamesOfDocument
from trustag.labelling.word_rules import RepeatSettings

RULES = (
    RepeatSettings(name="same", least_score=0.5),
    RepeatSettings(name="surname", part="last", type="PER", minimum=2, only_names=True),
    RepeatSettings(name="initials", part="initials", type="ORG", minimum=2),
)


def repeated(names: list[tuple[str, str | None, float]], *words: str) -> list[tuple[str, str | None, str]]:
    known = NamesOfDocument(RULES)
    for text, kind, score in names:
        tokens = text.split()
        known.add(tokens, Proposal(0, len(tokens), kind, "kb", score))
    found = known.proposals(words, [NameCandidate(n, n + 1, is_run=True) for n in range(len(words))], {"brown"})
    return [(words[one.start], one.type, one.source) for one in found]


def test_whole_names_surnames_and_initials() -> None:
    names: list[tuple[str, str | None, float]] = [
        ("Ann Weber", "PER", 0.8),
        ("River Thames Authority", "ORG", 0.8),
        ("Oslo", "LOC", 1.0),
        ("Acme", None, 0.0),
    ]
    assert repeated(names, "Weber", "Ann", "RTA", "Oslo", "Acme", "Authority") == [
        ("Weber", "PER", "rule:surname"),
        ("RTA", "ORG", "rule:initials"),
        ("Oslo", "LOC", "rule:same"),
    ]


def test_doubtful_names_do_not_spread() -> None:
    assert repeated([("Mathematics", "LOC", 0.3)], "Mathematics") == []
    assert repeated([("Jim Brown", "PER", 0.8)], "Brown") == []
    assert repeated([("Weber", "PER", 1.0)], "Weber") == [("Weber", "PER", "rule:same")]


def test_a_form_with_several_types_is_left_alone() -> None:
    assert repeated([("Oslo", "LOC", 1.0), ("Oslo", "ORG", 1.0)], "Oslo") == []

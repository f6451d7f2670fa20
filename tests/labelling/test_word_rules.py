"""Rules on words in and around candidates."""

import pytest

from trustag.errors import InputError
from trustag.labelling.candidates import CommonWords, NameCandidate
from trustag.labelling.word_rules import RuleSettings, rule_of
from trustag.recipes.loading import checked

COMMON = CommonWords(frozenset({"house"}), frozenset({"field"}))


def said(text: str, **values: object) -> str | None:
    """Return what a rule labels of the candidate between brackets."""
    tokens = text.split()
    start, end = tokens.index("["), tokens.index("]") - 1
    tokens = [token for token in tokens if token not in {"[", "]"}]
    rule = rule_of(RuleSettings(name="x", type="ORG", **values), {"names": frozenset({("ann",), ("mary", "ann")})})  # type: ignore[arg-type]
    found = rule.proposal(tokens, NameCandidate(start, end, is_run=True), COMMON)
    return None if found is None else " ".join(tokens[found.start : found.end])


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("the [ Acme Inc. ] said", {"at": "last", "words": "inc corp"}, "Acme Inc."),
        ("the [ Acme Inc. ] said", {"at": "last", "words": "inc", "take": "rest"}, "Acme"),
        ("the [ Inc. ] said", {"at": "last", "words": "inc", "minimum": 2}, None),
        ("the [ Bank of Oslo ] said", {"at": "first", "words": "bank_of"}, "Bank of Oslo"),
        ("the [ Bank of Oslo ] said", {"at": "first", "words": "bank_of", "take": "rest"}, "Oslo"),
        ("the [ Old Bank of Oslo ] said", {"at": "first", "words": "bank_of"}, None),
        ("the [ Old Bank of Oslo ] said", {"at": "inside", "words": "bank_of"}, "Old Bank of Oslo"),
        ("Dr. [ Weber ] said", {"at": "before", "words": "dr"}, "Weber"),
        ("[ Weber ] who said", {"at": "after", "words": "who"}, "Weber"),
        ("[ Weber ]", {"at": "after", "words": "who"}, None),
        ("[ Mary Ann Smith ]", {"at": "first", "from_list": "names", "take": "rest"}, "Smith"),
        ("[ EU ] is", {"pattern": "[A-Z]{2,5}"}, "EU"),
        ("[ Eu ] is", {"pattern": "[A-Z]{2,5}"}, None),
        ("[ Ann Street ]", {"at": "first", "from_list": "names", "unless": "street road"}, None),
        ("[ Ann House ]", {"at": "first", "from_list": "names", "only_names": True}, None),
        ("[ Ann House ]", {"at": "first", "from_list": "names", "not_in_small": True}, "Ann House"),
        ("[ Ann Field ]", {"at": "first", "from_list": "names", "not_in_small": True}, None),
        ("[ ANN Smith ]", {"at": "first", "from_list": "names", "no_capitals": True}, None),
        ("[ a b c ]", {"pattern": ".*", "most": 2}, None),
    ],
)
def test_rules(text: str, values: dict[str, object], expected: str | None) -> None:
    assert said(text, **values) == expected


def test_only_runs() -> None:
    rule = rule_of(RuleSettings(name="x", type="ORG", pattern=".*", only_runs=True), {})
    assert rule.proposal(["A"], NameCandidate(0, 1, is_run=False), COMMON) is None


def test_labels_say_why() -> None:
    rule = rule_of(RuleSettings(name="suffix", type="ORG", at="last", words=("inc",), score=0.7), {})
    found = rule.proposal(["Acme", "Inc."], NameCandidate(0, 2, is_run=True), COMMON)
    assert found is not None
    assert (found.source, found.score, found.why) == ("rule:suffix", 0.7, "ends in 'Inc.'")


@pytest.mark.parametrize(
    ("values", "finding"),
    [
        ({"words": "a", "pattern": "b"}, "give one of words, from_list and pattern"),
        ({"pattern": "("}, "not a regular expression"),
        ({"wrds": "a"}, "did you mean 'words'"),
    ],
)
def test_wrong_rules_are_errors(values: dict[str, object], finding: str) -> None:
    with pytest.raises(InputError, match=finding):
        checked(RuleSettings, {"name": "x", "type": "ORG", **values}, "my.toml")

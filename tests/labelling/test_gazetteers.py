"""Which names of lists a text means: case, votes, and forms that are left out."""

import pytest

from trustag.labelling.gazetteers import (
    Evidence,
    Gazetteer,
    ListOptions,
    ListToCompile,
    compile_lists,
    voted,
)
from trustag.labelling.name_lists import ListedName
from trustag.labelling.settings import Ambiguous, Case


def gazetteer(*lists: ListToCompile, ambiguous: Ambiguous = "unknown") -> Gazetteer:
    return Gazetteer(compile_lists(lists), ambiguous)


def places(*forms: str, case: Case = "auto", kind: str | None = "LOC", name: str = "places") -> ListToCompile:
    return ListToCompile(name, [ListedName(form, kind) for form in forms], ListOptions(case))


def matches(found: Gazetteer, text: str) -> list[str]:
    tokens = text.split()
    return [" ".join(tokens[match.start : match.end]) for match in found.matches(tokens)]


@pytest.mark.parametrize(
    ("case", "accepted"),
    [
        ("exact", ["New York"]),
        ("written", ["New York", "NEW YORK"]),
        ("capitalised", ["New York", "NEW YORK", "New YORK"]),
        ("any", ["New York", "NEW YORK", "New YORK", "new york"]),
    ],
)
def test_case_of_a_list(case: Case, accepted: list[str]) -> None:
    found = gazetteer(places("New York", case=case))
    written = ["New York", "NEW YORK", "New YORK", "new york"]
    assert [text for text in written if matches(found, f"in {text} .")] == accepted


def test_lists_in_one_case_say_nothing_about_case() -> None:
    small = gazetteer(places("oslo", "isle of man", "bergen"))
    assert [small.compiled.lists[0].case] == ["capitalised"]
    assert matches(small, "oslo Oslo Isle of Man isle Of man BERGEN") == ["Oslo", "Isle of Man", "BERGEN"]
    mixed = gazetteer(places("oslo", "Bergen", "Rome"))
    assert [mixed.compiled.lists[0].case] == ["written"]
    assert matches(mixed, "oslo Oslo OSLO Bergen bergen") == ["oslo", "OSLO", "Bergen"]
    chemicals = gazetteer(places("aspirin", "lead", kind="Chemical"))
    assert matches(chemicals, "Aspirin lead") == ["Aspirin", "lead"]
    abbreviations = gazetteer(places("USA", "UK"))
    assert matches(abbreviations, "USA Uk UK") == ["USA", "UK"]


def test_forms_that_cannot_be_names_are_counted() -> None:
    options = ListOptions(stop_words=frozenset({"the", "it"}), minimum_length=2)
    forms = [ListedName(text, "LOC") for text in ["The", "IT", "1984", "Q", "Oslo", "..."]]
    compiled = compile_lists([ListToCompile("places", forms, options)])
    (one,) = compiled.lists
    assert one.forms == len(compiled) == 2
    assert dict(one.left_out) == {
        "forms that are stop words": 1,
        "forms without letters": 2,
        "forms that are too short": 1,
    }
    assert matches(Gazetteer(compiled), "The IT It Oslo") == ["IT", "Oslo"]


def test_tokens_of_lists_and_texts_may_differ() -> None:
    found = gazetteer(places("O'Neill", "Washington, D.C.", "Baden-Baden"))
    assert matches(found, "O ' Neill 's Washington , D.C. Baden - Baden Baden-Baden Washington") == [
        "O ' Neill",
        "Washington , D.C.",
        "Baden - Baden",
        "Baden-Baden",
    ]
    # A name that ends inside a token is none.
    assert matches(gazetteer(places("Baden")), "Baden-Baden Baden") == ["Baden"]


def test_votes_of_several_lists() -> None:
    lists = [places("Paris"), places("Paris", name="more"), places("Paris", kind="PER", name="names")]
    (match,) = gazetteer(*lists).matches(["Paris"])
    assert (match.verdict.type, match.verdict.source) == ("LOC", "gazetteer:places")
    assert match.verdict.score == pytest.approx(2 / 3)
    assert [one.source for one in match.verdict.evidence] == ["gazetteer:places", "gazetteer:more", "gazetteer:names"]


def test_a_list_that_repeats_a_form_has_one_vote() -> None:
    lists = [places("Paris", "Paris", "PARIS"), places("Paris", kind="PER", name="names")]
    (match,) = gazetteer(*lists).matches(["Paris"])
    assert match.verdict.type is None
    assert match.verdict.score == 0.5


@pytest.mark.parametrize(("ambiguous", "kind"), [("unknown", None), ("first", "PER"), ("drop", "nothing")])
def test_as_many_votes_for_several_types(ambiguous: Ambiguous, kind: str | None) -> None:
    evidence = [Evidence("gazetteer:a", "PER", 1.0), Evidence("gazetteer:b", "LOC", 1.0)]
    verdict = voted(evidence, ambiguous)
    assert (verdict.type if verdict is not None else "nothing") == kind


def test_names_of_unknown_types_give_way_to_types() -> None:
    untyped = places("Paris", "Rome", kind=None, name="names")
    found = gazetteer(untyped, places("Paris"))
    assert [match.verdict.type for match in found.matches(["Paris", "Rome"])] == ["LOC", None]
    assert voted([], "first") is None

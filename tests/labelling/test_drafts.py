"""What a knowledge base says of the candidates of a document."""

from pathlib import Path

import pytest

from trustag.labelling.candidates import NameCandidate
from trustag.labelling.drafts import KnowledgeSource, SentenceDraft, surface
from trustag.labelling.knowledge_base import Asking, KnowledgeBase
from trustag.labelling.settings import Ambiguous
from trustag.labelling.sparql import Row

ANSWERS = [("Oslo", "Q1", "LOC1"), ("Oslo", "Q2", "LOC1"), ("Oslo", "Q3", "BAND1"), ("O'Neill, Ltd", "Q4", "BAND1")]


class Answering:
    """Answers with all it has, whatever it is asked."""

    asked = 0

    def select(self, query: str) -> list[Row]:
        self.asked += 1
        return [] if "OFFSET 0" not in query else [{"form": f, "item": i, "class": f"x/{c}"} for f, i, c in ANSWERS]


@pytest.mark.parametrize(
    ("ambiguous", "expected"), [("first", [("LOC", 0.667)]), ("unknown", [(None, 0.667)]), ("drop", [])]
)
def test_names_of_several_types(tmp_path: Path, ambiguous: Ambiguous, expected: list[tuple[str | None, float]]) -> None:
    answering = Answering()
    base = KnowledgeBase(answering, {"LOC1": "LOC", "BAND1": "ORG"}, Asking(), tmp_path / "a.sqlite")
    tokens = ["Oslo", "O'Neill", ",", "Ltd", "Rome"]
    found = [NameCandidate(0, 1, is_run=True), NameCandidate(1, 4, is_run=True), NameCandidate(4, 5, is_run=True)]
    drafts = [SentenceDraft(tokens, [True] * 5, found, []), SentenceDraft(["Oslo"], [True], found[:1], [])]
    KnowledgeSource(base, ambiguous, frozenset({"LOC", "ORG"})).add_proposals(drafts)
    first = [(one.type, round(one.score, 3)) for one in drafts[0].proposals if one.start == 0]
    assert first == expected
    assert [(one.start, one.end, one.type, one.score) for one in drafts[0].proposals if one.start] == [(1, 4, "ORG", 1)]
    assert len(drafts[1].proposals) == len(expected)
    assert answering.asked == 1  # all candidates of a document together


def test_candidates_are_asked_as_they_are_written() -> None:
    tokens = ["Baden", "-", "Baden", "(", "O", "'s", ")"]
    assert surface(tokens, NameCandidate(0, 3, is_run=True)) == "Baden-Baden"
    assert surface(tokens, NameCandidate(2, 7, is_run=True)) == "Baden (O's)"

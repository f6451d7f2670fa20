"""What is measured of issues, by hand-made examples and on a small run."""

from pathlib import Path

import numpy as np
import pytest

from trustag.experiments import issue_quality as issue_quality_module
from trustag.experiments.issue_quality import (
    CLEANLAB,
    OURS,
    SELF_CONFIDENCE,
    issue_quality,
    quality_by_kind,
    review_quality,
    with_known_kinds,
)
from trustag.experiments.reanalysis import reanalyse
from trustag.issues.issue import Issue
from trustag.text.spans import Span

ISSUES = (
    Issue(0, 3, 4, "type", (Span(3, 4, "LOC"),), (Span(3, 4, "MISC"),), 0.9, 0.1, 0.8),
    Issue(0, 2, 3, "missed", (), (Span(2, 3, "PER"),), 0.8, 0.1, 0.8),
    Issue(0, 1, 2, "missed", (), (Span(1, 2, "PER"),), 0.3, 0.1, 0.8),
)


def test_known_kinds_have_the_share_of_errors_that_they_hold_and_keep_their_order() -> None:
    issues = with_known_kinds((*ISSUES, ISSUES[0]), np.array([True, True, False, False]))
    by_kind = {kind: [issue.score for issue in issues if issue.kind == kind] for kind in ("missed", "type")}
    assert {kind: pytest.approx(sum(scores) / 2) for kind, scores in by_kind.items()} == {"missed": 0.5, "type": 0.5}
    assert by_kind["missed"][0] > by_kind["missed"][1]


def test_kinds_count_issues_and_errors() -> None:
    found = quality_by_kind(ISSUES, np.array([True, False, True]))
    assert found["missed"] == {"issues": 2, "estimated_errors": pytest.approx(1.1), "errors": 1}
    assert found["boundary"] == {"issues": 0, "estimated_errors": 0, "errors": 0}


def test_a_review_of_all_issues_finds_all_their_errors() -> None:
    found = review_quality(ISSUES, np.array([True, False, False]))
    assert (found["issues"], found["errors"], found["caught"]) == (3, 1, 1.0)
    assert found["estimated_errors"] == pytest.approx(2.0)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:May not flag")  # cleanlab's, on few examples
@pytest.mark.usefixtures("results")
def test_issues_are_compared_with_other_rankings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels = reanalyse(folder / "runs" / "demo-method-1")
    monkeypatch.setattr(issue_quality_module, "find_spec", lambda _: None)
    without = issue_quality(labels)
    assert set(without["tokens"]) == {OURS, SELF_CONFIDENCE}
    assert all(0 < quality["average_precision"] <= 1 for quality in without["entities"].values())
    assert without["review"]["issues"] == sum(kind["issues"] for kind in without["kinds"].values())
    monkeypatch.undo()
    pytest.importorskip("cleanlab")
    compared = issue_quality(labels)
    assert set(compared["tokens"]) == {OURS, SELF_CONFIDENCE, CLEANLAB}
    assert compared["tokens"][OURS] == without["tokens"][OURS]

"""The result of a training: what it says of its epochs and of the models beside the kept one."""

from dataclasses import replace
from pathlib import Path

from trustag.pipeline import Scores, TrainResult
from trustag.runs.folder import RunFolder
from trustag.runs.records import EpochReport
from trustag.text.scoring import EntityScores, score_labels

SCORES = Scores(None, score_labels([(["B-PER", "O"], ["B-PER", "B-PER"])]))
RESULT = TrainResult(
    run=RunFolder(Path("run")),
    method="own",
    sentences=4,
    history=tuple(EpochReport(epoch, 1.0, is_best=epoch in {0, 2}) for epoch in range(4)),
    scores=SCORES,
    facts={"entity_ratio": 0.25},
)


def f1(scores: EntityScores | None) -> float | None:
    return None if scores is None else scores.micro.f1


def test_the_kept_epoch_is_the_last_best_one() -> None:
    assert RESULT.best_epoch == 2


def test_a_result_without_other_models_has_no_baseline_and_no_choice() -> None:
    assert (RESULT.baseline, RESULT.relabelled, dict(RESULT.kept)) == (None, None, {})
    assert RESULT.summary() == {"best_epoch": 2, **SCORES.summary(), "entity_ratio": 0.25}


def test_scores_are_summed_up_as_precision_recall_and_f1_of_each_split() -> None:
    summary = SCORES.summary()
    assert summary["dev"] is None
    assert summary["test"] == {"precision": 0.5, "recall": 1.0, "f1": f1(SCORES.test)}


def test_rounds_are_all_models_but_the_baseline() -> None:
    others = {"baseline": SCORES, "round-1": Scores(SCORES.test, None), "round-2": Scores(None, None)}
    result = replace(
        RESULT, compared=others, facts={"kept": {"name": "round-1", "reason": "better"}}, tables=("rounds",)
    )
    summary = result.summary()
    assert summary["baseline"] == SCORES.summary()
    assert summary["rounds"] == [others["round-1"].summary(), others["round-2"].summary()]
    assert summary["tables"] == ["rounds"]
    assert result.kept == {"name": "round-1", "reason": "better"}
    assert result.baseline is SCORES


def test_contents_without_an_analysis_are_the_epochs() -> None:
    assert RESULT.contents() == {"epochs": RESULT.history}

"""Write what a method learned into its run, and score its models."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from trustag.files.outputs import new_file
from trustag.label_quality.analysis import LabelAnalysis, analyse_labels
from trustag.methods.base import Learned
from trustag.models.saving import load_model
from trustag.notes import Watch
from trustag.pipeline.train_result import Scores, TrainResult
from trustag.runs.corpus_files import write_relabelled
from trustag.runs.folder import RunFolder, write_metrics, write_records, write_text
from trustag.runs.issue_files import write_issues
from trustag.text.scoring import score_labels
from trustag.text.sentences import Sentence
from trustag.training.fit_results import FitResult, keep_model
from trustag.training.fitting import score
from trustag.training.task import Task


def finished_run(
    run: RunFolder, method: str, task: Task, learned: Learned, test: Sequence[Sentence], watch: Watch
) -> TrainResult:
    """Leave everything that was learned in the run, and score the models."""
    analysis = None
    if learned.labels is not None:
        analysis = analyse_labels(task.sentences, task.corpus, task.scheme, learned.labels)
        _write_analysis(run, analysis, watch)
    for name, records in learned.tables.items():
        write_records(run.table(name), _with_changes(name, records, analysis))
    keep_model(run, learned.model, 1.0 if analysis is None else analysis.temperature)
    write_metrics(run, learned.model.history)
    compared = {name: _scores(model, task, test) for name, model in learned.compared.items()}
    kept = next((compared[name] for name, model in learned.compared.items() if model is learned.model), None)
    return TrainResult(
        run=run,
        method=method,
        sentences=len(task.sentences),
        history=learned.model.history,
        scores=_unseen(learned, task, _scores(learned.model, task, test) if kept is None else kept),
        compared=compared,
        analysis=analysis,
        facts=learned.facts,
        tables=tuple(learned.tables),
        gold_used_for=learned.gold_used_for,
    )


def _write_analysis(run: RunFolder, analysis: LabelAnalysis, watch: Watch) -> None:
    write_text(run.rates, json.dumps(analysis.rates.summary(), indent=2) + "\n")
    write_records(run.changes, (asdict(change) for change in analysis.all_changes))
    write_relabelled(run, analysis.relabelled, watch)
    with new_file(run.confidence, overwrite=True) as stream:
        np.savez_compressed(stream, **analysis.columns)  # type: ignore[arg-type] # a name might be allow_pickle, none is
    write_issues(run.issues, analysis.issues)


def _with_changes(
    name: str, records: Sequence[Mapping[str, Any]], analysis: LabelAnalysis | None
) -> list[Mapping[str, Any]]:
    """Return the records of rounds with how many labels each changed; others as they are."""
    if name != "rounds" or analysis is None:
        return list(records)
    return [
        {**record, "changed": changed} for record, changed in zip(records, analysis.changes_by_round(), strict=True)
    ]


def _scores(model: FitResult, task: Task, test: Sequence[Sentence]) -> Scores:
    tagger, evaluator = load_model(model.model, task.network.context), task.training.evaluator
    return Scores(*(score(tagger, split, evaluator) if split else None for split in (task.dev, test)))


def _unseen(learned: Learned, task: Task, scores: Scores) -> Scores:
    """Return the scores, on dev by models that had not seen it where the kept one has learned from it."""
    if learned.dev_labels is None:
        return scores
    return replace(scores, dev=score_labels(zip((own.labels for own in task.dev), learned.dev_labels, strict=True)))

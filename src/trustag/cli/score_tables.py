"""Scores as text for people and as plain values for programs."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Protocol

from trustag.cli.output import aligned
from trustag.errors import printable
from trustag.noise.measures import NoiseMeasures
from trustag.text.overlap_scores import OverlapCounts, Schema
from trustag.text.schemes import Scheme
from trustag.text.scoring import EntityScores

DIGITS: Final = 4
_OVERLAP_HEADS: Final = ("correct", "incorrect", "partial", "missed", "spurious")
_RATE_HEADS: Final = ("precision", "recall", "f1-score")


class _Rates(Protocol):
    @property
    def precision(self) -> float: ...
    @property
    def recall(self) -> float: ...
    @property
    def f1(self) -> float: ...


def report_table(scores: EntityScores) -> str:
    """Return the scores as seqeval's classification report prints them, line by line the same."""
    names = [printable(kind) for kind in scores.by_type]
    width = max(len("weighted avg"), *map(len, names), 0)
    head = " " * width + " " + "".join(f" {name:>9}" for name in (*_RATE_HEADS, "support"))
    types = [
        _report_row(name, counts, counts.support, width)
        for name, counts in zip(names, scores.by_type.values(), strict=True)
    ]
    averages = [
        _report_row("micro avg", scores.micro, scores.micro.support, width),
        _report_row("macro avg", scores.macro, scores.macro.support, width),
        _report_row("weighted avg", scores.weighted, scores.weighted.support, width),
    ]
    return "\n".join([head, "", *types, "", *averages])


def _report_row(name: str, rates: _Rates, support: int, width: int) -> str:
    numbers = "".join(f" {number:>9.{DIGITS}f}" for number in (rates.precision, rates.recall, rates.f1))
    return f"{name:>{width}} {numbers} {support:>9}"


def conlleval_lines(scores: EntityScores) -> str:
    """Return conlleval's summary of tokens and phrases, and the token accuracy."""
    micro = scores.micro
    return (
        f"processed {scores.tokens} tokens with {micro.support} phrases; "
        f"found: {micro.found} phrases; correct: {micro.correct}.\n"
        f"token accuracy: {scores.accuracy:.{DIGITS}f} ({scores.alike} of {scores.compared} labels equal)"
    )


def overlap_table(overlaps: Mapping[Schema, OverlapCounts], schemas: Iterable[Schema]) -> str:
    """Return nervaluate's counts and rates, one row per schema."""
    rows: list[list[str]] = [["", *_OVERLAP_HEADS, *_RATE_HEADS]]
    for schema in schemas:
        counts = overlaps[schema]
        whole = [str(getattr(counts, name)) for name in _OVERLAP_HEADS]
        rows.append([schema, *whole, *(f"{rate:.{DIGITS}f}" for rate in (counts.precision, counts.recall, counts.f1))])
    return "\n".join(aligned(rows, left=0, header=True))


def unknown_lines(scores: EntityScores) -> str:
    """Return how many labels are unknown and how they count; empty where every label is known."""
    if not scores.unknown_gold and not scores.unknown_predicted:
        return ""
    return (
        f"unknown labels: {scores.unknown_gold} in gold, {scores.unknown_predicted} in the compared labels; "
        "they count as no entity and are excluded from the accuracy"
    )


def scheme_lines(gold: Scheme, predicted: Scheme) -> str:
    """Return a warning where two schemes make the token accuracy meaningless; empty where they agree."""
    if gold is predicted:
        return ""
    return (
        f"gold is in {gold}, the compared labels are in {predicted}: "
        "entity scores are comparable, the token accuracy is not"
    )


def noise_lines(written: NoiseMeasures, iobes: NoiseMeasures) -> str:
    """Return the noise of labels as text, token rates both as written and in IOBES."""
    entities = written.entities
    hidden = f"{written.wrong_negatives} of {written.negatives} O labels miss part of an entity"
    return "\n".join(
        [
            "noise of the labels against gold",
            f"  {entities.correct} of {entities.found} labelled entities are correct: {_named('precision', entities)}",
            f"  {entities.correct} of {entities.support} gold entities are labelled: {_named('recall', entities)}",
            *_wrong_positive_lines(written, "as written"),
            *_wrong_positive_lines(iobes, "in IOBES"),
            f"  {hidden}: {_named('tau_n', written)}",
        ]
    )


def _wrong_positive_lines(noise: NoiseMeasures, manner: str) -> Iterator[str]:
    wrong = noise.wrong_positives
    yield f"  {wrong.total} of {noise.positives} entity labels are wrong {manner}: {_named('tau_p', noise)}"
    kinds = {
        "gold is O": wrong.gold_outside,
        "only the type is wrong": wrong.wrong_type,
        "only the position is wrong": wrong.wrong_position,
        "both are wrong": wrong.both_wrong,
    }
    if wrong.total:
        yield "    " + ", ".join(f"{name} {count} ({count / wrong.total:.1%})" for name, count in kinds.items())


def _named(rate: str, values: object) -> str:
    return f"{rate} {getattr(values, rate):.{DIGITS}f}"


def scores_as_values(scores: EntityScores) -> dict[str, Any]:
    """Return scores under the names of Hugging Face's evaluate, overall and by type, and the counts behind them."""
    micro = scores.micro
    return {
        "overall_precision": micro.precision,
        "overall_recall": micro.recall,
        "overall_f1": micro.f1,
        "overall_accuracy": scores.accuracy,
        "types": {
            kind: _rates(counts) | {"number": counts.support, "found": counts.found, "correct": counts.correct}
            for kind, counts in scores.by_type.items()
        },
        "macro": _rates(scores.macro),
        "weighted": _rates(scores.weighted),
        "entities": {"gold": micro.support, "found": micro.found, "correct": micro.correct},
        "sentences": scores.sentences,
        "tokens": {
            "all": scores.tokens,
            "compared": scores.compared,
            "alike": scores.alike,
            "unknown_gold": scores.unknown_gold,
            "unknown_predicted": scores.unknown_predicted,
        },
    }


def overlaps_as_values(overlaps: Mapping[Schema, OverlapCounts], schemas: Iterable[Schema]) -> dict[str, Any]:
    """Return nervaluate's counts and rates by schema."""
    return {
        schema: {name: getattr(overlaps[schema], name) for name in _OVERLAP_HEADS} | _rates(overlaps[schema])
        for schema in schemas
    }


def noise_as_values(noise: NoiseMeasures) -> dict[str, Any]:
    """Return noise measures as plain values."""
    wrong = noise.wrong_positives
    return {
        "entity_precision": noise.entities.precision,
        "entity_recall": noise.entities.recall,
        "tau_p": noise.tau_p,
        "tau_n": noise.tau_n,
        "positives": noise.positives,
        "negatives": noise.negatives,
        "wrong_negatives": noise.wrong_negatives,
        "wrong_positives": {
            "all": wrong.total,
            "gold_outside": wrong.gold_outside,
            "wrong_type": wrong.wrong_type,
            "wrong_position": wrong.wrong_position,
            "both_wrong": wrong.both_wrong,
        },
    }


def _rates(rates: _Rates) -> dict[str, Any]:
    return {"precision": rates.precision, "recall": rates.recall, "f1": rates.f1}

"""The closing words of a training: what was trained, how noisy the labels look, what changed, what to do next."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trustag.text.scoring import EntityScores

if TYPE_CHECKING:
    from trustag.training.findings import Findings
    from trustag.training.train import Trained


def in_words(trained: "Trained") -> Iterator[str]:
    """Yield the lines that a person reads when a run is complete."""
    epochs = f"best epoch {trained.best_epoch + 1} of {len(trained.history)}"
    yield f"trained on {trained.sentences:,} sentences; {epochs}"
    if trained.findings is not None:
        yield from _of_labels(trained.findings)
    yield from _of_scores(trained)
    run = trained.run.path
    yield f"model: {trained.run.best}"
    if trained.findings is not None:
        yield f"labels: {trained.run.relabelled} (new), {trained.run.changes} (each change)"
    yield f"next: trustag predict {run} TEXT, trustag evaluate {run} CORPUS"


def _of_labels(findings: "Findings") -> Iterator[str]:
    rates = findings.rates
    yield f"noise ({_SOURCES[rates.source]}):"
    for name, rate, interval in (
        ("O labels that hide an entity", rates.rates.negative, rates.negative_interval),
        ("entity labels that are wrong", rates.rates.positive, rates.positive_interval),
    ):
        sure = f"  ({interval[0]:.1%} to {interval[1]:.1%})" if interval else ""
        yield f"  {name}  {rate:6.1%}{sure}"
    share = findings.changed / max(findings.labels, 1)
    yield f"changed {findings.changed:,} of {findings.labels:,} labels ({share:.1%}) in round {findings.round}"
    if findings.detection is not None:
        yield "against the gold column, labels distrusted:"
        for name, counts in (("O", findings.detection.negative), ("entity", findings.detection.positive)):
            figures = (100 * value for value in (counts.precision, counts.recall, counts.f1))
            yield "  {:<7} P {:6.2f}  R {:6.2f}  F1 {:6.2f}".format(name, *figures)


def _of_scores(trained: "Trained") -> Iterator[str]:
    for name in ("dev", "test"):
        scores: EntityScores | None = getattr(trained.scores, name)
        plain: EntityScores | None = getattr(trained.plain, name) if trained.plain is not None else None
        if scores is None:
            continue
        micro = scores.micro
        before = f"   believing every label: F1 {100 * plain.micro.f1:.2f}" if plain is not None else ""
        yield (
            f"  {name:<5} P {100 * micro.precision:.2f}  R {100 * micro.recall:.2f}  F1 {100 * micro.f1:.2f}{before}"
        )


_SOURCES = {
    "auto": "estimated from the labels alone",
    "dev": "from what a model of the labels gets wrong on dev",
    "searched": "searched on dev",
    "oracle": "measured on the gold column",
    "given": "as given",
}

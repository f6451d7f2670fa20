"""The summary: the training, the noise rates, the changed labels, the scores."""

from collections.abc import Iterator, Sequence

from trustag.reports.blocks import Beside, Block, Missing, PageSection, Paragraph, Table
from trustag.reports.noise_rate_texts import RATE_SOURCES
from trustag.reports.number_format import count, duration, f1, percent
from trustag.reports.training_sentences import training_sentences
from trustag.runs.reading import BASELINE, RunFiles
from trustag.runs.records import Score


def summary_section(run: RunFiles) -> PageSection:
    """Return the summary of a run in a few sentences, with its scores and main facts."""
    sentences = [*_corpus_text(run), *_noise_text(run), *_changes_text(run), *_issues_text(run), *_scores_text(run)]
    blocks: list[Block] = [Paragraph(" ".join(sentences), lead=True)]
    if run.manifest.finished is None:
        blocks.append(Missing("results: the run is not finished; continue with trustag train --resume"))
    blocks.append(Beside([*_score_table(run), Table("Run", (), list(_facts(run)), prose=True)]))
    return PageSection("summary", "Summary", blocks)


def _corpus_text(run: RunFiles) -> Iterator[str]:
    sentences = training_sentences(run)
    how = "distrusting doubtful labels" if run.has_rounds else _method(run)
    if sentences is None:
        yield f"A model was trained: {how}."
        return
    labels = sum(len(sentence.tokens) for sentence in sentences)
    yield f"A model was trained on {count(len(sentences), 'sentence')} with {count(labels, 'label')}, {how}."


def _method(run: RunFiles) -> str:
    """Return how a run without rounds of self-training treated its labels."""
    return run.method if run.method == BASELINE else f"method {run.method}"


def _noise_text(run: RunFiles) -> Iterator[str]:
    rates, columns = run.rates, run.label_columns
    if rates is None:
        return
    source = RATE_SOURCES.get(rates.source, rates.source)
    hidden, wrong = percent(rates.negative), percent(rates.positive)
    if columns is not None:
        hidden += f" (about {count(round(rates.negative * int((columns['label'] == 0).sum())))})"
        wrong += f" (about {count(round(rates.positive * int((columns['label'] > 0).sum())))})"
    yield f"{hidden} of the O labels seem to miss an entity and {wrong} of the entity labels seem wrong, {source}."


def _changes_text(run: RunFiles) -> Iterator[str]:
    facts = run.manifest.labels
    if facts is not None and facts.changed is not None:
        share = percent(facts.changed / max(1, facts.labels))
        yield f"The run changed {count(facts.changed, 'label')} ({share})."


def _issues_text(run: RunFiles) -> Iterator[str]:
    if run.issues:
        yield f"It lists {count(len(run.issues), 'label issue')}, worst first."


def _scores_text(run: RunFiles) -> Iterator[str]:
    scores, plain = run.manifest.scores, run.manifest.baseline
    for split in ("test", "dev"):
        own, other = getattr(scores, split), getattr(plain, split, None)
        if own is not None:
            beside = f", the {BASELINE} {f1(other.f1)}" if other is not None else ""
            yield f"On the {split} corpus the model reaches F1 {f1(own.f1)}{beside}."
            break
    else:
        yield "Without a dev or test corpus, there are no scores."
    if run.manifest.kept is not None:
        yield f"The {run.manifest.kept.name} was kept: {run.manifest.kept.reason}."


def _score_table(run: RunFiles) -> Iterator[Block]:
    manifest = run.manifest
    models = [(BASELINE, manifest.baseline)] if manifest.baseline is not None else []
    if manifest.relabelled is not None:
        models.append(("new labels", manifest.relabelled))
    if manifest.scores not in (manifest.baseline, manifest.relabelled):
        own = "new labels" if run.has_rounds else _method(run)
        models.append((own if manifest.kept is None else manifest.kept.name, manifest.scores))
    splits = [split for split in ("dev", "test") if getattr(run.manifest.scores, split) is not None]
    if splits:
        header = ["model", *(f"{split} {name}" for split in splits for name in ("P", "R", "F1"))]
        rows = [[name, *_percentages([getattr(scores, split) for split in splits])] for name, scores in models]
        yield Table("Scores (entities, in percent)", header, rows)


def _percentages(scores: Sequence[Score | None]) -> Iterator[str]:
    for score in scores:
        for name in ("precision", "recall", "f1"):
            yield f1(getattr(score, name, None)) or "not scored"


def _facts(run: RunFiles) -> Iterator[tuple[str, str]]:
    manifest = run.manifest
    yield "folder", str(run.path)
    yield "method", run.method
    if manifest.labels is not None and run.has_rounds:
        yield "final round", f"{manifest.labels.round} of {max(len(run.rounds), manifest.labels.round)}"
    if manifest.best_epoch is not None:
        yield "final epoch", str(manifest.best_epoch + 1)
    if manifest.seed is not None:
        yield "seed", str(manifest.seed)
    if manifest.started is not None:
        yield "started", f"{manifest.started:%Y-%m-%d %H:%M} UTC"
    if manifest.started is not None and manifest.finished is not None:
        yield "duration", duration((manifest.finished - manifest.started).total_seconds())

"""The summary in words: what was trained, how noisy the labels look, what changed, how the model does."""

from collections.abc import Iterator, Sequence

from trustag.reports.blocks import Block, Missing, Paragraph, Section, Table
from trustag.reports.noise_rate_texts import RATE_SOURCES
from trustag.reports.number_format import count, duration, f1, percent
from trustag.reports.training_sentences import training_sentences
from trustag.runs.reading import RunFiles
from trustag.runs.records import Score


def summary_section(run: RunFiles) -> Section:
    """Return the section that one reads if one reads one."""
    sentences = [*_of_corpus(run), *_of_noise(run), *_of_changes(run), *_of_issues(run), *_of_scores(run)]
    blocks: list[Block] = [Paragraph(" ".join(sentences), lead=True)]
    if run.manifest.finished is None:
        blocks.append(Missing("results: the run is not finished; go on with trustag train and --resume"))
    blocks += _score_table(run)
    blocks.append(Table("The run", (), list(_facts(run)), prose=True))
    return Section("summary", "Summary", blocks)


def _of_corpus(run: RunFiles) -> Iterator[str]:
    sentences = training_sentences(run)
    how = "believing every label" if not run.choices.rounds.count else "doubting its labels"
    if sentences is None:
        yield f"A model was trained {how}."
        return
    labels = sum(len(sentence.tokens) for sentence in sentences)
    yield f"A model was trained on {count(len(sentences), 'sentence')} with {count(labels, 'label')}, {how}."


def _of_noise(run: RunFiles) -> Iterator[str]:
    rates, columns = run.found_rates, run.judgements
    if rates is None:
        return
    source = RATE_SOURCES.get(rates.source, rates.source)
    hidden, wrong = percent(rates.negative), percent(rates.positive)
    if columns is not None:
        hidden += f" (about {count(round(rates.negative * int((columns['label'] == 0).sum())))})"
        wrong += f" (about {count(round(rates.positive * int((columns['label'] > 0).sum())))})"
    yield f"Of the O labels {hidden} look as if they hid an entity, of the entity labels {wrong} look wrong, {source}."


def _of_changes(run: RunFiles) -> Iterator[str]:
    facts = run.manifest.labels
    if facts is not None and facts.changed is not None:
        share = percent(facts.changed / max(1, facts.labels))
        yield f"The run changed {count(facts.changed, 'label')} ({share})."


def _of_issues(run: RunFiles) -> Iterator[str]:
    if run.issues:
        yield f"It lists {count(len(run.issues), 'label issue')}, worst first."


def _of_scores(run: RunFiles) -> Iterator[str]:
    scores, plain = run.manifest.scores, run.manifest.plain
    for split in ("test", "dev"):
        own, other = getattr(scores, split), getattr(plain, split, None)
        if own is not None:
            beside = f", {f1(other.f1)} believing every label" if other is not None else ""
            yield f"On the {split} corpus the model reaches F1 {f1(own.f1)}{beside}."
            return
    yield "No dev or test corpus was given, so nobody knows how well the model does."


def _score_table(run: RunFiles) -> Iterator[Block]:
    models = [("believing every label", run.manifest.plain)] if run.manifest.plain is not None else []
    kept = "believing every label" if not run.choices.rounds.count else "with the new labels"
    models.append((kept, run.manifest.scores))
    splits = [split for split in ("dev", "test") if getattr(run.manifest.scores, split) is not None]
    if splits:
        header = ["model", *(f"{split} {name}" for split in splits for name in ("P", "R", "F1"))]
        rows = [[name, *_figures([getattr(scores, split) for split in splits])] for name, scores in models]
        yield Table("Entities found, in percent", header, rows)


def _figures(scores: Sequence[Score | None]) -> Iterator[str]:
    for score in scores:
        for name in ("precision", "recall", "f1"):
            yield f1(getattr(score, name, None)) or "not scored"


def _facts(run: RunFiles) -> Iterator[tuple[str, str]]:
    manifest = run.manifest
    yield "folder", str(run.path)
    yield "method", run.method
    if manifest.labels is not None:
        yield "round kept", f"{manifest.labels.round} of {max(len(run.rounds), manifest.labels.round)}"
    if manifest.best_epoch is not None:
        yield "epoch kept", str(manifest.best_epoch + 1)
    if manifest.seed is not None:
        yield "seed", str(manifest.seed)
    if manifest.started is not None:
        yield "started", f"{manifest.started:%Y-%m-%d %H:%M} UTC"
    if manifest.started is not None and manifest.finished is not None:
        yield "took", duration((manifest.finished - manifest.started).total_seconds())

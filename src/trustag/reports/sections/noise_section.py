"""Noise rates: the estimates with their ranges, and the rates measured on a gold column."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from trustag.noise_rates.kinds import KINDS, WRONG_ENTITY_LABELS
from trustag.reports.blocks import Block, Figure, Missing, PageSection, Paragraph, Table
from trustag.reports.charts.range_chart import Ranged, from_zero, range_chart
from trustag.reports.noise_rate_texts import (
    KIND_TEXTS,
    group_text,
    rate_caveats,
    source_text,
    truncated_entity_lines,
)
from trustag.reports.number_format import count, f1, interval, percent
from trustag.reports.training_sentences import gold_label_indices
from trustag.runs.reading import RunFiles
from trustag.runs.records import DetectionFacts, KindsRecord, RateRecord
from trustag.text.disagreement import entity_type
from trustag.text.labels import OUTSIDE

_GROUPS = ("O labels that miss an entity", "entity labels that are wrong")


def noise_section(run: RunFiles) -> PageSection:
    """Return the noise rates with their ranges, and how well wrong labels were detected."""
    blocks: list[Block] = list(_rates(run))
    facts = run.manifest.labels
    if facts is not None and facts.detection is not None:
        blocks.append(_detection(facts.detection))
    return PageSection("noise", "Noise rates", blocks, _digest(run))


def _digest(run: RunFiles) -> str:
    rates = run.rates
    return "" if rates is None else f"{percent(rates.negative)} of O labels, {percent(rates.positive)} of entity labels"


def _rates(run: RunFiles) -> Iterator[Block]:
    rates = run.rates
    if rates is None:
        yield Missing("noise rates: the run trusts every label, or has not got this far")
        return
    sizes, truths = _measured(run)
    ranges = [rates.negative_interval, rates.positive_interval]
    rows = [
        Ranged(name, rate, found[0] if found else None, found[1] if found else None, truths.get(name))
        for name, rate, found in zip(_GROUPS, (rates.negative, rates.positive), ranges, strict=True)
    ]
    apart = sorted(rates.by_group.items(), key=lambda entry: -entry[1])
    names = [] if run.label_columns is None else [str(name) for name in run.label_columns["names"]]
    words = {name: group_text(name, names) for name, _ in apart}
    rows += [Ranged(words[name], rate, truth=truths.get(name)) for name, rate in apart]
    sizes.update({words[name]: sizes[name] for name in words if words[name] != name})
    bounded = rates.source == "auto" and rates.kinds is not None
    source = source_text(rates.source, rates.pairs, bounded=bounded)
    caveats = rate_caveats(rates.source, ranges, bounded=bounded)
    yield Paragraph(" ".join([f"The rates are {source}.", *caveats]))
    if rates.truncated_entities is not None and rates.truncated_entities.labels:
        yield Paragraph(" ".join(truncated_entity_lines(rates.truncated_entities)))
    description = "; ".join(f"{row.name}: {percent(row.value)}" for row in rows)
    keys = ("assumed by the run", "measured on the gold column")
    chart = range_chart("Share of labels that are wrong", description, from_zero("percent", rows), rows, keys)
    table = Table(
        "Noise rates: assumed by the run, estimated range, and measured on a gold column",
        ("labels", "number", "assumed wrong", "range", "about", "measured wrong"),
        [[*_row(row, sizes)] for row in rows],
    )
    yield Figure(
        [chart],
        "The dot is the rate that the run assumes, the bar its probable range"
        + (
            ", the diamond the rate measured on the gold column."
            if truths
            else ". There is no gold column to compare with."
        ),
        [table] if rates.kinds is None else [table, _kinds(rates.kinds, bounded=bounded)],
    )


def _kinds(kinds: KindsRecord, *, bounded: bool) -> Table:
    """Return what is wrong with the labels, by kind: with ``O`` labels, entity labels, and those of each type."""
    wrong = {name: getattr(kinds, name) for name in WRONG_ENTITY_LABELS}
    groups = {_GROUPS[0]: {"missed": kinds.missed}, "entity labels": wrong, **kinds.by_type}
    return Table(
        "Kinds of errors: share of the labels and range",
        ("labels", *(KIND_TEXTS[kind] for kind in KINDS)),
        [[name, *(_share(own.get(kind), bounded=bounded) for kind in KINDS)] for name, own in groups.items()],
    )


def _share(rate: RateRecord | None, *, bounded: bool) -> str:
    """Return a rate with its range; where dev only bounds it, the range alone."""
    if rate is None:
        return ""
    found = interval(rate.low, rate.high)
    return found if bounded else f"{percent(rate.estimate)} ({found})"


def _row(row: Ranged, sizes: Counter[str]) -> Iterator[str]:
    yield row.name
    yield count(sizes[row.name]) if row.name in sizes else ""
    yield percent(row.value)
    yield interval(row.low, row.high) if row.low is not None and row.high is not None else ""
    yield count(round(row.value * sizes[row.name])) if row.name in sizes else ""
    yield percent(row.truth)


def _measured(run: RunFiles) -> tuple[Counter[str], dict[str, float]]:
    """Return the size of each group, type and label, and with a gold column the share of wrong labels in it."""
    columns, gold = run.label_columns, gold_label_indices(run)
    if columns is None:
        return Counter(), {}
    given = columns["label"]
    known = given >= 0 if gold is None else (given >= 0) & (gold >= 0)
    sizes: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    compared: Counter[str] = Counter()
    for number, name in enumerate(map(str, columns["names"])):
        own = given == number
        group = _GROUPS[0] if name == OUTSIDE else _GROUPS[1]
        for key in {group, name, entity_type(name) or name}:
            sizes[key] += int(own.sum())
            compared[key] += int((own & known).sum())
            if gold is not None:
                wrong[key] += int(np.count_nonzero(own & known & (given != gold)))
    truths = {key: wrong[key] / total for key, total in compared.items() if total} if gold is not None else {}
    return sizes, truths


def _detection(found: DetectionFacts) -> Table:
    rows = []
    for name, group in (("O labels", found.negative), ("entity labels", found.positive)):
        figures = (f1(group.precision), f1(group.recall), f1(group.f1))
        rows.append([name, *figures, count(group.support), count(group.found), count(group.correct)])
    return Table(
        "Detection of wrong labels by distrust, against the gold column (in percent)",
        ("labels", "precision", "recall", "F1", "wrong", "distrusted", "wrong and distrusted"),
        rows,
    )

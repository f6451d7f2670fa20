"""Several labellings become one: the most probable labels, their probabilities, and who said what."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from trustag.aggregation.agreement import krippendorff_alpha, pairwise_f1
from trustag.aggregation.dawid_skene import fit_tokens
from trustag.aggregation.labellings import Labellings
from trustag.aggregation.sequence_model import fit_sequences
from trustag.aggregation.source_labels import Probabilities, SourceLabels, encode_sources, labels_of
from trustag.aggregation.source_quality import SourceSummary, summarise
from trustag.aggregation.true_labels import Estimate, as_iobes, best_labels, of_independent_tokens
from trustag.aggregation.voting import vote_shares
from trustag.errors import InputError
from trustag.notes import Note, Watch
from trustag.text.label_sets import LabelSet
from trustag.text.labels import UNKNOWN_MARK, Label
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.sentences import NO_SOURCE, SOURCE_JOINT, Sentence
from trustag.text.soft_labels import PROBABILITIES, write_probabilities

Rule: TypeAlias = Literal["hmm", "dawid-skene", "vote"]

_MAJORITY: Final = 0.5
_TELLABLE: Final = 3


@dataclass(frozen=True)
class Merged:
    """The merged sentences, how good each source is, and how far the sources agree.

    ``unknown`` counts the tokens whose merged label is unknown, as no label was probable enough.
    """

    sentences: tuple[Sentence, ...]
    sources: tuple[SourceSummary, ...]
    alpha: float | None
    pairs: dict[tuple[str, str], float]
    unknown: int


def merge(labellings: Labellings, rule: Rule, least: float, watch: Watch) -> Merged:
    """Return the labels that are most probable by ``rule``; those with a lower probability than ``least`` are unknown.

    By vote, labels that no more than half of the sources give are unknown too.
    """
    if not labellings.types:
        raise InputError("no source has an entity", remedy="check that the columns of labels are the right ones")
    sources = encode_sources(labellings.names, labellings.types, labellings.given)
    if rule != "vote" and len(sources.names) < _TELLABLE:
        finding = f"{len(sources.names)} sources; which of them is right where they differ takes a third to tell"
        watch(Note("suspicious", "few sources", finding))
    estimate = _estimated(sources, rule)
    best = best_labels(sources, estimate)
    chances = estimate.probabilities[np.arange(len(best)), best]
    is_sure = chances > _MAJORITY if rule == "vote" else np.ones(len(best), dtype=np.bool_)
    is_sure &= (chances >= least) & (sources.indices >= 0).any(1)
    gold = [sentence.gold for sentence in labellings.sentences]
    known_gold = [labels for labels in gold if labels is not None]
    return Merged(
        tuple(_merged(labellings, sources, estimate, np.where(is_sure, best, -1))),
        summarise(sources, estimate, known_gold if len(known_gold) == len(gold) else None),
        krippendorff_alpha(sources),
        dict(pairwise_f1(sources)),
        int((~is_sure).sum()),
    )


def _estimated(sources: SourceLabels, rule: Rule) -> Estimate:
    if rule == "hmm":
        return fit_sequences(sources)[1]
    if rule == "dawid-skene":
        return fit_tokens(sources)[1]
    return of_independent_tokens(sources, vote_shares(sources))


def _merged(
    labellings: Labellings, sources: SourceLabels, estimate: Estimate, chosen: NDArray[np.intp]
) -> Iterator[Sentence]:
    """Yield the sentences with merged labels, and columns for what each source gave and for probabilities."""
    soft, probabilities = as_iobes(sources, estimate)
    rows = zip(
        labellings.sentences,
        labels_of(chosen, sources.labels, sources.lengths),
        labellings.given,
        sources.offsets,
        strict=False,
    )
    for sentence, labels, given, first in rows:
        own = {
            name: tuple(UNKNOWN_MARK if label is None else label for label in _in(labellings.scheme, column))
            for name, column in zip(labellings.names, given, strict=True)
        }
        table = _written(soft, probabilities[first : first + len(sentence)])
        yield replace(
            sentence,
            labels=_in(labellings.scheme, labels),
            token_sources=_agreeing(labellings.names, labels, given),
            columns={**_other_columns(sentence, labellings), **own, PROBABILITIES: table},
        )


def _in(scheme: Scheme, labels: tuple[Label, ...]) -> tuple[Label, ...]:
    return labels if scheme is Scheme.IOB2 else convert_labels(labels, scheme)


def _other_columns(sentence: Sentence, labellings: Labellings) -> dict[str, tuple[str, ...]]:
    return {name: values for name, values in sentence.columns.items() if name not in labellings.names}


def _written(labels: LabelSet, probabilities: Probabilities) -> tuple[str, ...]:
    return tuple(write_probabilities(labels.labels, row) for row in probabilities.tolist())


def _agreeing(
    names: tuple[str, ...], labels: tuple[Label, ...], given: tuple[tuple[Label, ...], ...]
) -> tuple[str, ...]:
    """Return for each token the names of the sources that gave the merged label, joined by :data:`SOURCE_JOINT`."""
    rows = zip(labels, zip(*given, strict=True), strict=True)
    return tuple(
        SOURCE_JOINT.join(name for name, own in zip(names, row, strict=True) if own == label and label is not None)
        or NO_SOURCE
        for label, row in rows
    )

"""Entity-level issues from labels and out-of-fold probabilities that any library made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from msgspec.structs import replace

from trustag.data.encoded_corpus import EncodedCorpus, encode
from trustag.errors import InputError
from trustag.issues.evidence import evidence_from_probabilities
from trustag.issues.finding import evidence_ranking, find_issues
from trustag.issues.listing import Issues
from trustag.noise_rates.estimation import estimate_noise_rates
from trustag.text.label_sets import LabelSet
from trustag.text.labels import OUTSIDE, Label, is_label, join_label, split_label
from trustag.text.schemes import LETTERS, Scheme, detect_scheme
from trustag.text.sentences import Sentence

Probabilities: TypeAlias = npt.NDArray[np.floating[Any]]

# The simplest scheme that has all positions of the classes is taken; the others depend on neighbouring entities.
_SCHEMES: Final = (Scheme.IO, Scheme.IOB2, Scheme.IOE2, Scheme.IOBES, Scheme.BILOU, Scheme.BMES)
_DEPENDENT: Final = {Scheme.IOB1: Scheme.IOB2, Scheme.IOE1: Scheme.IOE2}


def find_entity_issues(
    tokens: Sequence[Sequence[str]],
    labels: Sequence[Sequence[int]],
    pred_probs: Sequence[Probabilities],
    *,
    class_names: Sequence[str],
    noise_rates: tuple[float, float] | None = None,
) -> Issues:
    """Return the sentences and the entities in them, given or missed, that look wrong, worst first.

    The arguments are those of cleanlab's token functions: for each sentence its words, its labels as class indices
    (negative where unknown), and an array (tokens, classes) of probabilities by a model that was not trained on the
    sentence. ``class_names`` are labels of a tagging scheme such as ``B-PER``, or ``O`` and entity types, whose
    neighbouring tokens of one type are then one entity. ``noise_rates`` are the shares of wrong ``O`` labels and of
    wrong entity labels; they are estimated from the same numbers unless given.
    """
    classes = _classes(class_names)
    tables = [np.asarray(table, dtype=np.float64) for table in pred_probs]
    _check_shapes(tokens, labels, tables, len(classes.names))
    sentences = tuple(
        Sentence(tuple(words), tuple(classes.label(index) for index in row))
        for words, row in zip(tokens, labels, strict=True)
    )
    scheme = detect_scheme(sentence.labels for sentence in sentences).scheme
    if scheme in _DEPENDENT:
        better = _DEPENDENT[scheme]
        raise InputError(f"the labels are in {scheme}", remedy=f"convert them to {better} before you train the model")
    filled = [number for number, sentence in enumerate(sentences) if sentence.tokens]
    if not filled:
        return Issues(sentences, ())
    own = [sentences[number] for number in filled]
    corpus = encode(own, classes.labels)
    ordered = classes.ordered(np.concatenate([tables[number] for number in filled]))
    evidence = evidence_from_probabilities(corpus, torch.from_numpy(ordered).float())
    ranking = evidence_ranking(evidence, noise_rates or _estimated_rates(corpus, ordered))
    found = find_issues(own, evidence, corpus.labels, classes.labels.scheme, ranking)
    return Issues(sentences, tuple(replace(issue, sentence=filled[issue.sentence]) for issue in found))


@dataclass(frozen=True, slots=True)
class _Classes:
    """The classes of a model: the label each stands for, and the label set that holds all of these."""

    names: Sequence[str]
    labels: LabelSet

    def label(self, index: int) -> Label:
        """Return the label of a class; None for a negative index."""
        return None if index < 0 else self.names[index]

    def ordered(self, table: Probabilities) -> npt.NDArray[np.float64]:
        """Return probabilities (tokens, classes) as (tokens, labels); a label that no class stands for has none."""
        ordered = np.zeros((len(table), len(self.labels)))
        ordered[:, [self.labels.index[name] for name in self.names]] = table
        return ordered


def _classes(class_names: Sequence[str]) -> _Classes:
    names = list(class_names)
    if names.count(OUTSIDE) != 1 or len(set(names)) < len(names):
        raise InputError("class_names must differ and hold O once", remedy="name every class, O among them")
    if not all(map(is_label, names)):
        names = [name if name == OUTSIDE else join_label(LETTERS[Scheme.IO], name) for name in names]
    parts = [split_label(name) for name in names if name != OUTSIDE]
    positions = {position for position, _ in parts}
    scheme = next((scheme for scheme in _SCHEMES if positions <= set(LETTERS[scheme])), None)
    if scheme is None:
        raise InputError(
            f"no tagging scheme has the positions {', '.join(sorted(positions))}", remedy="name classes in one scheme"
        )
    return _Classes(names, LabelSet.of(list(dict.fromkeys(kind for _, kind in parts)), scheme))


def _check_shapes(
    tokens: Sequence[Sequence[str]], labels: Sequence[Sequence[int]], tables: Sequence[Probabilities], classes: int
) -> None:
    """Refuse arguments that do not fit each other, naming the sentence."""
    counts = len(tokens), len(labels), len(tables)
    if len(set(counts)) > 1:
        finding = f"tokens, labels and pred_probs hold {counts[0]}, {counts[1]} and {counts[2]} sentences"
        raise InputError(finding, remedy="give all three for each sentence")
    for number, (words, row, table) in enumerate(zip(tokens, labels, tables, strict=True)):
        where = f"sentence {number} (counted from 0)"
        if len(row) != len(words):
            raise InputError(f"{len(row)} labels for {len(words)} tokens", where=where, remedy="give one for each")
        if table.shape != (len(words), classes) and len(words):
            finding = f"pred_probs of shape {table.shape} for {len(words)} tokens and {classes} classes"
            raise InputError(finding, where=where, remedy="give a row for each token, a column for each class name")
        if len(row) and max(row) >= classes:
            raise InputError(f"label {max(row)} of {classes} classes", where=where, remedy="count classes from 0")
        if not np.isfinite(table).all() or (table < 0).any():
            raise InputError("a probability is negative or not a number", where=where, remedy="check the model")


def _estimated_rates(corpus: EncodedCorpus, probabilities: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return the noise rates of the given labels by ``probabilities`` (tokens, labels)."""
    ends = corpus.offsets[1:-1]
    given = [row.numpy() for row in corpus.rows]
    rates = estimate_noise_rates(given, np.split(probabilities, ends), corpus.labels)
    return rates.negative.estimate, rates.positive.estimate

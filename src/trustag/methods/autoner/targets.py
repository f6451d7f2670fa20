"""What matches say of gaps, of stretches and of labels, and the two losses that follow: tie-or-break and fuzzy CRF."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits
from torch.nn.utils.rnn import pad_sequence

from trustag.data.encoded_corpus import EncodedCorpus
from trustag.errors import InputError
from trustag.methods.autoner.head import TieOrBreakOutputs
from trustag.methods.autoner.matching import StretchMatch, matches_of
from trustag.methods.autoner.settings import AutoNERSettings
from trustag.models.network import Network
from trustag.text.label_sets import LabelSet
from trustag.text.labels import OUTSIDE
from trustag.text.schemes import write_spans
from trustag.text.spans import Span
from trustag.training.objectives import Batch, StatelessObjective
from trustag.training.schedule import FitSchedule

BREAK, TIE, UNKNOWN = 0, 1, -1


@dataclass(frozen=True, slots=True)
class Targets:
    """What is known of one sentence: the gap before each token (tokens,), and stretches with the types they may have.

    ``first`` and ``last`` are the first and last tokens of the stretches, ``types`` (stretches, types + 1) what each
    may be; 0 is no entity.
    """

    gaps: Tensor
    first: Tensor
    last: Tensor
    types: Tensor


def targets_of(length: int, matches: Sequence[StretchMatch], reviewed: Sequence[bool], labels: LabelSet) -> Targets:
    """Return the targets of a sentence of ``length`` tokens, some of whose labels a person has decided on.

    A gap is unknown at and inside a phrase. A single token between two breaks that no match covers is no entity.
    """
    gaps = [BREAK] * (length + 1)
    covered: set[int] = set()
    for match in matches:
        inside = range(match.first, match.end + 1)
        for gap in inside:
            is_edge = gap in (match.first, match.end)
            gaps[gap] = (BREAK if is_edge else TIE) if match.types else UNKNOWN
        covered.update(range(match.first, match.end))
    for match in matches:  # what a person has decided on is certain beside a phrase, too
        if match.types and all(reviewed[match.first : match.end]):
            gaps[match.first] = gaps[match.end] = BREAK
    for token, is_reviewed in enumerate(reviewed):
        if is_reviewed and token not in covered:
            gaps[token] = gaps[token + 1] = BREAK
    gaps[0] = gaps[length] = BREAK
    stretches = [(match.first, match.end, [1 + labels.types.index(kind) for kind in match.types]) for match in matches]
    stretches = [(first, end, kinds) for first, end, kinds in stretches if kinds]
    for token in range(length):
        if token not in covered and gaps[token] == gaps[token + 1] == BREAK:
            stretches.append((token, token + 1, [0]))
    types = torch.zeros(len(stretches), 1 + len(labels.types), dtype=torch.bool)
    for row, (_, _, kinds) in enumerate(stretches):
        types[row, kinds] = True
    first, last = ([stretch[0] for stretch in stretches], [stretch[1] - 1 for stretch in stretches])
    return Targets(
        torch.tensor([UNKNOWN, *gaps[1:length]]),
        torch.tensor(first, dtype=torch.long),
        torch.tensor(last, dtype=torch.long),
        types,
    )


def allowed_by_matches(length: int, matches: Sequence[StretchMatch], labels: LabelSet) -> Tensor:
    """Return the labels each token may have (tokens, labels): those of the types of its match, of a phrase any."""
    allowed = torch.zeros(length, len(labels), dtype=torch.bool)
    allowed[:, 0] = True
    for match in matches:
        tokens = range(match.first, match.end)
        allowed[tokens] = not match.types
        for kind in match.types:
            names = write_spans([Span(match.first, match.end, kind)], [OUTSIDE] * length, labels.scheme)
            allowed[tokens, [labels.index[str(names[token])] for token in tokens]] = True
    return allowed


@dataclass(frozen=True, slots=True)
class TiesAndTypes:
    """Ties, breaks and types as matches say; of phrases nothing is learned."""

    settings: AutoNERSettings

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> "TiesAndTypesObjective":  # noqa: ARG002
        """Return the objective for training on ``corpus``."""
        rows = zip(corpus.lengths, matches_of(corpus, self.settings), _reviewed(corpus), strict=True)
        targets = [targets_of(length, matches, reviewed, corpus.labels) for length, matches, reviewed in rows]
        return TiesAndTypesObjective(targets, is_soft=self.settings.type_loss == "soft")


class TiesAndTypesObjective(StatelessObjective):
    """The cross-entropy of all known gaps, and the loss of the types of known stretches."""

    def __init__(self, targets: Sequence[Targets], *, is_soft: bool) -> None:
        self.targets = targets
        self.is_soft = is_soft

    def __call__(self, batch: Batch) -> Tensor:
        """Return the loss of each sentence."""
        outputs = batch.outputs
        if not isinstance(outputs, TieOrBreakOutputs):
            raise InputError("the tie-or-break loss needs its own head", remedy="use --recipe autoner")
        own = [self.targets[sentence] for sentence in batch.sentences]
        gaps = pad_sequence([targets.gaps for targets in own], batch_first=True, padding_value=UNKNOWN)
        gaps = gaps.to(outputs.gaps.device)
        known = (gaps != UNKNOWN).to(outputs.gaps.dtype)
        loss = binary_cross_entropy_with_logits(outputs.gaps, (gaps == TIE).to(known), known, reduction="none").sum(1)
        rows = torch.cat([torch.full_like(targets.first, row) for row, targets in enumerate(own)]).to(gaps.device)
        first, last, types = (torch.cat([getattr(targets, part) for targets in own]).to(gaps.device) for part in _PARTS)
        typed = type_losses(outputs.starts[rows, first] + outputs.ends[rows, last], types, is_soft=self.is_soft)
        return loss.index_add(0, rows, typed)


def type_losses(logits: Tensor, types: Tensor, *, is_soft: bool) -> Tensor:
    """Return the loss of each stretch (stretches,), whose type is one of ``types`` (stretches, types + 1)."""
    log_all = logits.log_softmax(-1)
    inside = log_all.masked_fill(~types, -torch.inf)
    if is_soft:
        return -(inside.softmax(-1) * log_all).sum(-1)
    return -inside.logsumexp(-1)


@dataclass(frozen=True, slots=True)
class FuzzyLabels:
    """The fuzzy CRF: a match has the labels of its types, a phrase any, everything else none."""

    settings: AutoNERSettings

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> "FuzzyLabelsObjective":  # noqa: ARG002
        """Return the objective for training on ``corpus``."""
        rows = zip(corpus.lengths, matches_of(corpus, self.settings), strict=True)
        return FuzzyLabelsObjective([allowed_by_matches(length, matches, corpus.labels) for length, matches in rows])


class FuzzyLabelsObjective(StatelessObjective):
    """The partial loss under the labels that matches allow."""

    def __init__(self, allowed: Sequence[Tensor]) -> None:
        self.allowed = allowed

    def __call__(self, batch: Batch) -> Tensor:
        """Return the loss of each sentence."""
        return batch.label_outputs.loss(batch.rows(self.allowed, padding=True).bool())


_PARTS = ("first", "last", "types")


def _reviewed(corpus: EncodedCorpus) -> list[list[bool]]:
    return [row.tolist() for row in torch.split(corpus.reviewed, corpus.lengths)]

"""A method as a user might write it, whose head is no CRF: it ties tokens together and gives every stretch a type.

At each gap between two tokens it decides whether they are tied; the stretches between two breaks are independent of
each other, and each is an entity of some type or none (Shang et al., 2018). All probabilities are exact sums over the
ways of cutting a sentence into stretches of at most ``LONGEST`` tokens.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple, TypeVar

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, logsigmoid
from torch.nn.utils.rnn import pad_sequence

from trustag.crf import LegalTransitions
from trustag.crf.crf_outputs import LabelSequence
from trustag.crossfit.folds import HiddenLabels, draw_folds
from trustag.crossfit.predictions import OutOfFoldPredictions
from trustag.crossfit.rounds import FoldModels, fold_jobs
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.errors import InputError
from trustag.issues.evidence import LabelEvidence
from trustag.label_quality.analysis import LabelFindings, NewLabels
from trustag.methods.base import Learned
from trustag.models.corpus_decoder import CorpusDecoder
from trustag.models.heads import HeadKind
from trustag.models.network import Network
from trustag.noise_rates.rates import FoundRates, NoiseRates
from trustag.recipes.network_settings import ModelSettings
from trustag.recipes.sections import Section
from trustag.text.label_sets import LabelSet
from trustag.text.spans import read_spans
from trustag.training.fit_results import Job
from trustag.training.jobs import Jobs
from trustag.training.objectives import Batch, StatelessObjective
from trustag.training.schedule import FitSchedule
from trustag.training.stages import Stage
from trustag.training.task import Task

LONGEST: Final = 6
POSITIONS: Final = "BIES"
FORBIDDEN: Final = -1e4
Table = TypeVar("Table")


class Stretch(NamedTuple):
    """Tokens from ``first`` to before ``end``; ``kind`` 0 is no entity, others are types counted from 1."""

    first: int
    end: int
    kind: int

    def labels(self) -> list[int]:
        """Return the label indices of its tokens, in IOBES."""
        if self.kind == 0:
            return [0] * (self.end - self.first)
        base = 1 + len(POSITIONS) * (self.kind - 1)
        if self.end - self.first == 1:
            return [base + 3]
        return [base, *[base + 1] * (self.end - self.first - 2), base + 2]


class Lattice:
    """All ways to cut padded sentences into stretches, from the head's scores (sentences, tokens, width)."""

    def __init__(self, scores: Tensor, lengths: Sequence[int]) -> None:
        self.lengths = torch.tensor(lengths)
        self.starts, self.ends = scores[..., 2:].chunk(2, -1)
        gaps = scores[:, :-1, 0] + scores[:, 1:, 1]
        nothing = gaps.new_zeros(len(gaps), 1)
        self.tied = torch.cat([nothing, logsigmoid(gaps)], 1)  # each token to the one before
        token = torch.arange(scores.shape[1])[None, :]
        broken = torch.cat([logsigmoid(-gaps), nothing], 1)
        self.broken = broken.masked_fill(token == self.lengths[:, None] - 1, 0.0)

    def tables(self, weights: Tensor) -> list[Tensor]:
        """Return the log-probabilities of the stretches of each size: (sentences, first tokens, types + 1).

        Each label of a token adds its weight (sentences, tokens, labels).
        """
        count = weights.shape[1]
        found = []
        for size in range(1, min(LONGEST, count) + 1):
            last = slice(size - 1, None)
            types = (self.starts[:, : count - size + 1] + self.ends[:, last]).log_softmax(-1)
            path = self.tied.unfold(1, size, 1)[..., 1:].sum(-1) + self.broken[:, last]
            windows = weights.unfold(1, size, 1)
            begin, inside, end, single = (windows[..., 1 + place :: len(POSITIONS), :] for place in range(4))
            entity = single[..., 0] if size == 1 else begin[..., 0] + inside[..., 1:-1].sum(-1) + end[..., -1]
            added = torch.cat([windows[..., 0, :].sum(-1)[..., None], entity], -1)
            fits = torch.arange(size, count + 1)[None, :] <= self.lengths[:, None]
            found.append((types + path[..., None] + added).masked_fill(~fits[..., None], FORBIDDEN))
        return found

    def log_partition(self, weights: Tensor) -> Tensor:
        """Return the logarithm of the sum over all ways to cut and type each sentence: (sentences,)."""
        tables = self.tables(weights)
        sums = [weights.new_zeros(len(weights))]
        for end in range(1, weights.shape[1] + 1):
            terms = [sums[end - size][:, None] + table[:, end - size] for size, table in _sizes(tables, end)]
            sums.append(torch.cat(terms, 1).logsumexp(1))
        return torch.stack(sums, 1).gather(1, self.lengths[:, None])[:, 0]

    def best_labels(self, weights: Tensor) -> list[list[int]]:
        """Return the labels of the best way to cut and type each sentence."""
        tables = self.tables(weights)
        rows = [[table[number].tolist() for table in tables] for number in range(len(weights))]
        return [_best(own, length) for own, length in zip(rows, self.lengths.tolist(), strict=True)]


def _sizes(tables: Sequence[Table], end: int) -> list[tuple[int, Table]]:
    """Return the sizes of stretches that may end here, with their tables."""
    return list(enumerate(tables, start=1))[:end]


def _best(tables: list[list[list[float]]], length: int) -> list[int]:
    best: list[tuple[float, list[int]]] = [(0.0, [])]
    for end in range(1, length + 1):
        ways = [
            (best[end - size][0] + score, Stretch(end - size, end, kind))
            for size, table in _sizes(tables, end)
            for kind, score in enumerate(table[end - size])
        ]
        score, own = max(ways)
        best.append((score, [*best[own.first][1], *own.labels()]))
    return best[-1][1]


@dataclass(frozen=True)
class StretchOutputs:
    """What the head says of some sentences, their tokens in a row: (tokens, width)."""

    lengths: Sequence[int]
    scores: Tensor

    def tensors(self) -> Mapping[str, Tensor]:
        return {"scores": self.scores}

    def of(self, sentences: Sequence[int]) -> "StretchOutputs":
        rows = torch.split(self.scores, list(self.lengths))
        chosen = torch.cat([self.scores[:0], *(rows[sentence] for sentence in sentences)])
        return StretchOutputs([self.lengths[sentence] for sentence in sentences], chosen)

    def legal(self, moves: LegalTransitions) -> "StretchOutputs":
        return self  # no way to cut a sentence has illegal labels

    def at(self, temperature: float) -> "StretchOutputs":
        return replace(self, scores=self.scores / temperature)

    def mean_with(self, others: Sequence["StretchOutputs"]) -> "StretchOutputs":
        return replace(self, scores=torch.stack([self.scores, *(other.scores for other in others)]).mean(0))

    def marginals(self, allowed: Tensor | None = None) -> Tensor:
        weights = self._weights(allowed).requires_grad_()
        with torch.enable_grad():
            (found,) = torch.autograd.grad(self._lattice.log_partition(self._padded(weights)).sum(), weights)
        return found.float()

    def best_labels(self, allowed: Tensor | None = None) -> Tensor:
        best = self._lattice.best_labels(self._padded(self._weights(allowed)))
        return torch.tensor([label for row in best for label in row], dtype=torch.long)

    def probabilities_of(self, sequences: Sequence[LabelSequence], allowed: Tensor | None = None) -> list[float]:
        if not sequences:
            return []
        asked = self.of([sequence.sentence for sequence in sequences])
        weights = self._padded(self._weights(allowed))[[sequence.sentence for sequence in sequences]]
        inside = torch.zeros_like(weights)
        for row, sequence in zip(inside, sequences, strict=True):
            tokens = range(sequence.first, sequence.first + len(sequence.labels))
            row[tokens] = FORBIDDEN
            row[tokens, sequence.labels] = 0.0
        lattice, longest = asked._lattice, max(asked.lengths)
        both = [lattice.log_partition(own[:, :longest]) for own in (weights + inside, weights)]
        found: list[float] = (both[0] - both[1]).exp().clamp(max=1).tolist()
        return found

    @property
    def _lattice(self) -> Lattice:
        return Lattice(self._padded(self.scores.double()), self.lengths)

    def _padded(self, rows: Tensor) -> Tensor:
        return pad_sequence(list(torch.split(rows, list(self.lengths))), batch_first=True)

    def _weights(self, allowed: Tensor | None) -> Tensor:
        """Return the weight of each label at each token, (tokens, labels): none, or one that forbids it."""
        types = self.scores.shape[1] // 2 - 2
        weights = torch.zeros(len(self.scores), 1 + types * len(POSITIONS), dtype=torch.double)
        return weights if allowed is None else weights.masked_fill(~allowed.bool(), FORBIDDEN)


@dataclass(frozen=True)
class TieOrBreakOutputs:
    """What the head says of a padded batch: (sentences, tokens, width)."""

    features: Tensor
    mask: Tensor
    scores: Tensor


class TieOrBreakHead(nn.Module):
    """Scores each token as the left and the right side of a gap, and as the start and the end of a stretch."""

    def __init__(self, labels: LabelSet, width: int) -> None:
        super().__init__()
        if labels.positions != POSITIONS:
            raise InputError(f"labels with the positions {labels.positions}", remedy="use IOBES")
        self.labels = labels
        self.score_width = 2 * (1 + 1 + len(labels.types))
        self.projection = nn.Linear(width, self.score_width)

    def scores(self, features: Tensor, mask: Tensor) -> Tensor:
        found: Tensor = self.projection(features)
        return found

    def outputs(self, features: Tensor, mask: Tensor) -> TieOrBreakOutputs:
        return TieOrBreakOutputs(features, mask, self.scores(features, mask))

    def decoder(self, *, legal_only: bool) -> CorpusDecoder:
        return CorpusDecoder(self, legal_only=legal_only)

    def corpus_outputs(self, lengths: Sequence[int], scores: Tensor) -> StretchOutputs:
        return StretchOutputs(lengths, scores)


def _head(labels: LabelSet, width: int, settings: ModelSettings) -> nn.Module:
    return TieOrBreakHead(labels, width)


def _read(lengths: Sequence[int], tensors: Mapping[str, Tensor]) -> StretchOutputs:
    return StretchOutputs(lengths, tensors["scores"])


HEAD = HeadKind(_head, _read)


@dataclass(frozen=True)
class TiesAndTypes:
    """Ties, breaks and types as the given labels say; of an unknown label nothing is learned."""

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> "TiesAndTypesObjective":
        return TiesAndTypesObjective(corpus.labels)


class TiesAndTypesObjective(StatelessObjective):
    """The cross entropy of all gaps and of the types of the given stretches."""

    def __init__(self, labels: LabelSet) -> None:
        self.labels = labels

    def __call__(self, batch: Batch) -> Tensor:
        outputs = batch.outputs
        if not isinstance(outputs, TieOrBreakOutputs):
            raise InputError("the method needs its own head", remedy=f"use model.head={__name__}:HEAD")
        rows = zip(outputs.scores, batch.labels, outputs.mask, strict=True)
        return torch.stack([self._loss(scores[own], labels[own]) for scores, labels, own in rows])

    def _loss(self, scores: Tensor, labels: Tensor) -> Tensor:
        """Return the loss of one sentence, from its scores (tokens, width)."""
        stretches = self._stretches(labels.tolist())
        known = (labels[:-1] != NO_LABEL) & (labels[1:] != NO_LABEL)
        tied = torch.ones(len(labels) - 1)
        tied[[stretch.end - 1 for stretch in stretches[:-1]]] = 0.0
        gaps = scores[:-1, 0] + scores[1:, 1]
        loss = binary_cross_entropy_with_logits(gaps, tied, known.float(), reduction="sum")
        typed = [stretch for stretch in stretches if labels[stretch.first] != NO_LABEL]
        starts, ends = scores[:, 2:].chunk(2, -1)
        logits = starts[[stretch.first for stretch in typed]] + ends[[stretch.end - 1 for stretch in typed]]
        kinds = torch.tensor([stretch.kind for stretch in typed], dtype=torch.long)
        return loss + cross_entropy(logits, kinds, reduction="sum")

    def _stretches(self, labels: list[int]) -> list[Stretch]:
        """Return the entities, and every other token by itself."""
        names = [self.labels.labels[label] if label != NO_LABEL else None for label in labels]
        entities = [Stretch(own.start, own.end, 1 + self.labels.types.index(own.type)) for own in read_spans(names)]
        covered = {token for own in entities for token in range(own.first, own.end)}
        others = [Stretch(token, token + 1, 0) for token in range(len(labels)) if token not in covered]
        found = sorted([*entities, *others])
        assert all(one.end == other.first for one, other in pairwise(found))
        return found


class TieOrBreakSettings(Section):
    """Nothing to choose."""


class TieOrBreak:
    """Trusts every label; models of two folds say which look wrong."""

    summary = "Tie tokens together and give every stretch a type."
    Settings = TieOrBreakSettings

    def check(self, task: Task, settings: TieOrBreakSettings) -> None:
        if task.network.settings.model.head != f"{__name__}:HEAD":
            raise InputError("the method needs its own head", remedy=f"use --set model.head={__name__}:HEAD")

    def plan(self, task: Task, settings: TieOrBreakSettings) -> Sequence[Stage]:
        epochs = task.planned_epochs(len(task.corpus))
        return [
            Stage("folds", "Folds", "Two models each predict what they were not trained on.", 2, epochs, 0.5),
            Stage("final", "Final model", "One model learns all labels.", 1, epochs),
        ]

    def train(self, task: Task, settings: TieOrBreakSettings, jobs: Jobs) -> Learned:
        corpus = task.corpus
        folds = draw_folds(corpus, 2, task.seed, 0, HiddenLabels.none(corpus))
        trainings = fold_jobs(task, corpus, folds, FoldModels(TiesAndTypes(), None, finetune_vectors=True), "folds")
        results = jobs.run("folds", trainings)
        final = jobs.run("final", {"final": Job(task.fit(TiesAndTypes()), corpus.tokens, keeps_model=True)})["final"]
        heldout = OutOfFoldPredictions(corpus, folds, [results[name] for name in trainings])
        ensemble = heldout.with_model(final.outputs)
        probabilities, best = ensemble.probabilities(None), ensemble.best_labels(None)
        evidence = LabelEvidence(corpus.label_ids, probabilities, ensemble.best_labels, ensemble.probabilities_of)
        findings = LabelFindings(
            noise_rates=FoundRates("given", NoiseRates(0.1, 0.1)),
            evidence=evidence,
            heldout=heldout.probabilities(None),
            suggested=best,
            trusted=best == corpus.label_ids,
            new_labels=[NewLabels(1, best, probabilities)],
            kept_round=1,
            temperature=heldout.temperature,
        )
        return Learned(final, findings)


METHOD = TieOrBreak()

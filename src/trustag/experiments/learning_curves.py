"""What more reviewed sentences and more noisy ones would bring, measured on a run's own corpus.

Half of a clean corpus teaches, the other half scores. The run's model is fine-tuned on more and more sentences of the
first half; other models are trained on parts of the noisy corpus. Both curves are drawn on, over the logarithm of the
number of sentences, on which F1 is nearly a line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from msgspec.structs import replace as changed

from trustag.corpora.survey import Survey
from trustag.crf import legal_transitions
from trustag.data.encoded_corpus import EncodedCorpus, encode
from trustag.errors import InputError
from trustag.methods.table import load_recipe
from trustag.models.network_spec import NetworkSpec
from trustag.models.saving import load_model
from trustag.models.warm_start import WarmStart
from trustag.notes import Watch
from trustag.runs.reading import RunFiles
from trustag.seeded_random import SeededRandom
from trustag.text.label_sets import LabelSet
from trustag.text.labels import OUTSIDE, entity_types, split_label
from trustag.text.scoring import score_labels
from trustag.text.sentences import Sentence
from trustag.training.fit_results import FitResult, Job
from trustag.training.jobs import Jobs
from trustag.training.objectives import GivenLabels
from trustag.training.stages import Stage
from trustag.training.starting_vectors import given_vectors
from trustag.training.task import Task

REVIEWED: Final = "advice/reviewed"
NOISY: Final = "advice/noisy"
LEAST_SENTENCES: Final = 40
_NOISY_SHARES: Final = (0.25, 0.5, 1.0)
_REVIEWED_SHARES: Final = (0.25, 0.5, 1.0)
_UNIT: Final = 10
"""Reviewed sentences after which the curve is taken to be a line over the logarithm."""
_MOST_TIMES: Final = 100


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The F1 of a model that has learned from so many sentences, on clean ones that it has not seen."""

    sentences: int
    f1: float


@dataclass(frozen=True, slots=True)
class LearningCurves:
    """F1 by the number of noisy sentences, and by that of reviewed sentences beside all noisy ones.

    ``scored`` is the number of clean sentences on which all of it was measured.
    """

    noisy: tuple[CurvePoint, ...]
    reviewed: tuple[CurvePoint, ...]
    scored: int

    def reviewed_gain(self, more: int) -> float:
        """Return what ``more`` reviewed sentences bring."""
        first, *rest = self.reviewed
        reach = np.log1p(np.array([point.sentences for point in rest]) / _UNIT)
        gains = np.array([point.f1 - first.f1 for point in rest])
        slope = max(0.0, float(reach @ gains / (reach @ reach)))
        return slope * float(np.log1p(more / _UNIT))

    def noisy_gain(self, more: int) -> float:
        """Return what ``more`` noisy sentences bring, beside those that are there."""
        return self._doubling() * float(np.log2(1 + more / self.noisy[-1].sentences))

    def worth_in_noisy(self, reviewed: int) -> int | None:
        """Return how many more noisy sentences bring as much as so many ``reviewed`` ones; None beyond all measure."""
        doubling, gain = self._doubling(), self.reviewed_gain(reviewed)
        if gain <= 0:
            return 0
        if doubling <= 0 or gain / doubling > np.log2(_MOST_TIMES):
            return None
        return round(self.noisy[-1].sentences * (2 ** (gain / doubling) - 1))

    def _doubling(self) -> float:
        """Return what twice as many noisy sentences bring."""
        reach = np.log2([point.sentences for point in self.noisy])
        f1 = np.array([point.f1 for point in self.noisy])
        centred = reach - reach.mean()
        return max(0.0, float(centred @ f1 / (centred @ centred)))

    def summary(self) -> dict[str, object]:
        """Return the same as plain values, for files."""
        return asdict(self)


def curve_stages(task: Task) -> list[Stage]:
    """Return the stages in which the models of both curves are trained."""
    teaching = len(task.dev) - len(task.dev) // 2
    return [
        Stage(
            NOISY,
            "Fewer noisy labels",
            "Models learn from parts of the corpus.",
            len(_NOISY_SHARES),
            task.planned_epochs(len(task.corpus)),
            sum(_NOISY_SHARES) / len(_NOISY_SHARES),
        ),
        Stage(
            REVIEWED,
            "Reviewed sentences",
            "The model of the run learns from clean sentences.",
            len(_REVIEWED_SHARES),
            task.planned_epochs(teaching),
            teaching / max(1, len(task.corpus)),
        ),
    ]


def task_of_run(path: Path, clean: Sequence[Sentence], watch: Watch) -> Task:
    """Return the task of the finished run at ``path``, with ``clean`` sentences as its dev split."""
    run = RunFiles(path, path.name)
    if run.given is None or not run.folder.best.exists():
        raise InputError("kept no corpus or no model", where=path, remedy="name a finished run of trustag train")
    if len(clean) < LEAST_SENTENCES:
        remedy = f"give at least {LEAST_SENTENCES} sentences with right labels"
        raise InputError(f"{len(clean)} clean sentences are too few to measure on", where=path, remedy=remedy)
    recipe = load_recipe(str(run.folder.recipe))
    types = entity_types(label for sentence in run.given for label in sentence.labels)
    counts: dict[str, int] = {}
    for sentence in (*run.given, *clean):
        for token in sentence.tokens:
            counts[token] = counts.get(token, 0) + 1
    network = NetworkSpec(recipe.network, given_vectors(recipe, counts, watch), None, recipe.bilstm.finetune_vectors)
    known = [_with_known_types(sentence, set(types)) for sentence in clean if sentence.tokens]
    scheme = Survey().add(run.given).scheme.scheme
    corpus = encode(run.given, LabelSet.of(types))
    return Task(run.given, known, corpus, scheme, network, recipe.training, recipe.training.batch_size)


def _with_known_types(sentence: Sentence, types: set[str]) -> Sentence:
    """Return a sentence in which labels of types that are not among ``types`` are unknown."""
    labels = tuple(
        None if label and label != OUTSIDE and split_label(label)[1] not in types else label
        for label in sentence.labels
    )
    return changed(sentence, labels=labels)


def learning_curves(task: Task, jobs: Jobs, model: Path) -> LearningCurves:
    """Return both curves of a task; ``model`` is the folder of the one that its run has kept."""
    order = SeededRandom(task.seed, "teaching and scoring").shuffled(range(len(task.dev)))
    scored, taught = sorted(order[: len(order) // 2]), order[len(order) // 2 :]
    clean = encode(task.dev, task.corpus.labels)
    own, score = replace(task, dev=()), clean.subset(scored)
    parts = SeededRandom(task.seed, "parts of the corpus").shuffled(range(len(task.corpus)))
    noisy = {f"{NOISY}/{count}": task.corpus.subset(parts[:count]) for count in _counts(_NOISY_SHARES, len(parts))}
    trained = jobs.run(NOISY, {name: Job(own.fit(GivenLabels(), part), score.tokens) for name, part in noisy.items()})
    reviewed = {f"{REVIEWED}/{count}": clean.subset(taught[:count]) for count in _counts(_REVIEWED_SHARES, len(taught))}
    tuned = jobs.run(REVIEWED, {name: _tuning(own, part, score, model) for name, part in reviewed.items()})
    before = _f1_of_model(model, score, own)
    return LearningCurves(
        _points(trained, score),
        (CurvePoint(0, before), *_points(tuned, score)),
        len(scored),
    )


def _counts(shares: Sequence[float], whole: int) -> list[int]:
    return sorted({max(1, round(share * whole)) for share in shares})


def _tuning(task: Task, part: EncodedCorpus, score: EncodedCorpus, model: Path) -> Job:
    return Job(replace(task.fit(GivenLabels(), part), start=WarmStart(model)), score.tokens)


def _points(results: Mapping[str, FitResult], score: EncodedCorpus) -> tuple[CurvePoint, ...]:
    labels = score.labels
    legal = legal_transitions(labels.labels, labels.scheme)
    return tuple(
        CurvePoint(
            int(name.rpartition("/")[2]), _f1(score, score.with_labels(own.outputs.legal(legal).best_labels(None)))
        )
        for name, own in results.items()
    )


def _f1_of_model(model: Path, score: EncodedCorpus, task: Task) -> float:
    tagger = load_model(model, task.network.context)
    predicted = list(tagger.tag(score.tokens, score.labels.scheme))
    return score_labels(zip(score.label_names(), predicted, strict=True)).micro.f1


def _f1(score: EncodedCorpus, predicted: EncodedCorpus) -> float:
    return score_labels(zip(score.label_names(), predicted.label_names(), strict=True)).micro.f1

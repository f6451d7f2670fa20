"""Learning from dev too: no model is scored on what it has seen, and systematic errors are corrected."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import torch
from msgspec.structs import replace as changed

from tests.crossfit.test_trusted_models import confused, sentences
from tests.training.made_up_results import flat_chain, result_of
from tests.training.small import here, small_recipe, small_task
from trustag.crf.crf_outputs import CRFOutputs
from trustag.crossfit import dev_as_trusted
from trustag.crossfit.dev_as_trusted import DEV_TRUSTED, dev_halves, dev_stages, learn_from_dev
from trustag.crossfit.keeping import BASELINE, ModelChoice
from trustag.notes import Watch, unwatched
from trustag.pipeline import Destination, train_in
from trustag.text.labels import Label
from trustag.text.scoring import score_labels
from trustag.text.sentences import Corpus, Sentence
from trustag.training.fit_results import FitResult, Job
from trustag.training.task import Task


def marked(own: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Return the sentences with a number at the end, so that each is another one."""
    return tuple(
        changed(one, tokens=(*one.tokens, str(number)), labels=(*one.labels, "O")) for number, one in enumerate(own)
    )


def noisy(count: int) -> tuple[Sentence, ...]:
    """Return sentences of which nearly all call persons places."""
    right = sentences(count, 1)
    return (*right[:5], *map(confused, right[5:]))


DEV = marked(sentences(50, 3))
TASK = small_task(small_recipe(), Corpus(noisy(60), DEV))


@dataclass
class KeptJobs:
    """Trainings that are remembered instead of done; their models label everything ``O``."""

    asked: dict[str, Job] = field(default_factory=dict)

    @property
    def watch(self) -> Watch:
        return unwatched

    def run(self, stage: str, jobs: Mapping[str, Job]) -> dict[str, FitResult]:
        assert stage in {own.name for own in dev_stages(TASK)}
        self.asked |= jobs
        return {name: replace(self._result(job), model=Path(name)) for name, job in jobs.items()}

    def _result(self, job: Job) -> FitResult:
        lengths = [len(tokens) for tokens in job.predict]
        logits = torch.zeros(sum(lengths), len(TASK.corpus.labels))
        logits[:, 0] = 9.0
        return result_of(CRFOutputs(lengths, logits, flat_chain(len(TASK.corpus.labels))))

    def reuse(self, done: str, name: str) -> None:
        raise AssertionError("nothing is trained twice here")


@dataclass
class KnowingTagger:
    """A model that knows the right labels of dev, and remembers what it was asked."""

    asked: list[tuple[str, ...]] = field(default_factory=list)

    def tag(self, tokens: Iterator[tuple[str, ...]], _: object) -> Iterator[tuple[Label, ...]]:
        right = {sentence.tokens: sentence.labels for sentence in DEV}
        for own in tokens:
            self.asked.append(own)
            yield right[own]


@pytest.fixture
def taggers(monkeypatch: pytest.MonkeyPatch) -> dict[str, KnowingTagger]:
    """The models that were asked about dev, by the names of their trainings; the model chosen before knows nothing."""
    found: dict[str, KnowingTagger] = {}
    monkeypatch.setattr(dev_as_trusted, "load_model", lambda path, _: found.setdefault(str(path), KnowingTagger()))
    nothing = [("O",) * len(own) for own in DEV]
    monkeypatch.setattr(
        dev_as_trusted,
        "dev_counts",
        lambda *_: [score_labels([(own.labels, row)]).micro for own, row in zip(DEV, nothing, strict=True)],
    )
    return found


def chosen(task: Task = TASK) -> tuple[ModelChoice, KeptJobs]:
    before = result_of(CRFOutputs([1], torch.zeros(1, len(TASK.corpus.labels)), flat_chain(len(TASK.corpus.labels))))
    jobs = KeptJobs()
    return learn_from_dev(task, jobs, ModelChoice(before, BASELINE, "it was better")), jobs


def test_no_dev_sentence_is_predicted_by_a_model_that_has_seen_it(taggers: dict[str, KnowingTagger]) -> None:
    choice, jobs = chosen()
    assert sorted(own for tagger in taggers.values() for own in tagger.asked) == sorted(own.tokens for own in DEV)
    assert len(taggers) == 2
    for name, tagger in taggers.items():
        part = name.rpartition("/")[2]
        for job in (jobs.asked[f"dev/tuned/{part}"], jobs.asked[f"dev/agreed/{part}"]):
            assert not set(job.fit.corpus.tokens) & set(tagger.asked)
            assert set(job.fit.corpus.tokens) & {own.tokens for own in DEV}
    assert choice.dev_labels == [own.labels for own in DEV]


def test_no_training_chooses_its_epoch_by_dev(taggers: dict[str, KnowingTagger]) -> None:
    _, jobs = chosen()
    assert len(jobs.asked) == 6
    assert all(not job.fit.dev for job in jobs.asked.values())
    assert all(len(job.predict) == len(TASK.corpus) for job in jobs.asked.values())


def test_the_kept_model_has_learned_all_of_dev_with_its_labels(taggers: dict[str, KnowingTagger]) -> None:
    choice, jobs = chosen()
    assert choice.name == DEV_TRUSTED
    assert choice.model.model == Path("dev/agreed/all")
    assert choice.facts()["learned_dev"] is True
    corpus = jobs.asked["dev/agreed/all"].fit.corpus
    learned = dict(zip(corpus.tokens, corpus.label_names(), strict=True))
    for own in DEV:
        types = [label and label.rpartition("-")[2] for label in learned[own.tokens]]
        assert types == [label and label.rpartition("-")[2] for label in own.labels]
    others = corpus.label_names()[: len(TASK.corpus)]
    assert {label for row in others for label in row} == {"O", None}  # where the fine-tuned model disagrees: unknown


def test_a_model_that_is_no_better_is_not_kept(
    taggers: dict[str, KnowingTagger], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = [score_labels([(own.labels, own.labels)]).micro for own in DEV]
    monkeypatch.setattr(dev_as_trusted, "dev_counts", lambda *_: right)
    choice, _ = chosen()
    assert (choice.name, choice.dev_labels) == (BASELINE, None)
    assert "not clearly better" in choice.reason


def test_too_little_dev_teaches_nothing() -> None:
    task = replace(TASK, dev=DEV[:30])
    assert dev_stages(task) == []
    choice, jobs = chosen(task)
    assert (choice.name, jobs.asked) == (BASELINE, {})


def test_halves_hold_every_dev_sentence_once_and_differ_with_the_seed() -> None:
    first, second = dev_halves(TASK)
    assert sorted(first + second) == list(range(len(DEV)))
    assert abs(len(first) - len(second)) <= 1
    other = replace(TASK, training=TASK.training.model_copy(update={"seed": 7}))
    assert dev_halves(other) != [first, second]


@pytest.mark.slow
def test_dev_corrects_errors_that_every_model_of_noisy_labels_repeats(tmp_path: Path) -> None:
    splits = Corpus(noisy(200), tuple(sentences(80, 3)), tuple(sentences(100, 4)))
    changes = ("bilstm.words=16", "bilstm.hidden=16", "training.epochs=12", "training.learning_rate=0.02")
    short = ("method.rounds.fold_epochs=3", "method.rates.estimate_epochs=2", "method.rounds.dev_as_trusted=true")
    found = train_in(splits, small_recipe(*short, *changes, method="confidence"), Destination(tmp_path / "run"), here())
    assert found.kept["name"] == DEV_TRUSTED
    assert found.scores.dev is not None
    assert found.scores.test is not None
    assert found.baseline is not None
    assert found.baseline.test is not None
    assert found.scores.test.micro.f1 > found.baseline.test.micro.f1 + 0.2
    # A world of sixteen names is learned from half of dev: the honest score is no lower than that of test by much.
    assert found.scores.dev.micro.f1 == pytest.approx(found.scores.test.micro.f1, abs=0.1)

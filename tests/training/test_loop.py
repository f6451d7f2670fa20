"""One epoch of training, redone by hand."""

from collections.abc import Iterable

import pytest
import torch
from torch import Tensor, nn

from tests.training.small import small_network, small_recipe
from trustag.data.encoded_corpus import EncodedCorpus, encode, pad_labels
from trustag.methods.table import load_recipe
from trustag.models.heads import label_outputs
from trustag.models.network import Network
from trustag.recipes.settings import Recipe
from trustag.runs.records import EpochReport
from trustag.text.label_sets import LabelSet
from trustag.text.scoring import Counts, EntityScores
from trustag.text.sentences import Sentence
from trustag.training.batches import draw_batches
from trustag.training.loop import LoopSettings, StepReport, Training
from trustag.training.objectives import Batch, GivenLabelsObjective, StatelessObjective
from trustag.training.schedule import fit_schedule

SENTENCES = [
    Sentence(("Ann", "Lee", "sings"), ("B-PER", "I-PER", "O")),
    Sentence(("Bob", "lives", "in", "Rome"), ("B-PER", "O", "O", "B-LOC")),
    Sentence(("nobody",), ("O",)),
]
CORPUS = encode(SENTENCES, LabelSet.of(["LOC", "PER"]))


def paper_recipe(*changes: str) -> Recipe:
    small = ("bilstm.random_vectors=true", "bilstm.words=8", "bilstm.hidden=6", "bilstm.dropout=0.0")
    return load_recipe("paper", [*small, "training.epochs=1", *changes])


def begun(recipe: Recipe, objective: StatelessObjective | None = None) -> Training:
    network = small_network(CORPUS.labels, CORPUS.tokens, recipe)
    schedule = fit_schedule(recipe.training, len(CORPUS), recipe.training.batch_size, seed=1)
    settings = LoopSettings(recipe.network, recipe.training, schedule)
    return Training(network, CORPUS, objective or GivenLabelsObjective(), settings)  # type: ignore[arg-type]


def losses(network: Network, corpus: EncodedCorpus) -> Tensor:
    """The negative log-likelihood of each sentence under the present weights."""
    labels, mask = pad_labels(corpus.rows)
    inputs = network.collate(corpus.tokens)
    outputs = network.outputs(inputs, mask)
    return GivenLabelsObjective()(Batch([0, 1, 2], labels, inputs, outputs, lambda: outputs))


def test_a_step_of_the_paper_follows_the_gradient_of_the_summed_loss_unclipped() -> None:
    training = begun(paper_recipe("training.learning_rate=0.5", "training.weight_decay=0.0"))
    network = training.network
    before = {name: weight.detach().clone() for name, weight in network.named_parameters()}
    losses(network, CORPUS).sum().backward()  # type: ignore[no-untyped-call]
    gradients = {name: weight.grad for name, weight in network.named_parameters()}
    list(training.run(None))
    for name, weight in network.named_parameters():
        gradient = gradients[name]
        step = 0.5 * gradient.to_dense() if gradient is not None else torch.zeros_like(weight)
        torch.testing.assert_close(weight.detach(), before[name] - step, atol=1e-5, rtol=1e-4)


def test_the_loss_of_an_epoch_is_the_mean_over_its_sentences() -> None:
    training = begun(paper_recipe("training.learning_rate=1e-12", "training.batch_size=2"))
    (report,) = [event for event in training.run(None) if isinstance(event, EpochReport)]
    with torch.no_grad():
        expected = losses(training.network, CORPUS).mean().item()
    assert abs(report.loss - expected) < 1e-4


class Scaled(GivenLabelsObjective):
    """A loss with a parameter of its own, which keeps account of what it is called with."""

    def __init__(self) -> None:
        self.scale = nn.Parameter(torch.tensor(1.0))
        self.calls: list[tuple[str, int]] = []
        self.seen: set[int] = set()

    def parameters(self) -> Iterable[nn.Parameter]:
        return [self.scale]

    def begin_epoch(self, epoch: int) -> None:
        self.calls.append(("begin", epoch))

    def before_step(self, step: int, network: Network) -> None:
        self.calls.append(("step", step))
        self.seen.add(id(network))

    def end_epoch(self, epoch: int) -> dict[str, float]:
        self.calls.append(("end", epoch))
        return {"scale": self.scale.item()}

    def __call__(self, batch: Batch) -> Tensor:
        return super().__call__(batch) * self.scale


def test_parameters_of_the_objective_follow_their_gradient() -> None:
    objective = Scaled()
    training = begun(paper_recipe("training.learning_rate=0.001", "training.weight_decay=0.5"), objective)
    with torch.no_grad():
        total = losses(training.network, CORPUS).sum().item()
    (*_, report) = training.run(None)
    # The derivative of scale * loss by the scale is the loss; weight decay is for the network alone.
    assert objective.scale.item() == pytest.approx(1 - 0.001 * total, rel=1e-4)
    assert isinstance(report, EpochReport)
    assert report.facts == {"scale": pytest.approx(objective.scale.item())}


def test_the_objective_learns_of_every_epoch_and_step() -> None:
    objective = Scaled()
    training = begun(small_recipe("training.batch_size=2", "training.epochs=2"), objective)
    events = list(training.run(None))
    expected = [("begin", 0), ("step", 0), ("step", 1), ("end", 0), ("begin", 1), ("step", 2), ("step", 3), ("end", 1)]
    assert objective.calls == expected
    assert objective.seen == {id(training.network)}
    steps = [event for event in events if isinstance(event, StepReport)]
    assert steps == [StepReport(epoch, step, 2) for epoch in (0, 1) for step in (1, 2)]


class Numbered(GivenLabelsObjective):
    """Keeps the sentences of every step."""

    def __init__(self) -> None:
        self.steps: list[list[int]] = []

    def __call__(self, batch: Batch) -> Tensor:
        self.steps.append(batch.sentences)
        return super().__call__(batch)


@pytest.mark.parametrize("steps", [1, 3, 7])
def test_epochs_of_some_steps_are_passes_cut_elsewhere(steps: int) -> None:
    recipe = small_recipe("training.batch_size=2", "training.average=0.0")
    network = small_network(CORPUS.labels, CORPUS.tokens, recipe)
    schedule = fit_schedule(recipe.training, len(CORPUS), 2, seed=1, epochs=4, epoch_steps=steps)
    objective = Numbered()
    training = Training(network, CORPUS, objective, LoopSettings(recipe.network, recipe.training, schedule))
    reports = [event for event in training.run(None) if isinstance(event, EpochReport)]
    passes = [draw_batches(CORPUS.lengths, 2, "bucketed", 1, number) for number in range(4 * steps)]
    assert objective.steps == [batch for own in passes for batch in own][: 4 * steps]
    assert len(reports) == 4


def test_the_loss_of_an_epoch_of_some_steps_is_the_mean_over_the_sentences_it_saw() -> None:
    recipe = paper_recipe("training.learning_rate=1e-12", "training.batch_size=2")
    network = small_network(CORPUS.labels, CORPUS.tokens, recipe)
    schedule = fit_schedule(recipe.training, len(CORPUS), 2, seed=1, epochs=1, epoch_steps=1)
    objective = Numbered()
    training = Training(network, CORPUS, objective, LoopSettings(recipe.network, recipe.training, schedule))
    (report,) = [event for event in training.run(None) if isinstance(event, EpochReport)]
    (seen,) = objective.steps
    with torch.no_grad():
        expected = losses(network, CORPUS)[seen].mean().item()
    assert abs(report.loss - expected) < 1e-4


class Watching(GivenLabelsObjective):
    """Looks at the outputs with and without dropout."""

    def __init__(self) -> None:
        self.seen: list[tuple[Tensor, Tensor, Tensor, bool]] = []

    def __call__(self, batch: Batch) -> Tensor:
        first, second = (label_outputs(batch.without_dropout()).logits for _ in range(2))
        self.seen.append((batch.label_outputs.logits.detach(), first, second, first.requires_grad))
        return super().__call__(batch)


def test_a_pass_without_dropout_is_the_same_each_time_and_takes_no_gradient() -> None:
    objective = Watching()
    training = begun(small_recipe("bilstm.dropout=0.5", "training.epochs=1"), objective)
    list(training.run(None))
    ((with_dropout, first, second, has_gradient),) = objective.seen
    assert torch.equal(first, second)
    assert not torch.equal(first, with_dropout)
    assert not has_gradient
    assert training.network.training


@pytest.mark.parametrize(
    ("stopping", "scores", "best", "epochs"),
    [
        ("dev", [0.1, 0.5, 0.4, 0.5, 0.6], [0, 1], 4),
        ("none", [0.5, 0.4, 0.3, 0.2, 0.1], [0, 1, 2, 3, 4], 5),
    ],
)
def test_dev_chooses_the_epoch_and_patience_ends_the_training(
    stopping: str, scores: list[float], best: list[int], epochs: int
) -> None:

    training = begun(small_recipe("training.epochs=5", "training.patience=2", f"training.stopping={stopping}"))
    left = iter(scores)

    def dev_score() -> EntityScores:
        f1 = next(left)
        return EntityScores({"PER": Counts(round(10 * f1), 10, 10)}, *[0] * 6)

    reports = [event for event in training.run(dev_score) if isinstance(event, EpochReport)]
    assert [report.epoch for report in reports if report.is_best] == best
    assert len(reports) == epochs
    assert training.is_complete
    assert [report.f1 for report in reports] == pytest.approx(scores[:epochs])

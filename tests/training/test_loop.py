"""One epoch of training, redone by hand."""

import torch

from tests.training.small import encoded, small_spec
from trustag.data.encoded_corpus import EncodedCorpus, pad_labels
from trustag.methods.table import load_recipe
from trustag.models.building import new_network
from trustag.models.network import Network
from trustag.notes import unwatched
from trustag.runs.records import EpochReport
from trustag.text.sentences import Sentence
from trustag.training.loop import LoopSettings, Training
from trustag.training.objectives import Batch, GivenLabelsObjective
from trustag.training.schedule import fit_schedule

SENTENCES = [
    Sentence(("Ann", "Lee", "sings"), ("B-PER", "I-PER", "O")),
    Sentence(("Bob", "lives", "in", "Rome"), ("B-PER", "O", "O", "B-LOC")),
    Sentence(("nobody",), ("O",)),
]


def begun(*changes: str) -> Training:
    small = ("bilstm.random_vectors=true", "bilstm.words=8", "bilstm.hidden=6", "bilstm.dropout=0.0")
    recipe = load_recipe("paper", [*small, "training.epochs=1", *changes])
    corpus = encoded(SENTENCES)
    torch.manual_seed(1)
    network = new_network(corpus.tokens, corpus.labels, small_spec(recipe), unwatched)
    schedule = fit_schedule(recipe.training, len(corpus), recipe.training.batch_size, seed=1)
    settings = LoopSettings(recipe.network, recipe.training, schedule)
    return Training(network, corpus, GivenLabelsObjective(), settings)


def losses(network: Network, corpus: EncodedCorpus) -> torch.Tensor:
    """The negative log-likelihood of each sentence under the present weights."""
    labels, mask = pad_labels(corpus.rows)
    inputs = network.collate(corpus.tokens)
    outputs = network.outputs(inputs, mask)
    return GivenLabelsObjective()(Batch([0, 1, 2], labels, inputs, outputs, lambda: outputs))


def test_a_step_of_the_paper_follows_the_gradient_of_the_summed_loss_unclipped() -> None:
    training = begun("training.learning_rate=0.5", "training.weight_decay=0.0")
    network = training.network
    before = {name: weight.detach().clone() for name, weight in network.named_parameters()}
    losses(network, training.corpus).sum().backward()  # type: ignore[no-untyped-call]
    gradients = {name: weight.grad for name, weight in network.named_parameters()}
    list(training.run(None))
    for name, weight in network.named_parameters():
        gradient = gradients[name]
        step = 0.5 * gradient.to_dense() if gradient is not None else torch.zeros_like(weight)
        torch.testing.assert_close(weight.detach(), before[name] - step, atol=1e-5, rtol=1e-4)


def test_the_loss_of_an_epoch_is_the_mean_over_its_sentences() -> None:
    training = begun("training.learning_rate=1e-12", "training.batch_size=2")
    (report,) = [event for event in training.run(None) if isinstance(event, EpochReport)]
    with torch.no_grad():
        expected = losses(training.network, training.corpus).mean().item()
    assert abs(report.loss - expected) < 1e-4

"""One epoch of training, redone by hand."""

import torch

from trustag.data.encoded_corpus import Numbered, label_set, number_sentences, padded_labels
from trustag.models.building import fresh_network
from trustag.models.network import Network
from trustag.notes import unwatched
from trustag.recipes.loading import load_recipe
from trustag.recipes.settings import Recipe
from trustag.text.sentences import Sentence
from trustag.training.loop import EpochReport, Training
from trustag.training.objectives import GivenLabels, Pass, Scored

SENTENCES = [
    Sentence(("Ann", "Lee", "sings"), ("B-PER", "I-PER", "O")),
    Sentence(("Bob", "lives", "in", "Rome"), ("B-PER", "O", "O", "B-LOC")),
    Sentence(("nobody",), ("O",)),
]
LABELS = label_set(["LOC", "PER"])


def begun(*changes: str) -> Training:
    small = ("bilstm.random_vectors=true", "bilstm.words=8", "bilstm.hidden=6", "bilstm.dropout=0.0")
    recipe: Recipe = load_recipe("paper", [*small, "training.epochs=1", *changes])
    torch.manual_seed(1)
    network = fresh_network([sentence.tokens for sentence in SENTENCES], None, LABELS, recipe, unwatched)
    return Training(network, LABELS, number_sentences(SENTENCES, LABELS), GivenLabels(), recipe)


def losses(network: Network, numbered: Numbered) -> torch.Tensor:
    """The negative log-likelihood of each sentence under the present weights."""
    labels, mask = padded_labels(numbered.labels)
    features = network.encoder(network.collate(numbered.tokens))
    reading = Pass(features, network.projection(features))
    return GivenLabels()(Scored([0, 1, 2], labels, mask, reading, network.chain, lambda: reading))


def test_a_step_of_the_paper_follows_the_gradient_of_the_summed_loss_unclipped() -> None:
    training = begun("training.learning_rate=0.5", "training.weight_decay=0.0")
    network = training.network
    before = {name: weight.detach().clone() for name, weight in network.named_parameters()}
    losses(network, training.sentences).sum().backward()  # type: ignore[no-untyped-call]
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
        expected = losses(training.network, training.sentences).mean().item()
    assert abs(report.loss - expected) < 1e-4

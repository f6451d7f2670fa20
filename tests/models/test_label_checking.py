"""Issues that a model finds in a corpus it was not trained on."""

import torch
from msgspec.structs import replace as changed

from tests.training.small import small_network
from trustag.models.crf_head import CRFHead
from trustag.models.label_checking import issues_by_model
from trustag.models.tagger import Tagger
from trustag.text.label_sets import LabelSet
from trustag.text.sentences import GIVEN, REVIEWED, Sentence

LABELS = LabelSet.of(["PER"])
CLEAN = [Sentence(("w",) * 4, ("O",) * 4)] * 20
ODD = Sentence(("w",) * 4, ("O", "B-PER", "I-PER", "O"))


def sure_of_outside() -> Tagger:
    """A model that sees no entity anywhere."""
    network = small_network(LABELS, [sentence.tokens for sentence in CLEAN])
    assert isinstance(network.head, CRFHead)
    with torch.no_grad():
        network.head.projection.weight.zero_()
        network.head.projection.bias.copy_(torch.tensor([5.0, 0, 0, 0, 0]))
    return Tagger(network)


def test_labels_that_the_model_contradicts_are_issues() -> None:
    (issue,) = issues_by_model(sure_of_outside(), [*CLEAN, ODD])
    assert (issue.sentence, issue.first, issue.end, issue.kind) == (20, 1, 3, "spurious")
    assert issue.suggested == ()
    assert issue.given_score < 0.1
    assert issue.suggested_score > 0.9


def test_reviewed_labels_are_no_issues() -> None:
    reviewed = changed(ODD, token_sources=(GIVEN, REVIEWED, REVIEWED, GIVEN))
    assert issues_by_model(sure_of_outside(), [*CLEAN, reviewed]) == []


def test_a_hotter_model_is_less_sure_of_its_suggestion() -> None:
    cold = sure_of_outside()
    hot = Tagger(cold.network, temperature=4.0)
    (one,), (other,) = (issues_by_model(tagger, [*CLEAN, ODD]) for tagger in (cold, hot))
    assert other.suggested_score < one.suggested_score


def test_no_sentences_have_no_issues() -> None:
    assert issues_by_model(sure_of_outside(), []) == []

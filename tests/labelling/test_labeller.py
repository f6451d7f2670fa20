"""Labels, sources and scores of sentences."""

from trustag.labelling.gazetteers import Gazetteer, ListOptions, ListToCompile, compile_lists
from trustag.labelling.labeller import Labeller, with_proposals
from trustag.labelling.name_lists import ListedName
from trustag.labelling.proposals import Proposal
from trustag.labelling.settings import LabellingSettings
from trustag.text.sentences import Sentence


def labeller() -> Labeller:
    forms = [ListedName("New York", "LOC"), ListedName("York", "PER"), ListedName("Acme", None)]
    return Labeller(LabellingSettings(), Gazetteer(compile_lists([ListToCompile("a", forms, ListOptions())])))


def test_every_label_has_a_source_and_a_score() -> None:
    sentence = Sentence(("York", "left", "New", "York", "for", "Acme"), ("B-X",) * 6, columns={"pos": ("N",) * 6})
    (found,) = labeller().label([sentence])
    assert found.sentence.labels == ("B-PER", "O", "B-LOC", "I-LOC", "O", None)
    assert found.sentence.token_sources == (
        "gazetteer:a",
        "none",
        "gazetteer:a",
        "gazetteer:a",
        "none",
        "gazetteer:a",
    )
    assert found.sentence.columns == {"pos": ("N",) * 6, "score": ("1", "0", "1", "1", "0", "0")}
    assert [proposal.type for proposal in found.proposals] == ["PER", "LOC", None]


def test_neighbours_of_one_type_stay_apart() -> None:
    sentence = Sentence(("a", "b", "c"), (None,) * 3)
    found = with_proposals(sentence, [Proposal(0, 1, "PER", "kb", 1), Proposal(1, 3, "PER", "rule:x", 0.123456)])
    assert found.labels == ("B-PER", "B-PER", "I-PER")
    assert found.columns["score"] == ("1", "0.12", "0.12")
    assert with_proposals(sentence, []).labels == ("O", "O", "O")


def test_all_labels_that_may_be_given_are_known_before() -> None:
    assert set(labeller().tags) == {"O", "B-LOC", "I-LOC", "B-PER", "I-PER"}

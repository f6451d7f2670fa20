"""Counts of labels by source."""

from trustag.labelling.labeller import LabelledSentence
from trustag.labelling.proposals import Proposal
from trustag.labelling.tallies import LabellingTally
from trustag.text.sentences import Sentence


def test_names_are_counted_by_source_and_type() -> None:
    sentence = Sentence(("a", "b", "c"), ("B-PER", "O", None))
    proposals = (Proposal(0, 1, "PER", "kb", 1), Proposal(2, 3, None, "gazetteer:a", 0))
    tally = LabellingTally()
    assert list(tally.counted([LabelledSentence(sentence, proposals)] * 2)) == [sentence] * 2
    assert (tally.sentences, tally.tokens, tally.unknown) == (2, 6, 2)
    assert (dict(tally.types), dict(tally.sources)) == ({"PER": 2}, {"kb": 2, "gazetteer:a": 2})

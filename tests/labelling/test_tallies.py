"""Counts of labels by source."""

import pytest

from trustag.labelling.gazetteers import Evidence
from trustag.labelling.labeller import LabelledSentence
from trustag.labelling.proposals import Proposal
from trustag.labelling.tallies import LabellingTally, SourceCounts, shares
from trustag.text.sentences import Sentence


def test_names_are_counted_by_source_and_type() -> None:
    sentence = Sentence(("a", "b", "c"), ("B-PER", "O", None))
    proposals = (Proposal(0, 1, "PER", "kb", 1), Proposal(2, 3, None, "rule:candidate", 0))
    tally = LabellingTally()
    assert list(tally.counted([LabelledSentence(sentence, proposals)] * 2)) == [sentence] * 2
    assert (tally.sentences, tally.tokens, tally.unknown, dict(tally.types)) == (2, 6, 2, {"PER": 2})
    assert tally.sources["kb"] == SourceCounts(proposed=2, chosen=2)
    assert tally.scores is None


def test_sources_are_compared_with_each_other_and_with_gold() -> None:
    sentence = Sentence(("a", "b", "c"), ("B-PER", "I-PER", "O"), gold=("B-PER", "I-PER", "B-LOC"))
    evidence = (Evidence("gazetteer:x", "PER", 1.0), Evidence("gazetteer:y", "LOC", 1.0))
    chosen = Proposal(0, 2, "PER", "gazetteer:x", 0.5, "", evidence)
    loser = Proposal(1, 2, "LOC", "rule:z", 0.5)
    tally = LabellingTally()
    tally.add(LabelledSentence(sentence, (chosen,), ((loser, chosen),)))
    assert tally.sources == {
        "gazetteer:x": SourceCounts(proposed=1, chosen=1, overlaps=1, conflicts=1, in_gold=1, correct=1),
        "gazetteer:y": SourceCounts(proposed=1, chosen=0, overlaps=1, conflicts=1, in_gold=1, correct=0),
        "rule:z": SourceCounts(proposed=1, chosen=0, overlaps=1, conflicts=1, in_gold=1, correct=0),
    }
    assert tally.scores is not None
    assert (tally.scores.precision, tally.scores.recall) == (1.0, 0.5)
    assert shares(tally.sources["gazetteer:x"], tally.gold) == pytest.approx((1.0, 0.5))

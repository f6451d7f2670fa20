"""What labelling says on the terminal."""

from pathlib import Path

from trustag.cli.labelling_lines import explained, summary_lines
from trustag.labelling.labeller import LabelledSentence
from trustag.labelling.proposals import Proposal
from trustag.labelling.tallies import LabellingTally
from trustag.text.sentences import Sentence, Source

SENTENCE = Sentence(("Ann", "slept"), ("B-PER", "O"), gold=("B-PER", "O"), source=Source("a/b.txt", 3))
CHOSEN = Proposal(0, 1, "PER", "kb", 1.0, "is in\x1b the base")
LABELLED = LabelledSentence(SENTENCE, (CHOSEN,), ((Proposal(0, 1, "LOC", "rule:x", 0.25, "is odd"), CHOSEN),))


def test_a_summary_with_gold() -> None:
    tally = LabellingTally()
    tally.add(LABELLED)
    lines = list(summary_lines(Path("out.conll"), tally))
    assert lines[0] == "out.conll: 1 sentences, 2 tokens, 1 entities  PER 1"
    assert "precision 1.000, recall 1.000" in lines[1]
    assert [line.split() for line in lines[-2:]] == [
        ["kb", "1", "1", "100%", "100%", "1.000", "1.000"],
        ["rule:x", "1", "0", "100%", "100%", "0.000", "0.000"],
    ]


def test_why_a_name_has_its_label() -> None:
    lines = list(explained([LABELLED, LabelledSentence(SENTENCE, ())]))
    assert lines[0] == "b.txt:3: Ann slept"
    assert lines[1].split() == ["Ann", "PER", "kb", "is", "in\\x1b", "the", "base", "(1)"]
    assert lines[2].split() == ["not", "rule:x", "Ann", "as", "LOC:", "is", "odd", "(0.25)"]
    assert lines[3] == ""

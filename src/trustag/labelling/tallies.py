"""Counts of what was labelled, by source: coverage, overlap and conflict with others, precision and recall."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from trustag.labelling.labeller import LabelledSentence
from trustag.labelling.proposals import Proposal
from trustag.text.scoring import Counts
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans


@dataclass(slots=True)
class SourceCounts:
    """What one source proposed.

    ``chosen`` became labels; ``overlaps`` touch what another source proposed, and ``conflicts`` of these say another
    type or other borders. ``correct`` are equal to gold entities; it is counted where there is gold.
    """

    proposed: int = 0
    chosen: int = 0
    overlaps: int = 0
    conflicts: int = 0
    in_gold: int = 0
    correct: int = 0


@dataclass(slots=True)
class LabellingTally:
    """Sentences, tokens and entities, counted while they pass; ``all_sources`` compares the lists of each name too."""

    sentences: int = 0
    tokens: int = 0
    unknown: int = 0
    gold: int = 0
    correct: int = 0
    found_with_gold: int = 0
    types: Counter[str] = field(default_factory=Counter)
    sources: dict[str, SourceCounts] = field(default_factory=dict)

    def counted(self, labelled: Iterable[LabelledSentence]) -> Iterator[Sentence]:
        """Yield the sentences, and count them."""
        for one in labelled:
            self.add(one)
            yield one.sentence

    def add(self, one: LabelledSentence) -> None:
        """Count a sentence."""
        self.sentences += 1
        self.tokens += len(one.sentence.tokens)
        for proposal in one.proposals:
            if proposal.type is None:
                self.unknown += 1
            else:
                self.types[proposal.type] += 1
        gold = None if one.sentence.gold is None else set(read_spans(one.sentence.gold))
        if gold is not None:
            typed = [proposal for proposal in one.proposals if proposal.type is not None]
            self.gold += len(gold)
            self.found_with_gold += len(typed)
            self.correct += sum((p.start, p.end, p.type) in gold for p in typed)
        self._add_sources(one, gold)

    @property
    def scores(self) -> Counts | None:
        """How good the labels are, if the texts have gold labels."""
        return Counts(self.correct, self.found_with_gold, self.gold) if self.gold else None

    def _add_sources(self, one: LabelledSentence, gold: set[Span] | None) -> None:
        all_proposals = [*((p, True) for p in one.proposals), *((p, False) for p, _ in one.given_way)]
        said = [voice for proposal, chosen in all_proposals for voice in _voices(proposal, chosen=chosen)]
        for source, start, end, kind, chosen in said:
            counts = self.sources.setdefault(source, SourceCounts())
            counts.proposed += 1
            counts.chosen += chosen
            others = [o for o in said if o[0] != source and o[1] < end and start < o[2]]
            counts.overlaps += bool(others)
            counts.conflicts += any((o[1], o[2], o[3]) != (start, end, kind) for o in others)
            if gold is not None and kind is not None:
                counts.in_gold += 1
                counts.correct += (start, end, kind) in gold


def _voices(proposal: Proposal, *, chosen: bool) -> list[tuple[str, int, int, str | None, bool]]:
    """Return what each source says of a stretch; several lists may stand behind one proposal."""
    start, end, kind, source, *_ = proposal
    lists = [(one.source, start, end, one.type, chosen and one.type == kind) for one in proposal.evidence]
    return lists or [(source, start, end, kind, chosen)]


def shares(counts: SourceCounts, gold: int) -> Sequence[float]:
    """Return precision and recall of what a source proposed."""
    scores = Counts(counts.correct, counts.in_gold, gold)
    return scores.precision, scores.recall

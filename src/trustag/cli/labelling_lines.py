"""What labelling did, as lines for the terminal: a summary, a table of sources, and why each name has its label."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from trustag.cli.output import aligned
from trustag.errors import printable
from trustag.labelling.labeller import LabelledSentence
from trustag.labelling.proposals import Proposal
from trustag.labelling.tallies import LabellingTally, shares


def summary_lines(output: Path, tally: LabellingTally) -> Iterator[str]:
    """Yield what was written, by type, and what each source had to do with it."""
    count = sum(tally.types.values())
    kinds = "  ".join(f"{kind} {number:,}" for kind, number in tally.types.most_common())
    yield f"{output}: {tally.sentences:,} sentences, {tally.tokens:,} tokens, {count:,} entities  {kinds}".rstrip()
    if tally.unknown:
        yield f"  {tally.unknown:,} names of unknown type: their labels are unknown, not O"
    scores = tally.scores
    if scores is not None:
        rates = f"precision {scores.precision:.3f}, recall {scores.recall:.3f}, F1 {scores.f1:.3f}"
        yield f"  against the gold labels: {rates}"
    if tally.sources:
        yield ""
        yield from aligned(list(_source_rows(tally)), header=True)


def _source_rows(tally: LabellingTally) -> Iterator[list[str]]:
    with_gold = tally.gold > 0
    rates = ["precision", "recall"] if with_gold else []
    yield ["source", "proposed", "chosen", "overlapping", "in conflict", *rates]
    for name, counts in sorted(tally.sources.items(), key=lambda item: (-item[1].chosen, item[0])):
        proposed = counts.proposed
        row = [printable(name), f"{proposed:,}", f"{counts.chosen:,}"]
        row += [f"{share / proposed:.0%}" for share in (counts.overlaps, counts.conflicts)]
        if with_gold:
            row += [f"{rate:.3f}" for rate in shares(counts, tally.gold)] if counts.in_gold else ["", ""]
        yield row


def explained(labelled: Iterable[LabelledSentence]) -> Iterator[str]:
    """Yield each sentence that has names, and below it why each of them has its label, and what gave way to it."""
    for one in labelled:
        if not one.proposals:
            continue
        place = one.sentence.place_of(0)
        yield (f"{place}: " if place else "") + printable(one.sentence.text)
        rows = []
        for proposal in one.proposals:
            rows.append(["  ", _words(one, proposal), proposal.type or "unknown", proposal.source, _why(proposal)])
            for loser, winner in one.given_way:
                if winner[:3] == proposal[:3] and loser[:4] != proposal[:4]:
                    rows.append(
                        ["  ", "", "", f"not {loser.source}", f"{_words(one, loser)} as {loser.type}: {_why(loser)}"]
                    )
        yield from aligned(rows, left=5)
        yield ""


def _why(proposal: Proposal) -> str:
    return printable(f"{proposal.why} ({proposal.score:.2g})")


def _words(one: LabelledSentence, proposal: Proposal) -> str:
    return printable(" ".join(one.sentence.tokens[proposal.start : proposal.end]))

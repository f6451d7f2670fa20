"""All ways to cut a sentence and to type its stretches, one after the other."""

from collections import defaultdict
from itertools import pairwise, product

import torch
from torch import Tensor

from trustag.methods.autoner.head import TieOrBreakHead
from trustag.methods.autoner.lattice import stretch_labels
from trustag.methods.autoner.stretch_outputs import StretchOutputs
from trustag.text.label_sets import LabelSet

LABELS = LabelSet.of(["LOC", "PER"])
COUNT = len(LABELS)


def random_outputs(seed: int, lengths: list[int]) -> StretchOutputs:
    """Return the outputs of a head with random weights for random features."""
    torch.manual_seed(seed)
    own = TieOrBreakHead(LABELS, 3)
    with torch.no_grad():
        rows = [own.scores(3 * torch.randn(1, length, 3), torch.ones(1, length))[0] for length in lengths]
    return own.corpus_outputs(lengths, 3 * torch.cat(rows))


def enumerated(scores: Tensor) -> dict[tuple[int, ...], float]:
    """Return the probability of every label sequence: the sum over all ties and all types of the stretches."""
    found: defaultdict[tuple[int, ...], float] = defaultdict(float)
    starts, ends = scores[:, 1:].double().chunk(2, -1)
    tie = scores[1:, 0].double().sigmoid()
    for tied in product([True, False], repeat=len(tie)):
        chance = 1.0
        for probability, is_tied in zip(tie.tolist(), tied, strict=True):
            chance *= probability if is_tied else 1 - probability
        cuts = [0, *(gap + 1 for gap, is_tied in enumerate(tied) if not is_tied), len(scores)]
        stretches = list(pairwise(cuts))
        kinds = [(starts[first] + ends[end - 1]).softmax(-1).tolist() for first, end in stretches]
        for chosen in product(range(len(LABELS.types) + 1), repeat=len(stretches)):
            weight, labels = chance, []
            for (first, end), own, kind in zip(stretches, kinds, chosen, strict=True):
                weight *= own[kind]
                labels += stretch_labels(end - first, kind)
            found[tuple(labels)] += weight
    return found

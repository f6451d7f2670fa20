"""How well distrust finds wrong labels, where gold is at hand to tell."""

from dataclasses import asdict, dataclass

from torch import Tensor

from trustag.text.scoring import Counts


@dataclass(frozen=True, slots=True)
class Detection:
    """Wrong labels, distrusted labels, and those that are both: among ``O`` labels and among entity labels."""

    negative: Counts
    positive: Counts

    def summary(self) -> dict[str, dict[str, float]]:
        """Return precision, recall and F1 of each group, for manifests and screens."""
        return {
            name: {**asdict(counts), "precision": counts.precision, "recall": counts.recall, "f1": counts.f1}
            for name, counts in (("negative", self.negative), ("positive", self.positive))
        }


def detection(given: Tensor, gold: Tensor, distrusted: Tensor) -> Detection:
    """Return how ``distrusted`` compares with where ``given`` differs from ``gold``, label numbers of one dimension.

    Tokens whose given or gold label is unknown (negative) are left out.

    >>> import torch
    >>> given, gold = torch.tensor([0, 0, 1, 1]), torch.tensor([0, 1, 1, 2])
    >>> detection(given, gold, torch.tensor([True, True, False, True])).negative.precision
    0.5
    """
    known = (given >= 0) & (gold >= 0)
    wrong = given != gold

    def counts(group: Tensor) -> Counts:
        group = group & known
        return Counts(
            correct=int((group & wrong & distrusted).sum()),
            found=int((group & distrusted).sum()),
            support=int((group & wrong).sum()),
        )

    return Detection(counts(given == 0), counts(given > 0))

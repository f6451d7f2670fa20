"""Random batches that are small enough to enumerate."""

import torch
from hypothesis import strategies as st
from torch import Tensor

from tests.crf.enumeration import Batch
from trustag.crf import Chain

SPREADS = (1.0, 10.0, 50.0)


@st.composite
def batches(draw: st.DrawFn, *, weights: bool | None = None, forbid: bool = True, labels: int = 4) -> Batch:
    """Draw a few short sentences with scores of various ranges, forbidden transitions and sets of allowed labels.

    Every sentence keeps at least one legal path inside its allowed labels: one is drawn and never forbidden.
    """
    label_count = draw(st.integers(1, labels))
    lengths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    spread = draw(st.sampled_from(SPREADS))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**32)))
    weighted = draw(st.booleans()) if weights is None else weights
    forbidden_share = draw(st.sampled_from((0.0, 0.4))) if forbid else 0.0
    tokens = max(lengths)
    kept = torch.randint(label_count, (len(lengths), tokens), generator=generator)
    mask = torch.arange(tokens) < torch.tensor(lengths)[:, None]
    allowed = _allowed(kept, label_count, weighted, generator)
    emissions = _scores((len(lengths), tokens, label_count), spread, generator)
    chain = Chain(
        _scores((label_count, label_count), spread, generator),
        _scores((label_count,), spread, generator),
        _scores((label_count,), spread, generator),
    )
    return Batch(emissions, _forbid(chain, kept, mask, forbidden_share, generator), mask, allowed)


def _scores(shape: tuple[int, ...], spread: float, generator: torch.Generator) -> Tensor:
    return (torch.rand(shape, generator=generator, dtype=torch.float64) * 2 - 1) * spread


def _allowed(kept: Tensor, label_count: int, weighted: bool, generator: torch.Generator) -> Tensor:
    opened = torch.rand(*kept.shape, label_count, generator=generator) < 0.4
    allowed = opened.scatter(2, kept[..., None], value=True)
    if not weighted:
        return allowed
    return allowed * (torch.rand(allowed.shape, generator=generator, dtype=torch.float64) * 0.99 + 0.01)


def _forbid(chain: Chain, kept: Tensor, mask: Tensor, share: float, generator: torch.Generator) -> Chain:
    last = mask.sum(1) - 1
    needed = torch.zeros_like(chain.transitions, dtype=torch.bool)
    for labels, length in zip(kept, mask.sum(1).tolist(), strict=True):
        needed[labels[: length - 1], labels[1:length]] = True
    first_needed, last_needed = torch.zeros_like(needed[0]), torch.zeros_like(needed[0])
    first_needed[kept[:, 0]] = True
    last_needed[kept.gather(1, last[:, None])] = True

    def thinned(scores: Tensor, keep: Tensor) -> Tensor:
        dropped = torch.rand(scores.shape, generator=generator) < share
        return scores.masked_fill(dropped & ~keep, -torch.inf)

    return Chain(
        thinned(chain.transitions, needed), thinned(chain.start, first_needed), thinned(chain.end, last_needed)
    )

"""Rows of pieces are those that the network is given when it is trained, window for window."""

from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from tests.models.test_context import LONG, ODD, POSITIONS, SENTENCES
from tests.models.tiny_transformers import save_bert
from trustag.export.piece_rows import ContextFacts, PieceRows
from trustag.models.context import FrozenContext
from trustag.models.piece_batches import PieceBatching, lay_out

EVERY = [*SENTENCES, ODD, LONG]


def test_every_token_is_the_mean_of_the_same_pieces(tmp_path: Path) -> None:
    context = FrozenContext.from_pretrained(str(save_bert(tmp_path / "bert", POSITIONS)), (1,))
    config, specials = context.config, context.config.specials
    assert specials.padding is not None
    facts = ContextFacts(
        specials.before, specials.after, specials.unknown, specials.padding, config.positions, config.stride
    )
    found = PieceRows(context.cutter, facts).inputs(EVERY)
    batching = PieceBatching(specials, config.positions, config.stride, "mean")
    expected = lay_out([[context.cutter(word) for word in words] for words in EVERY], batching)
    assert found["context_pieces"].shape[1] <= POSITIONS
    assert int(found["context_attended"].sum()) == sum(int(block.attended.sum()) for block in expected.blocks)
    # What each token is the mean of: pieces as numbers, so that equal means are equal pieces nearly always.
    numbers = torch.cat([block.pieces.flatten() for block in expected.blocks]).float()[:, None].sin()
    theirs = functional.embedding_bag(expected.pooled, numbers, expected.bags, mode="mean").flatten()
    values = torch.from_numpy(found["context_pieces"]).float().sin().numpy().ravel()[found["context_pooled"]]
    sums = np.bincount(found["context_bags"], values, len(theirs))
    sizes = np.bincount(found["context_bags"], minlength=len(theirs)).clip(1)
    np.testing.assert_allclose(sums / sizes, theirs.numpy(), atol=1e-6)

"""Long rows are read in windows: every entity once, and the same as without windows where a window sees enough."""

from itertools import pairwise

import numpy as np

from tests.models.random_network import NETWORK, WORDS
from trustag.integrations.token_entities import STRIDE, WINDOW, entities_of_rows
from trustag.models.tagger import Tagger

TAGGER = Tagger(NETWORK)
ROWS = np.random.default_rng(2)


def test_short_rows_are_tagged_as_they_are() -> None:
    rows = [tuple(ROWS.choice(WORDS, size)) for size in (1, 0, 5, WINDOW)]
    assert list(entities_of_rows(TAGGER, rows)) == [tagged.entities for tagged in TAGGER.tag_entities(rows)]


def test_long_rows_have_every_entity_once() -> None:
    rows = [tuple(ROWS.choice(WORDS, size)) for size in (WINDOW + 1, 3, 4 * WINDOW)]
    whole = [tagged.entities for tagged in TAGGER.tag_entities(rows)]
    for found, expected in zip(entities_of_rows(TAGGER, rows), whole, strict=True):
        assert all(first.end <= second.start for first, second in pairwise(found))
        spans = {(entity.start, entity.end, entity.type) for entity in expected}
        same = sum((entity.start, entity.end, entity.type) in spans for entity in found)
        # What stands farther from a cut than the model remembers does not change; random weights forget soon.
        assert same >= 0.97 * len(expected)
        assert len(found) <= 1.03 * len(expected) + 1


def test_windows_overlap() -> None:
    assert 0 < STRIDE < WINDOW // 2

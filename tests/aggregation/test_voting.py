from collections import Counter

import pytest
from hypothesis import given

from tests.aggregation.test_source_labels import TYPES, Rows, rows
from trustag.aggregation.source_labels import encode_sources
from trustag.aggregation.voting import vote_shares


@given(rows())
def test_shares_are_those_of_the_sources_that_say_anything(sentences: Rows) -> None:
    sources = encode_sources(["a", "b", "c"], TYPES, sentences)
    shares = iter(vote_shares(sources).tolist())
    for labellings in sentences:
        for given_labels in zip(*labellings, strict=True):
            votes = Counter(label for label in given_labels if label is not None)
            total = votes.total() or len(sources.labels)
            expected = [votes[label] / total if votes else 1 / total for label in sources.labels]
            assert next(shares) == pytest.approx(expected)

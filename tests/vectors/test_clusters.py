"""Clusters of words become vectors that are as near as the clusters are in their tree."""

import gzip
import json
from itertools import takewhile

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trustag.vectors.clusters import from_clusters


def packed(clusters: dict[str, int]) -> bytes:
    return gzip.compress(json.dumps(clusters).encode())


def common_steps(first: int, second: int, depth: int) -> int:
    """Count the steps two leaves have in common, by the bits as text."""
    ways = (format(number, f"0{depth}b")[::-1] for number in (first, second))
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*ways, strict=True)))


@given(st.lists(st.integers(1, 300), min_size=1, max_size=12))
def test_the_product_of_two_words_is_the_number_of_steps_in_common(numbers: list[int]) -> None:
    table = from_clusters("made up", packed({f"word{place}": number for place, number in enumerate(numbers)}))
    depth = max(numbers).bit_length()
    expected = [[common_steps(first, second, depth) for second in numbers] for first in numbers]
    vectors = table.matrix[table.rows]
    np.testing.assert_allclose(vectors @ vectors.T, expected, rtol=1e-5, atol=1e-5)


def test_words_keep_their_order_and_those_in_no_cluster_are_left_out() -> None:
    table = from_clusters("made up", packed({"the": 6, ",": 0, "Rome": 3, "a": 6}))
    assert table.entries == ("the", "Rome", "a")
    assert table.rows[0] == table.rows[2] != table.rows[1]
    assert len(table.matrix) == 2

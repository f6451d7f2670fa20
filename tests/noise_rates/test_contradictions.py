"""Where a model contradicts given labels, against plain loops over every token and every threshold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.noise_rates.simulated import LABELS, Noise, simulate
from trustag.noise_rates.contradictions import find_contradictions


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 9)), min_size=2, max_size=12))
def test_the_parting_point_is_the_best_of_all_thresholds(tokens: list[tuple[bool, int]]) -> None:
    labels = np.array([int(positive) for positive, _ in tokens])
    if len(set(labels)) < 2:
        return
    entity = np.array([tenths / 10 for _, tenths in tokens])
    table = np.zeros((len(tokens), len(LABELS)))
    table[:, 0], table[:, 1] = 1 - entity, entity
    found = find_contradictions(labels, table, np.array([len(tokens)]), LABELS)

    def gap(marks: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> float:
        return float(marks[labels == 1].mean() - marks[labels == 0].mean())

    best = max(gap(entity > threshold) for threshold in entity)
    beyond = found.perhaps_entity
    thresholds = {tuple(entity > threshold) for threshold in entity if np.isclose(gap(entity > threshold), best)}
    assert tuple(beyond) in {tuple(found.seen | np.array(marks)) for marks in thresholds}


def test_marks_follow_their_definitions_token_by_token() -> None:
    data = simulate(Noise(forgotten=0.3, invented=0.05, flipped=(0.1, 0.0, 0.2)), sentences=60)
    labels, table = np.concatenate(data.given), np.concatenate(data.probabilities)
    found = find_contradictions(labels, table, np.array([len(row) for row in data.given]), LABELS)
    share = sum(label > 0 for label in labels) / len(labels)
    entity = [1 - row[0] for row in table]
    kinds = [[sum(row[1 + 4 * kind : 5 + 4 * kind]) / (1 - row[0]) for kind in range(3)] for row in table]
    seen = [place for place in range(len(labels)) if entity[place] > share]
    labelled = [place for place in seen if labels[place] > 0]
    own = {place: (labels[place] - 1) // 4 for place in labelled}
    probable = [place for place in labelled if entity[place] >= 0.5]

    def agreed_to(kind: int) -> list[list[float]]:
        """The shares of all types where one is given and agreed to."""
        return [kinds[place] for place in probable if own[place] == kind == int(np.argmax(kinds[place]))]

    def is_clear(shares: list[float], rival: int, given: int) -> bool:
        means = np.mean(agreed_to(rival), axis=0)
        return bool(shares[rival] >= means[rival] and shares[given] <= means[given])

    expected: dict[int, float] = {}
    for place in probable:
        given = own[place]
        for rival in {0, 1, 2} - {given}:
            if is_clear(kinds[place], rival, given):
                part = np.mean([is_clear(shares, rival, given) for shares in agreed_to(rival)])
                expected[place] = max(expected.get(place, 0.0), float(1 / part))
    assert np.flatnonzero(found.seen).tolist() == seen
    assert {place: found.type.contradicted[place] for place in np.flatnonzero(found.type.contradicted)} == (
        pytest.approx(expected)
    )
    assert len(expected) > 10
    clear = np.mean([entity[place] for place in labelled])
    assert np.flatnonzero(found.clearly_entity).tolist() == [place for place in seen if entity[place] >= clear]
    agreed = [entity[place] for place in range(len(labels)) if labels[place] == 0 and place not in set(seen)]
    assert np.flatnonzero(found.clearly_outside).tolist() == [
        place for place in range(len(labels)) if entity[place] <= np.mean(agreed)
    ]
    assert not found.type.contradicted[~found.type.decided].any()
    assert not found.position.contradicted[~found.position.decided].any()
    assert not (found.doubted & ~found.positive).any()

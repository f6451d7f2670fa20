"""Requests of all kinds to the door of a real review server, a few hundred of them."""

import asyncio
import random
from pathlib import Path

import pytest

from attack.door import served, storm, wrong_duels, wrong_statuses
from attack.door_requests import Door, shot
from tests.review.small_run import write_run
from trustag.review.decisions import DecisionLog
from trustag.review.reviewed_run import open_reviewed_run

DOOR = Door(8000, "token", ["one", "two"])


def test_shots_are_of_all_kinds_and_can_be_had_again() -> None:
    shots = [shot(DOOR, random.Random(seed)) for seed in range(600)]
    assert shots == [shot(DOOR, random.Random(seed)) for seed in range(600)]
    assert len({one.kind for one in shots}) == 11
    assert all(one.data for one in shots)


@pytest.mark.slow
def test_a_storm_at_a_real_door(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    with served(folder) as (_, door):
        reserved, free = list(door.issues[:2]), door.issues[2:]
        seen, duels = asyncio.run(storm(Door(door.port, door.token, free), reserved, 400, 1))
    reviewed = open_reviewed_run(folder)
    log = DecisionLog(reviewed.decisions, reviewed.fingerprint, reviewed.older_fingerprint)
    entries = list(log.entries())
    log.close()
    assert sum(seen.values()) == 401
    assert not wrong_statuses(seen)
    assert not wrong_duels(duels, entries)


def test_what_must_not_be_answered_is_noticed() -> None:
    statuses = {"a page: 500": 1, "a page: 200": 9, "a request without the right: 303": 2, "the page, at the end: 0": 1}
    assert len(wrong_statuses(statuses)) == 3
    assert wrong_duels({"one": (303, 303)}, []) == ["one: 303 and 303, 0 entries of the two"]

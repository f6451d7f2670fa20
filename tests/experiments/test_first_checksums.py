"""Settings of the first version in results: each checksum has one of today, and none is taken for another."""

import re

from benchmarks.systems import ABLATIONS, SYSTEMS
from trustag.experiments.first_checksums import FIRST_CHECKSUMS, todays_checksum


def test_a_checksum_of_the_first_version_is_none_of_today() -> None:
    assert not set(FIRST_CHECKSUMS) & {system.checksum() for system in (*SYSTEMS.values(), *ABLATIONS.values())}
    assert todays_checksum("of today") == "of today"


def test_no_two_settings_of_the_first_version_become_one() -> None:
    assert len(set(FIRST_CHECKSUMS.values())) == len(FIRST_CHECKSUMS)
    assert all(re.fullmatch("[0-9a-f]{12}", checksum) for pair in FIRST_CHECKSUMS.items() for checksum in pair)
    assert todays_checksum("89e311014a74") == "05e34b3e27fe"

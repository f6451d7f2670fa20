"""Where results come from."""

import re

from trustag.experiments.provenance import commit, machine, provenance


def test_provenance_names_commit_machine_versions_and_seed() -> None:
    facts = provenance(("numpy", "no-such-package"), seed=3)
    assert facts["seed"] == 3
    assert facts["machine"] == machine()
    versions = facts["versions"]
    assert isinstance(versions, dict)
    assert versions["numpy"]
    assert versions["no-such-package"] is None
    assert "seed" not in provenance()


def test_the_commit_is_a_hash_or_unknown() -> None:
    assert re.fullmatch(r"[0-9a-f]{40}|unknown", commit())

"""Settings, manifest and files: every value of the files is in the tables."""

import json
from pathlib import Path

from tests.reports.random_run import SENTENCES, tables
from tests.reports.written import FullRun
from trustag.reports.sections.settings_section import settings_section


def test_every_value_is_listed_under_its_full_name(tmp_path: Path) -> None:
    run = FullRun(SENTENCES).open(tmp_path / "run")
    settings, manifest, files = tables(settings_section(run))
    assert ["training.seed", "1"] in [list(row) for row in settings.rows]
    recorded = json.loads((run.path / "manifest.json").read_text())
    listed = {row[0]: row[1] for row in manifest.rows}
    assert listed["dev.f1"] == str(recorded["dev"]["f1"])
    assert listed["data.train"] == recorded["data"]["train"]
    assert {str(row[0]) for row in files.rows} == {
        path.name + "/" * path.is_dir() for path in run.path.iterdir() if not path.name.startswith(".")
    }

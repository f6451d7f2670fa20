"""The report of a run: all of its results, from the summary to the settings."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from trustag._version import __version__
from trustag.files.outputs import new_file
from trustag.reports.blocks import Missing, Page, PageSection
from trustag.reports.pictures import write_pictures
from trustag.reports.rendering import render
from trustag.reports.sections.calibration_section import calibration_section
from trustag.reports.sections.confusion_section import confusion_section
from trustag.reports.sections.data_map_section import data_map_section
from trustag.reports.sections.issues_section import effort_section, issues_section
from trustag.reports.sections.noise_section import noise_section
from trustag.reports.sections.rounds_section import rounds_section
from trustag.reports.sections.settings_section import settings_section
from trustag.reports.sections.summary_section import summary_section
from trustag.reports.sections.training_section import training_section
from trustag.reports.sections.words_section import words_section
from trustag.runs.folder import RunFolder
from trustag.runs.reading import RunFiles, open_runs

MADE_BY: Final = f"Trustag {__version__}"

SECTIONS: Final = (
    summary_section,
    noise_section,
    effort_section,
    issues_section,
    words_section,
    confusion_section,
    rounds_section,
    training_section,
    data_map_section,
    calibration_section,
    settings_section,
)


def run_report(run: RunFiles) -> Page:
    """Return the report of a run: a summary, and the details folded; where it has no data, the page says so."""
    subtitle = "Which labels to trust, which to review, and how the models performed."
    summary, *details = (section(run) for section in SECTIONS)
    folded = (replace(section, folded=True, digest=section.digest or _digest(section)) for section in details)
    return Page(f"Report of {run.name}", subtitle, [summary, *folded], MADE_BY)


def write_run_pictures(run: Path, folder: Path, *, overwrite: bool = False) -> int:
    """Write the charts of the report of a run into ``folder``, as SVG and as PNG, and return how many there are."""
    (files,) = open_runs([run])
    return write_pictures(run_report(files), folder, overwrite=overwrite)


def _digest(section: PageSection) -> str:
    return "not available" if all(isinstance(block, Missing) for block in section.blocks) else ""


def write_report(
    run: Path, target: Path | None = None, *, overwrite: bool = False, known: Mapping[str, object] | None = None
) -> Path:
    """Write the report of the run in a folder to ``target`` (default: ``report.html`` in there) and return its path.

    Contents of the run that are ``known`` already are not read again.
    """
    path = RunFolder(run).report if target is None else target
    (files,) = open_runs([run])
    page = render(run_report(files.knowing(**known or {})))
    with new_file(path, overwrite=overwrite) as stream:
        stream.write(page)
    return path

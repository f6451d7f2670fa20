"""Settings, manifest and files of a run."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from trustag.files.inputs import InputFile
from trustag.files.json_records import decode
from trustag.reports.blocks import PageSection, Paragraph, Table
from trustag.reports.number_format import count
from trustag.runs.reading import REMEDY, RunFiles
from trustag.text.sentences import Source


def settings_section(run: RunFiles) -> PageSection:
    """Return recipe, manifest and files as tables."""
    manifest = run.folder.manifest
    known = decode(InputFile(manifest).read_bytes(), dict[str, Any], Source(str(manifest), 1), remedy=REMEDY)
    recipe = [row for section, values in run.settings.items() for row in _flat(values, section)]
    files = [
        (path.name + ("/" if path.is_dir() else ""), "" if path.is_dir() else f"{count(path.stat().st_size)} bytes")
        for path in sorted(run.path.iterdir())
        if not path.name.startswith(".")
    ]
    return PageSection(
        "settings",
        "Settings and manifest",
        [
            Paragraph("Everything needed to reproduce the run, from recipe.toml and manifest.json."),
            Table("Settings", ("setting", "value"), recipe, prose=True),
            Table("Manifest", ("field", "value"), list(_flat(known)), prose=True),
            Table("Files of the run", ("file", "size"), files, prose=True),
        ],
    )


def _flat(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield every value with its full name."""
    for name, value in values.items():
        full = f"{before}.{name}" if before else name
        if isinstance(value, Mapping):
            yield from _flat(value, full)
        else:
            yield full, value if isinstance(value, str) else msgspec.json.encode(value).decode()

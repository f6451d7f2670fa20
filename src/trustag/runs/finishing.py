"""What a run keeps when it is finished: its results, and of the trainings that led to them how every epoch went."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trustag.errors import InputError
from trustag.files.outputs import link_or_copy, new_folder
from trustag.runs.folder import RunFolder, now, write_text


class FinishedRunError(InputError):
    """A run that is to be continued is complete, and no longer has the trainings that it consisted of."""

    def __init__(self, path: Path) -> None:
        super().__init__("is finished; nothing is left to do", where=path, remedy="start anew with --overwrite")


def finish(run: RunFolder, facts: Mapping[str, Any], *, keep_jobs: bool) -> None:
    """Add ``facts`` to the manifest, when the run ended and what came out, and remove what only led there."""
    manifest = json.loads(run.manifest.read_text(encoding="utf-8"))
    whole = {**manifest, "finished": now(), "keeps_jobs": keep_jobs, **facts}
    write_text(run.manifest, json.dumps(whole, indent=2))
    _clear(run, keep_jobs=keep_jobs)


def refuse_finished(run: RunFolder) -> None:
    """Refuse to continue a run that is complete; what the process that completed it had no time to remove goes."""
    manifest = json.loads(run.manifest.read_text(encoding="utf-8"))
    # Runs that keep their jobs, as all runs once did, are put together from them again.
    if manifest.get("finished") and not manifest.get("keeps_jobs", True):
        _clear(run, keep_jobs=False)
        raise FinishedRunError(run.path)


def _clear(run: RunFolder, *, keep_jobs: bool) -> None:
    for rest in (run.checkpoints, run.context):
        shutil.rmtree(rest, ignore_errors=True)
    if keep_jobs or not run.jobs.is_dir():
        return
    with new_folder(run.jobs, overwrite=True) as draft:
        for path in run.jobs.rglob(run.metrics.name):
            place = draft / path.relative_to(run.jobs)
            place.parent.mkdir(parents=True, exist_ok=True)
            link_or_copy(path, place)

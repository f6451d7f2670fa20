"""Label Studio as a user has it: the server, a project with a labelling interface, import, annotations, exports."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import quoteattr

import httpx

from benchmarks.annotation_servers import (
    HOST,
    SCORE_KEY,
    Entity,
    Task,
    asked,
    clean_environment,
    client_of,
    entities_of,
    free_port,
    read_json,
    running,
    sentence_of,
    wait_until_up,
)
from trustag.issues.exports import AGENT

_TOKEN: Final = "0123456789abcdef0123456789abcdef01234567"
_EXPORTS: Final = {
    "JSON": {"exportType": "JSON"},
    "JSON, all tasks": {"exportType": "JSON", "download_all_tasks": "true"},
    "JSON-MIN": {"exportType": "JSON_MIN"},
}
# Nothing of this is to leave the machine.
_SILENT: Final = {
    "COLLECT_ANALYTICS": "false",
    "LATEST_VERSION_CHECK": "false",
    "SENTRY_DSN": "",
    "FRONTEND_SENTRY_DSN": "",
}


class LabelStudio:
    """The tool, as :class:`benchmarks.annotation_servers.Tool` has it."""

    name = "Label Studio"
    package = "label-studio"
    form = "label-studio"
    requirements: Sequence[str] = ("label-studio",)

    def sent(self, path: Path) -> list[Task]:
        """Return the tasks of a file; each is to open with what the models suggest."""
        return [_task(record, AGENT) for record in read_json(path)]

    def plain_text(self, path: Path, text: str) -> None:
        """Write a task that has nothing but a text."""
        path.write_text(json.dumps([{"data": {"text": text}}]), encoding="utf-8")

    @contextmanager
    def project(self, programs: Path, data: Path, types: Sequence[str]) -> Iterator["_Session"]:
        """Start a server with a user of its own, who makes a project."""
        port, log = free_port(), data / "server.log"
        command = [str(programs / "label-studio"), "start", "--no-browser", "--data-dir", str(data)]
        command += ["--internal-host", HOST, "--port", str(port), "--enable-legacy-api-token"]
        command += ["--username", "annotator@example.com", "--password", "not-a-secret", "--user-token", _TOKEN]
        with (
            running(command, clean_environment(data, **_SILENT), log) as process,
            client_of(port, f"Token {_TOKEN}") as client,
        ):
            wait_until_up(client, "/api/version", process, log)
            made = {"title": "Doubtful labels", "label_config": interface(types)}
            yield _Session(client, asked(client, "POST", "/api/projects/", json=made).json()["id"])


def interface(types: Sequence[str]) -> str:
    """Return the labelling interface that the documentation shows, with these types."""
    labels = "".join(f"<Label value={quoteattr(kind)}/>" for kind in types)
    return f'<View><Labels name="label" toName="text">{labels}</Labels><Text name="text" value="$text"/></View>'


class _Session:
    """A project, as :class:`benchmarks.annotation_servers.Session` has it."""

    def __init__(self, client: httpx.Client, project: int) -> None:
        self.client = client
        self.project = project

    def import_file(self, path: Path) -> None:
        with path.open("rb") as stream:
            files = {"file": (path.name, stream, "application/json")}
            asked(self.client, "POST", f"/api/projects/{self.project}/import", files=files)

    def tasks(self) -> list[Task]:
        # The server shows annotators the predictions of one version, which it notes with the project.
        shown = asked(self.client, "GET", f"/api/projects/{self.project}/").json()["model_version"]
        wanted = {"project": self.project, "page_size": 1_000_000, "fields": "all"}
        found = asked(self.client, "GET", "/api/tasks/", params=wanted).json()["tasks"]
        return [_task(record, shown) for record in sorted(found, key=lambda record: int(record["id"]))]

    def submit(self, task: Task, entities: Sequence[Entity]) -> None:
        self._send(task, "annotations", {"result": _results(task.text, entities)})

    def begin(self, task: Task, entities: Sequence[Entity]) -> None:
        self._send(task, "drafts", {"result": _results(task.text, entities)})

    def skip(self, task: Task) -> None:
        self._send(task, "annotations", {"result": [], "was_cancelled": True})

    def exports(self, folder: Path) -> dict[str, Path]:
        written = {}
        for number, (name, options) in enumerate(_EXPORTS.items()):
            answer = asked(self.client, "GET", f"/api/projects/{self.project}/export", params=options)
            written[name] = folder / f"export-{number}.json"
            written[name].write_bytes(answer.content)
        return written

    def _send(self, task: Task, kind: str, body: Mapping[str, Any]) -> None:
        suffix = "/" if kind == "annotations" else ""
        asked(self.client, "POST", f"/api/tasks/{task.id}/{kind}{suffix}", json={"lead_time": 1.0, **body})


def _task(record: Mapping[str, Any], shown: str) -> Task:
    data, predictions = record["data"], {one["model_version"]: one for one in record.get("predictions", [])}
    readings = {version: _entities(one["result"]) for version, one in predictions.items()}
    scores = [predictions[version]["score"] for version in sorted(predictions)]
    return Task(
        id=record.get("id", 0),
        sentence=sentence_of(data),
        text=data["text"],
        opens_with=readings.get(shown, ()),
        given=readings.get("given", ()),
        scores=(*scores, data[SCORE_KEY]) if SCORE_KEY in data else (),
    )


def _entities(results: Sequence[Mapping[str, Any]]) -> tuple[Entity, ...]:
    values = [result["value"] for result in results]
    return entities_of([(value["start"], value["end"], *value["labels"]) for value in values])


def _results(text: str, entities: Sequence[Entity]) -> list[dict[str, Any]]:
    """Return entities as the page of the tool sends them."""
    return [
        {
            "id": f"mark{number}",
            "from_name": "label",
            "to_name": "text",
            "type": "labels",
            "origin": "manual",
            "value": {"start": start, "end": end, "text": text[start:end], "labels": [kind]},
        }
        for number, (start, end, kind) in enumerate(entities)
    ]

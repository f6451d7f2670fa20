"""doccano as a user has it: server and task queue, a project for sequence labelling, import, approval, export."""

import io
import json
import subprocess
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

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
    poll,
    running,
    sentence_of,
    wait_until_up,
)

_USER: Final = {"username": "annotator", "password": "not-a-secret"}
_GIVEN_KEY: Final = "trustag_given"
_PAGE: Final = 1_000
_PROJECT: Final = {
    "name": "Doubtful labels",
    "description": "Labels that look wrong",
    "project_type": "SequenceLabeling",
    "resourcetype": "SequenceLabelingProject",
    "collaborative_annotation": True,
}
_IMPORT: Final = {
    "format": "JSONL",
    "task": "SequenceLabeling",
    "column_data": "text",
    "column_label": "label",
    "encoding": "utf_8",
}


class Doccano:
    """The tool, as :class:`benchmarks.annotation_servers.Tool` has it."""

    name = "doccano"
    package = "doccano"
    form = "doccano"
    # It allows newer ones of these, but does not load with them.
    requirements: Sequence[str] = ("doccano", "marshmallow<4", "numpy<2", "setuptools<81")

    def sent(self, path: Path) -> list[Task]:
        """Return the tasks of a file; each is to open with what the models suggest."""
        records = [json.loads(line) for line in path.read_bytes().splitlines()]
        return [_task(0, record["text"], record, record["label"]) for record in records]

    def plain_text(self, path: Path, text: str) -> None:
        """Write a task that has nothing but a text."""
        path.write_text(json.dumps({"text": text, "label": []}) + "\n", encoding="utf-8")

    @contextmanager
    def project(self, programs: Path, data: Path, types: Sequence[str]) -> Iterator["_Session"]:
        """Start a server and the queue that imports and exports, with a user who makes a project."""
        port, log = free_port(), data / "server.log"
        environment = clean_environment(
            data,
            DOCCANO_HOME=str(data),
            STANDALONE="True",
            DJANGO_SETTINGS_MODULE="config.settings.production",
            DATABASE_URL=f"sqlite:///{data / 'db.sqlite3'}",
            MEDIA_ROOT=str(data / "media"),
        )
        doccano = str(programs / "doccano")
        user = [part for name, value in _USER.items() for part in (f"--{name}", value)]
        for command in (["init"], ["createuser", *user]):
            with log.open("ab") as stream:
                subprocess.run([doccano, *command], env=environment, stdout=stream, stderr=stream, check=True)
        # Its own command for this, `doccano webserver`, would let the whole network in.
        serve = [str(programs / "gunicorn"), "--bind", f"{HOST}:{port}", "--workers", "1", "config.wsgi"]
        (package,) = programs.parent.glob("lib/*/site-packages/backend")
        with ExitStack() as stack:
            server = stack.enter_context(running(serve, environment, log, package))
            stack.enter_context(running([doccano, "task", "--concurrency", "1"], environment, log))
            stranger = stack.enter_context(client_of(port))
            wait_until_up(stranger, "/", server, log)
            token = asked(stranger, "POST", "/v1/auth/login/", json=_USER).json()["key"]
            client = stack.enter_context(client_of(port, f"Token {token}"))
            project = asked(client, "POST", "/v1/projects", json=_PROJECT).json()["id"]
            yield _Session(client, project, types)


class _Session:
    """A project, as :class:`benchmarks.annotation_servers.Session` has it."""

    def __init__(self, client: httpx.Client, project: int, types: Sequence[str]) -> None:
        self.client = client
        self.path = f"/v1/projects/{project}"
        for kind in types:
            made = {"text": kind, "background_color": "#209cee", "text_color": "#ffffff"}
            asked(client, "POST", f"{self.path}/span-types", json=made)
        found = asked(client, "GET", f"{self.path}/span-types").json()
        self.types = {one["text"]: one["id"] for one in found}

    def import_file(self, path: Path) -> None:
        with path.open("rb") as stream:
            upload = asked(self.client, "POST", "/v1/fp/process/", files={"filepond": (path.name, stream)}).text
        begun = asked(self.client, "POST", f"{self.path}/upload", json={**_IMPORT, "uploadIds": [upload]}).json()
        for answer in poll(self.client, f"/v1/tasks/status/{begun['task_id']}"):
            state = answer.json()
            if state["ready"]:
                if state["error"] or state["result"]["error"]:
                    raise RuntimeError(f"{path.name} was not imported: {state}")
                return

    def tasks(self) -> list[Task]:
        found: list[Task] = []
        while True:
            page = {"limit": _PAGE, "offset": len(found)}
            answer = asked(self.client, "GET", f"{self.path}/examples", params=page).json()
            found += [self._task(example) for example in answer["results"]]
            if not answer["next"]:
                return found

    def _task(self, example: Mapping[str, Any]) -> Task:
        names = {number: kind for kind, number in self.types.items()}
        spans = asked(self.client, "GET", f"{self.path}/examples/{example['id']}/spans").json()
        marked = [(span["start_offset"], span["end_offset"], names[span["label"]]) for span in spans]
        return _task(example["id"], example["text"], example["meta"], marked)

    def submit(self, task: Task, entities: Sequence[Entity]) -> None:
        self.begin(task, entities)
        asked(self.client, "POST", f"{self.path}/examples/{task.id}/states", json={})

    def begin(self, task: Task, entities: Sequence[Entity]) -> None:
        if tuple(entities) == task.opens_with:
            return
        spans = f"{self.path}/examples/{task.id}/spans"
        asked(self.client, "DELETE", spans)
        for start, end, kind in entities:
            mark = {"start_offset": start, "end_offset": end, "label": self.types[kind]}
            asked(self.client, "POST", spans, json=mark)

    def skip(self, task: Task) -> None:
        """Do nothing: the tool has no such answer, a text that is not approved is skipped."""

    def exports(self, folder: Path) -> dict[str, Path]:
        begun = asked(
            self.client, "POST", f"{self.path}/download", json={"format": "JSONL", "exportApproved": True}
        ).json()
        target = folder / "export.jsonl"
        for answer in poll(self.client, f"{self.path}/download?taskId={begun['task_id']}"):
            if "json" not in answer.headers["content-type"]:
                with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
                    (name,) = packed.namelist()
                    target.write_bytes(packed.read(name))
                break
        return {"JSONL, approved texts only": target}


def _task(number: int, text: str, facts: Mapping[str, Any], opens_with: Sequence[Sequence[Any]]) -> Task:
    return Task(
        id=number,
        sentence=sentence_of(facts),
        text=text,
        opens_with=entities_of(opens_with),
        given=entities_of(facts.get(_GIVEN_KEY, [])),
        scores=(facts[SCORE_KEY],) if SCORE_KEY in facts else (),
    )

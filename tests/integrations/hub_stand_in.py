"""A stand-in for the Hugging Face hub on the loopback interface: repositories in memory, asked by the real library."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

_REPOSITORY = r"(?P<repository>[\w.-]+/[\w.-]+)"
_TOKEN = "hf_stand_in"


@dataclass
class HubContent:
    """What the hub holds: the files of each repository, and the requests that it got."""

    files: dict[str, dict[str, bytes]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def commit(self, repository: str) -> str:
        """Return the number of the present state."""
        return hashlib.sha1(repr(sorted(self.files[repository].items())).encode()).hexdigest()


class _Handler(BaseHTTPRequestHandler):
    content: HubContent

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.content.asked.append(f"POST {self.path}")
        if self.headers.get("Authorization") != f"Bearer {_TOKEN}":
            self._answer(401, {"error": "Invalid username or password."})
        elif self.path == "/api/repos/create":
            asked = json.loads(body)
            repository = f"{asked.get('organization') or 'me'}/{asked['name']}"
            self.content.files.setdefault(repository, {})
            self._answer(200, {"url": f"http://{self.headers['Host']}/{repository}", "id": repository})
        elif self.path == "/api/validate-yaml":
            self._answer(200, {"errors": [], "warnings": []})
        elif found := re.fullmatch(rf"/api/models/{_REPOSITORY}/preupload/main", self.path):
            files = [
                {"path": file["path"], "uploadMode": "regular", "shouldIgnore": False}
                for file in json.loads(body)["files"]
            ]
            self._answer(200, {"files": files})
        elif found := re.fullmatch(rf"/api/models/{_REPOSITORY}/commit/main", self.path):
            for line in body.splitlines():
                record = json.loads(line)
                if record["key"] == "file":
                    value = record["value"]
                    self.content.files[found["repository"]][value["path"]] = base64.b64decode(value["content"])
            commit = self.content.commit(found["repository"])
            url = f"http://{self.headers['Host']}/{found['repository']}/commit/{commit}"
            self._answer(200, {"commitUrl": url, "commitOid": commit, "success": True})
        else:
            self._answer(404, {"error": "unknown"})

    def do_GET(self) -> None:
        self._read()

    def do_HEAD(self) -> None:
        self._read()

    def _read(self) -> None:
        self.content.asked.append(f"{self.command} {self.path}")
        path = self.path.partition("?")[0]
        information = re.fullmatch(rf"/api/models/{_REPOSITORY}(/revision/[^/]+)?", path)
        tree = re.fullmatch(rf"/api/models/{_REPOSITORY}/tree/[^/]+", path)
        file = re.fullmatch(rf"/{_REPOSITORY}/resolve/[^/]+/(?P<file>.+)", path)
        found = information or tree or file
        files = self.content.files.get(found["repository"]) if found else None
        if found is None or files is None or (file and file["file"] not in files):
            self._answer(404, {"error": "Repository not found"}, {"X-Error-Code": "RepoNotFound"})
        elif information:
            names = [{"rfilename": name} for name in files]
            repository = found["repository"]
            commit = self.content.commit(repository)
            self._answer(200, {"id": repository, "modelId": repository, "sha": commit, "siblings": names, "tags": []})
        elif tree:
            entries = [{"type": "file", "path": name, "size": len(data), "oid": "0"} for name, data in files.items()]
            self._answer(200, entries)
        elif file:
            data = files[file["file"]]
            headers = {
                "ETag": f'"{hashlib.sha1(data).hexdigest()}"',
                "X-Repo-Commit": self.content.commit(found["repository"]),
            }
            self._send(200, data, headers)

    def _answer(self, status: int, value: object, headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(value).encode(), {"Content-Type": "application/json", **(headers or {})})

    def _send(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is that of the base class
        pass


@contextmanager
def hub() -> Iterator[tuple[str, str, HubContent]]:
    """Yield the address of a hub, a token for it, and what it holds."""
    content = HubContent()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"content": content}))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", _TOKEN, content
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

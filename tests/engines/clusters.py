"""A Ray cluster of two machines on the loopback interface, each with its own temporary and working folder.

As a module it is the process that owns such a cluster: it prints the address and the processes of the machines, and
stops everything when its standard input ends.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

# Ray takes the address of the network otherwise.
LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_USAGE_STATS_ENABLED": "0"}
_PATIENT = {"RAY_raylet_start_wait_time_s": "180"}
_STORE = 80_000_000


@dataclass(frozen=True)
class Machines:
    address: str
    raylets: tuple[int, int]
    """The process of the first machine, which also has the address, and of the second."""
    folders: tuple[Path, Path]


@contextmanager
def two_machines() -> Iterator[Machines]:
    """Have a cluster of two machines with a processor each run during the block."""
    with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        yield from _running(Path(folder))  # sockets need a short path


def _running(folder: Path) -> Iterator[Machines]:
    environment = {**os.environ, **LOOPBACK, **_PATIENT, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "tests.engines.clusters", str(folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        found = json.loads(next(line for line in process.stdout if line.startswith("{")))
        yield Machines(found["address"], tuple(found["raylets"]), (folder / "first", folder / "second"))


def _serve(folder: Path) -> None:
    from ray.cluster_utils import Cluster

    cluster = Cluster()
    raylets = []
    for name in ("first", "second"):
        place = folder / name
        (place / "tmp").mkdir(parents=True)
        os.environ["TMPDIR"] = str(place / "tmp")
        os.chdir(place)
        node = cluster.add_node(
            num_cpus=1, object_store_memory=_STORE, include_dashboard=False, node_ip_address="127.0.0.1"
        )
        (raylet,) = node.all_processes["raylet"]
        raylets.append(raylet.process.pid)
    print(json.dumps({"address": cluster.address, "raylets": raylets}), flush=True)  # noqa: T201 - whoever began this process reads it
    sys.stdout.close()
    sys.stdin.read()
    cluster.shutdown()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    _serve(Path(sys.argv[1]))

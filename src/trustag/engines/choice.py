"""Which engine a text such as ``local:2`` or ``ray:auto`` names; nothing is started before the engine is opened."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import parse_qsl

from trustag.engines import Engine
from trustag.errors import InputError

FORMS: Final = "local[:N]|ray[:ADDRESS]"
_REMEDY: Final = "choose local, local:2, ray, ray:HOST:6379 or ray:ray://HOST:10001"
_RESOURCES: Final = ("cpus", "gpus", "memory", "retries")


@dataclass(frozen=True, slots=True)
class Resources:
    """What a task on a cluster is given: processors, graphics cards, gigabytes of memory (None: not reserved).

    A task whose machine dies is begun again up to ``retries`` times.
    """

    cpus: float = 1
    gpus: float = 0
    memory: float | None = None
    retries: int = 5


DEFAULT_RESOURCES: Final = Resources()


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """An engine that can be opened: this machine with so many ``workers``, or the Ray cluster at ``address``."""

    kind: Literal["local", "ray"]
    workers: int = 1
    address: str = "auto"
    resources: Resources = DEFAULT_RESOURCES

    def open(self) -> Engine:
        """Return the engine, to be used in a ``with`` block."""
        if self.kind == "ray":
            from trustag.engines.ray_cluster import RayCluster  # noqa: PLC0415 - Ray takes seconds to load

            return RayCluster(self.address, self.resources)
        if self.workers == 1:
            from trustag.engines.in_process import InProcess  # noqa: PLC0415

            return InProcess()
        from trustag.engines.worker_processes import WorkerProcesses  # noqa: PLC0415

        return WorkerProcesses(self.workers)


def read_engine(text: str) -> EngineChoice:
    """Return the engine that ``text`` names: ``local`` has one worker per core, ``ray`` is the cluster that runs here.

    >>> read_engine("local:2").workers
    2
    >>> read_engine("ray:10.0.0.1:6379").address
    '10.0.0.1:6379'
    >>> read_engine("ray:auto?gpus=0.5&memory=4").resources
    Resources(cpus=1, gpus=0.5, memory=4.0, retries=5)
    """
    kind, _, rest = text.partition(":")
    if kind == "local":
        return EngineChoice("local", _workers(text, rest))
    if kind == "ray":
        address, _, query = rest.partition("?")
        return EngineChoice("ray", address=address or "auto", resources=_resources(text, query))
    raise InputError(f"no engine {text!r}", remedy=_REMEDY)


def _workers(text: str, number: str) -> int:
    if not number:
        return os.cpu_count() or 1
    if not number.isdecimal() or int(number) == 0:
        raise InputError(f"no engine {text!r}: {number!r} is no number of workers", remedy=_REMEDY)
    return int(number)


def _resources(text: str, query: str) -> Resources:
    try:
        given: Mapping[str, str] = dict(parse_qsl(query, strict_parsing=True)) if query else {}
        values = {name: int(value) if name == "retries" else float(value) for name, value in given.items()}
    except ValueError:
        values = {"": -1.0}
    if not values.keys() <= set(_RESOURCES) or not all(0 <= value < float("inf") for value in values.values()):
        remedy = f"write ?NAME=NUMBER&NAME=NUMBER with names out of {', '.join(_RESOURCES)}"
        raise InputError(f"no engine {text!r}: no resources {query!r}", remedy=remedy)
    return Resources(**values)  # type: ignore[arg-type] # only the number of retries is whole, and it is

"""What the texts of ``--engine`` name, and which are refused."""

import os

import pytest

from trustag.engines.choice import EngineChoice, Resources, read_engine
from trustag.engines.in_process import InProcess
from trustag.engines.worker_processes import WorkerProcesses
from trustag.errors import InputError


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("local", EngineChoice("local", os.cpu_count() or 1)),
        ("local:1", EngineChoice("local", 1)),
        ("local:12", EngineChoice("local", 12)),
        ("ray", EngineChoice("ray", address="auto")),
        ("ray:", EngineChoice("ray", address="auto")),
        ("ray:node-1:6379", EngineChoice("ray", address="node-1:6379")),
        ("ray:ray://node-1:10001", EngineChoice("ray", address="ray://node-1:10001")),
        ("ray:auto?cpus=2&memory=1.5", EngineChoice("ray", resources=Resources(cpus=2, memory=1.5))),
        ("ray:?gpus=0.25&retries=0", EngineChoice("ray", resources=Resources(gpus=0.25, retries=0))),
    ],
)
def test_texts_name_engines(text: str, choice: EngineChoice) -> None:
    assert read_engine(text) == choice


@pytest.mark.parametrize(
    "text",
    ["", "locale", "local:0", "local:-1", "local:two", "local:²", "spark:host", "ray:auto?disk=1", "ray:a?cpus",
     "ray:a?cpus=many", "ray:a?cpus=-1", "ray:a?cpus=inf", "ray:a?retries=1.5"],
)  # fmt: skip
def test_other_texts_are_refused_with_a_remedy(text: str) -> None:
    with pytest.raises(InputError, match=r"no engine .*; (choose|write) "):
        read_engine(text)


def test_local_engines_open_without_ray() -> None:
    with read_engine("local:1").open() as here:
        assert isinstance(here, InProcess)
    with read_engine("local:2").open() as workers:
        assert isinstance(workers, WorkerProcesses)
        assert workers.workers == 2

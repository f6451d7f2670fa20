"""The section of the results page on killed runs."""

from collections.abc import Iterator
from typing import Any

from benchmarks.markdown import table


def section(found: dict[str, Any]) -> Iterator[str]:
    """Yield how often runs were killed, where they then stood, and whether they ended like unbroken ones."""
    yield (
        f"Baseline: {found['kills']} times SIGKILL and {found['interrupts']} times Ctrl-C at drawn "
        f"moments, each followed by `--resume`; {found['damaged']} runs whose newest checkpoint was then damaged. "
        f"{_equal(found)}\n"
    )
    yield from table(["the kill found the run", "kills"], [list(row) for row in found["stood"].items()])
    method = found.get("method")
    if method is not None:
        yield (
            f"\nThe whole method, two rounds: {method['kills']} times SIGKILL, {method['worker_kills']} of them to a "
            f"worker process, and {method['interrupts']} times Ctrl-C; {method['half_written']} kills left a file half "
            f"written. {_equal(method)}\n"
        )
        yield from table(["the kill found the run in", "kills"], [list(row) for row in method["stood"].items()])


def _equal(found: dict[str, Any]) -> str:
    equal, broken = found["equal_runs"], found["broken_runs"]
    return (
        f"Files, labels and probabilities equal those of the unbroken run, byte for byte, in {equal} of {broken} runs."
    )

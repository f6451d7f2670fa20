"""The section of the results page on the way through real annotation servers and back."""

from collections.abc import Iterator
from typing import Any

from benchmarks.markdown import table


def section(found: dict[str, Any]) -> Iterator[str]:
    """Yield what arrived on the servers, what was answered there, and what came of it in the corpus."""
    versions = ", ".join(f"{name} {tool['version']}" for name, tool in found["tools"].items())
    yield (
        "The queue of doubtful labels goes to a real server, is answered there through its API, exported and put into "
        f"the corpus by `trustag apply`: {versions}. Prodigy is sold and was not at hand. A task arrived whole if its "
        "text, its given labels and its scores are those that were sent and it opens with the suggested labels. One "
        "text of every project is not from the run.\n"
    )
    yield from table(["tool", "queue", "tasks sent", "arrived", "arrived whole", "answers"], list(_arrivals(found)))
    yield "\nWhat was done with them. The last three decide nothing; to skip a text in doccano is to leave it alone:\n"
    kinds = list(next(_queues(found))[2]["annotations"])
    rows = [[tool, queue, *(one["annotations"].get(kind, 0) for kind in kinds)] for tool, queue, one in _queues(found)]
    yield from table(["tool", "queue", *kinds], rows)
    yield "\nThe corrected corpus beside the one that must come of these answers, label by label and byte by byte:\n"
    header = ["tool", "queue", "export", "answers read", "labels", "changed", "as expected", "not", "same bytes"]
    yield from table(header, list(_came_back(found)))


def _queues(found: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for tool, facts in found["tools"].items():
        for queue, one in facts["queues"].items():
            yield tool, queue, one


def _arrivals(found: dict[str, Any]) -> Iterator[list[Any]]:
    for tool, queue, one in _queues(found):
        yield [tool, queue, one["tasks_sent"], one["tasks_arrived"], one["arrived_whole"], one["answers"]]


def _came_back(found: dict[str, Any]) -> Iterator[list[Any]]:
    counts = ("answers_read", "labels", "labels_changed", "labels_as_expected", "labels_not_as_expected")
    for tool, queue, one in _queues(found):
        for export, came in one["exports"].items():
            equal = "yes" if came["bytes_are_equal"] else "no"
            yield [tool, queue, export, *(came.get(name, "refused") for name in counts), equal]

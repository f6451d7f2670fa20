"""What the results page says of the server of a model."""

from collections.abc import Iterator
from typing import Any

from benchmarks.markdown import table


def section(found: dict[str, Any]) -> Iterator[str]:
    """Yield speed, memory, overload and hostile requests."""
    yield (
        "`trustag serve` with one worker and 64 clients of wrk on the same machine; a small "
        "BiLSTM-CRF trained on the demo corpus. The share is of what one call of `predict` reads in one process, "
        "measured in turn with the server. A client of our own then compared every answer with the model's.\n"
    )
    heading = ["a request is", "requests", "errors", "texts a second", "in process", "share", "p50, ms", "p99, ms"]
    rows = [
        [
            one["shape"],
            f"{one['requests']:,}",
            str(one["errors"]),
            f"{one['served_texts_per_second']:,}",
            f"{one['in_process_texts_per_second']:,}",
            f"{one['share']:.0%}",
            f"{one['p50_ms']:,.0f}",
            f"{one['p99_ms']:,.0f}",
        ]
        for one in found["load"]
    ]
    yield from table(heading, rows)
    yield ""
    yield from _checked(found["load"])
    yield from _overload(found["overload"])
    yield from _hostile(found["hostile"])


def _checked(load: list[dict[str, Any]]) -> Iterator[str]:
    for one in load:
        first, last = one["megabytes"][0], one["megabytes"][-1]
        right = one["checked"]["answers"].get("right", 0)
        yield (
            f"- {one['shape'].capitalize()}: {right:,} of {one['checked']['requests']:,} checked answers were right. "
            f"Memory of server and worker: {first['server']:.0f} + {first['workers']:.0f} MB after 1,000 requests, "
            f"{last['server']:.0f} + {last['workers']:.0f} MB at the end."
        )


def _overload(found: dict[str, Any]) -> Iterator[str]:
    answers = found["answers"]
    other = sum(count for kind, count in answers.items() if kind not in {"right", "503"})
    unknown = found["requests"] - sum(answers.values())
    yield (
        f"- Overload: two workers that had just answered {found['capacity']:,.0f} requests of 16 sentences a second "
        f"were sent {found['rate']:,.0f} for {found['seconds']:.0f} seconds. A worker was killed every five seconds "
        f"({found['kills']} times), the model exchanged every ten ({found['reloads']} times). "
        f"{answers.get('right', 0):,} answers were right, {answers.get('503', 0):,} requests were refused with 503, "
        f"and {other:,} ended otherwise" + (f"; of {unknown:,} the client did not record the end." if unknown else ".")
    )


def _hostile(found: dict[str, Any]) -> Iterator[str]:
    first, last = found["megabytes"][0], found["megabytes"][-1]
    yield (
        f"- Hostile requests: {found['requests']:,}, of which {found['failed']:,} were answered with 500 or a "
        f"traceback, or not within two minutes; {found['worker_deaths']} workers died. Memory: "
        f"{first['server']:.0f} + {first['workers']:.0f} MB after the first twentieth, "
        f"{last['server']:.0f} + {last['workers']:.0f} MB at the end."
    )

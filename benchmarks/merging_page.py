"""What the results page says of merging several sources."""

from collections.abc import Iterator
from statistics import mean, stdev
from typing import Any

from benchmarks.markdown import table
from benchmarks.merging import SYSTEMS, TRAINED_ON

Found = dict[str, Any]


def section(found: Found) -> Iterator[str]:
    """Yield how good merged labels are, how near the estimates of annotators come, and what training makes of it."""
    yield (
        "Three annotators are simulated on gold labels: they miss entities, invent some, and err in types and "
        "boundaries, each by its own rates and independently of the others. The table shows the F1 of merged labels "
        "and, for each annotator, precision, recall and F1 as estimated without gold labels, and as they are.\n"
    )
    names = list(found["annotators"])
    heading = ["corpus", "merged by", "F1 of merged labels", *(f"{name}: estimated (true)" for name in names)]
    body = []
    for row in found["merged"]:
        sources = {one["name"]: one for one in row["sources"]}
        cells = [f"{_rates(sources[name]['estimated'])} ({_rates(sources[name]['measured'])})" for name in names]
        body.append([row["corpus"], row["rule"], f"{100 * row['f1']:.1f}", *cells])
    yield from table(heading, body)
    yield (
        f"\nA BiLSTM-CRF trained on the first {TRAINED_ON:,} merged sentences (`bilstm-crf`, recipe `fast`): test F1, "
        "means ± standard deviations over seeds.\n"
    )
    corpora = list(dict.fromkeys(row["corpus"] for row in found["trained"]))
    rows = [[system, *(_f1(found, corpus, system) for corpus in corpora)] for system in SYSTEMS]
    yield from table(["learned from", *corpora], rows)


def _rates(values: dict[str, float]) -> str:
    return " / ".join(f"{100 * values[name]:.1f}" for name in ("precision", "recall", "f1"))


def _f1(found: Found, corpus: str, system: str) -> str:
    own = [100 * row["test"] for row in found["trained"] if (row["corpus"], row["system"]) == (corpus, system)]
    if not own:
        return ""
    spread = f" ± {stdev(own):.2f}" if len(own) > 1 else ""
    return f"{mean(own):.2f}{spread} ({len(own)})"

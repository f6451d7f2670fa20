"""What the results page says of better encoders: layers, systems on distant labels, word vectors under the method."""

from collections.abc import Iterator, Sequence
from statistics import mean
from typing import Any, Final

from benchmarks.encoders import DISTANT, LAYERS, MEAN, MPNET, VECTORS, layer_system, vectors_corpus
from benchmarks.markdown import table

Found = dict[str, Any]
BASES: Final = {"method": "method", "labels as given": "plain", "gold labels": "gold labels"}
ENCODERS: Final = {
    "word vectors alone": "",
    "MiniLM": ", context",
    "MPNet-base": f", {MPNET}",
    "MPNet-base, mean of its two layers": MEAN,
}


def section(found: Found, scores: Found) -> Iterator[str]:
    """Yield what has been measured so far; runs without an encoder and with MiniLM are also among the ``scores``."""
    runs = [*found["runs"], *_others(found["runs"], scores["runs"])]
    yield (
        "Frozen features of encoders by name (`--context`), and subword tables beside word clusters. Entity F1 "
        "in points, dev / test, mean over the seeds; processor seconds of a run contain its features, also where these "
        "were kept from an earlier run. Empty cells have not been measured.\n"
    )
    yield from _contexts(runs)
    yield from _layers(found["runs"])
    yield from _vectors(found["runs"])


def _others(own: Sequence[Found], scores: Sequence[Found]) -> list[Found]:
    """Return the runs among the scores that have not been repeated here."""
    known = {(run["corpus"], run["system"]) for run in own}
    return [run for run in scores if (run["corpus"], run["system"]) not in known]


def _contexts(runs: Sequence[Found]) -> Iterator[str]:
    rows = []
    for corpus in DISTANT:
        for encoder, ending in ENCODERS.items():
            several = [_runs(runs, corpus, f"{base}{ending}") for base in BASES.values()]
            if several[0]:
                cost = f"{mean(run['cpu_seconds'] for run in several[0]):.0f}"
                rows.append([corpus, encoder, *map(_cell, several), cost])
    if rows:
        yield from table(["corpus", "encoder", *BASES, "CPU seconds of the method"], rows)
        yield ""


def _layers(runs: Sequence[Found]) -> Iterator[str]:
    corpora = [name for name in DISTANT if any(_runs(runs, name, layer_system(layers)) for layers in LAYERS)]
    if not corpora:
        return
    yield (
        f"Which layers of {MPNET}: dev F1 of the plain tagger on gold labels, and processor seconds. The test split is "
        "not shown, since dev chooses.\n"
    )
    rows = []
    for layers, settings in LAYERS.items():
        cells = [_runs(runs, corpus, layer_system(layers)) for corpus in corpora]
        if any(cells):
            figures = [f for own in cells for f in (_dev(own), _seconds(own))]
            rows.append([layers, " ".join(f"`{setting}`" for setting in settings), *figures])
    heading = [part for corpus in corpora for part in (corpus, "CPU seconds")]
    yield from table(["layers", "settings", *heading], rows)
    yield ""


def _vectors(runs: Sequence[Found]) -> Iterator[str]:
    rows = []
    for language, several in VECTORS.items():
        for vectors in several:
            own = {title: _runs(runs, vectors_corpus(language, vectors), base) for title, base in BASES.items()}
            if own["method"]:
                rows.append([language, f"`{vectors}`", *map(_cell, own.values()), _seconds(own["method"])])
    if rows:
        yield "Word vectors by name under artificial noise (recall 0.5, precision 0.9):\n"
        yield from table(["corpus", "vectors", *BASES, "CPU seconds of the method"], rows)
        yield ""


def _runs(runs: Sequence[Found], corpus: str, system: str) -> list[Found]:
    return [run for run in runs if (run["corpus"], run["system"]) == (corpus, system)]


def _cell(own: Sequence[Found]) -> str:
    if not own:
        return ""
    dev, test = (100 * mean(run[split]["f1"] for run in own) for split in ("dev", "test"))
    seeds = f" ({len(own)} seeds)" if len(own) > 1 else ""
    return f"{dev:.1f} / {test:.1f}{seeds}"


def _dev(own: Sequence[Found]) -> str:
    return f"{100 * mean(run['dev']['f1'] for run in own):.1f}" if own else ""


def _seconds(own: Sequence[Found]) -> str:
    return f"{mean(run['cpu_seconds'] for run in own):.0f}" if own else ""

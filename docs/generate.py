"""Write what the documentation takes from the code and from result files: pages, tables and pictures.

``PYTHONPATH=. python docs/generate.py`` writes it; with ``--check`` it only tells whether everything is up to date.
"""

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click
import import_graph

from benchmarks import (
    annotation_tools_page,
    attack_page,
    batch_page,
    calibration_page,
    cost_page,
    decoding_page,
    encoders_page,
    engines_page,
    epoch_page,
    export_page,
    form_decisions_page,
    issues_page,
    kills_page,
    labelling_page,
    merging_page,
    method_cost_page,
    noise_kinds_page,
    paper_page,
    passes_page,
    redesign_page,
    review_loop_page,
    review_page,
    scores_page,
    serving_page,
    trusted_page,
    vectors_page,
)
from benchmarks.markdown import goal_table, table
from trustag.cli import COMMANDS, LazyCommands, trustag
from trustag.files.formats import FileFormat
from trustag.files.registry import FORMATS, MODULES

DOCS = Path(__file__).parent
RESULTS = DOCS.parent / "results"
SCORES_MARKS = "<!-- scores, by docs/generate.py -->", "<!-- end of scores -->"
MADE = "<!-- Made by docs/generate.py; edit that, or what it reads. -->\n\n"

ROOM = {
    "tags": "labels as written",
    "gold": "gold",
    "unknown": "unknown",
    "gaps": "spacing",
    "document": "documents",
    "id": "ids",
    "columns": "columns",
    "token_sources": "sources",
    "comments": "comments",
    "empty": "empty sentences",
}

COMPLETION = """To complete commands and options with the tab key, add a line to the start file of your shell:

| shell | file | line |
|---|---|---|
| bash | `~/.bashrc` | `eval "$(_TRUSTAG_COMPLETE=bash_source trustag)"` |
| zsh | `~/.zshrc` | `eval "$(_TRUSTAG_COMPLETE=zsh_source trustag)"` |
| fish | `~/.config/fish/config.fish` | `_TRUSTAG_COMPLETE=fish_source trustag \\| source` |
"""

FORMATS_HEAD = """# Formats

`trustag convert IN OUT` converts between all of these formats. The input format is detected from the content of the
file, the output format from its name, or set with `--to`. Files may be gzipped, and may have a byte-order mark or CRLF
line ends. Encodings other than UTF-8 are declared with `--encoding`.

A line may have up to 256 MiB, and a gzipped file may unpack to 200 times its size, or to 256 MiB if that is more. Any
other file is refused: it is no text, or a bomb.

A corpus is a file, a folder with train, dev and test files (under any of their usual names), a folder of a format that
requires one, `demo`, or `-` for standard input. Add `:train`, `:dev` or `:test` to choose one split.

`trustag predict` also takes files without labels in all of these formats, and plain text. It detects what a file is,
and refuses a file that looks like a format and does not fit it; `--from` decides then. A file contains one labelling:
labels of several annotators have to be merged into one first.

## What each format can store

All formats store tokens and entities. The table shows what else a format can store; the rest is counted and reported.

"""

FORMATS_TAIL = """
## Raw text

doccano, Label Studio, Prodigy, brat and `entities` store spans of raw text, which is split into tokens by
`--tokenizer`:

| tokenizer | rule |
|---|---|
| `auto` | the tokens in the file, if there are any, else `characters` |
| `regex` | runs of word characters; every other visible character is a token |
| `characters` | as `regex`, but every character of Chinese, Japanese, Thai, Lao, Khmer and Burmese is a token |
| `whitespace` | the parts between whitespace |
| `spacy`, `spacy:NAME` | spaCy's blank tokenizer, or that of a language or pipeline: `spacy:zh` (extra `spacy`) |
| `package.module:NAME` | a function that returns the words of a text in order, such as `jieba:lcut` |

Every tokenizer is reversible: each visible character belongs to exactly one token, and the text between tokens is kept,
so offsets stay exact. A note says when texts are split into characters. Tag new texts with the tokenizer that the
training texts were split with.

A span that begins or ends inside a token splits it, which is reported. Tokens in the file are not split: spans whose
boundaries are not theirs, and overlapping and discontinuous spans, are dropped and listed with a reason; spans in a
file = spans kept + spans listed.
"""


def formats_page() -> str:
    """Return the page on file formats, from the registry of formats and the docstrings of their modules."""
    lines = ["| format | files | " + " | ".join(ROOM.values()) + " |", "|---|---|" + "---|" * len(ROOM)]
    for name, known in FORMATS.items():
        files = " ".join(f"`{suffix}`" for suffix in known.suffixes) if isinstance(known, FileFormat) else "a folder"
        marks = " | ".join("yes" if room in known.room else "" for room in ROOM)
        lines.append(f"| [`{name}`](#{name}) | {files} | {marks} |")
    sections = [f"\n## {module.FORMAT.name}\n\n{_as_markdown(module.__doc__ or '')}" for module in MODULES]
    return MADE + FORMATS_HEAD + "\n".join(lines) + "\n" + "\n".join(sections) + FORMATS_TAIL


def _as_markdown(docstring: str) -> str:
    return docstring.strip().replace("``", "`") + "\n"


def cli_page() -> str:
    """Return the page on the command line: the help of every command."""
    parts = ["# Command line\n", "```text", _help(trustag, "trustag"), "```\n", COMPLETION]
    for name, (target, summary) in COMMANDS.items():
        module, _, function = target.partition(":")
        command: click.Command = getattr(importlib.import_module(module), function)
        parts += [f"## trustag {name}\n", f"{summary}\n", "```text", _help(command, f"trustag {name}"), "```\n"]
        if isinstance(command, click.Group) and not isinstance(command, LazyCommands):
            for inner, subcommand in command.commands.items():
                parts += ["```text", _help(subcommand, f"trustag {name} {inner}"), "```\n"]
    return MADE + "\n".join(parts)


def _help(command: click.Command, path: str) -> str:
    context = click.Context(command, info_name=path, max_content_width=100, terminal_width=100)
    return command.get_help(context)


def results_page() -> str:
    """Return the page of measured results, each from the file its run wrote."""
    parts = [
        "# Results\n",
        "Every figure below comes from a file under `results/`, written by the command beside it.\n",
    ]
    for name, title, command, section in SECTIONS:
        path = RESULTS / f"{name}.json"
        if path.exists():
            found: dict[str, Any] = json.loads(path.read_text())
            parts += [
                f"## {title}\n",
                f"`{command}` → `results/{name}.json`. {_provenance(found)}\n",
                *section(found),
                "",
            ]
    return MADE + "\n".join(parts)


def _provenance(found: dict[str, Any]) -> str:
    machine = found.get("machine", {})
    cpu = machine.get("processor") or machine.get("cpu") or "unknown processor"
    return f"Commit `{str(found.get('commit', 'unknown'))[:12]}`, {cpu}."


def _readme() -> str:
    """Return the README with its table of scores as they were measured."""
    before, mark, rest = (DOCS.parent / "README.md").read_text().partition(SCORES_MARKS[0])
    _, end, after = rest.partition(SCORES_MARKS[1])
    scores = "\n".join(scores_page.headline(json.loads((RESULTS / "scores.json").read_text())))
    return f"{before}{mark}\n{scores}\n{end}{after}"


def _index_page() -> str:
    """Return the start page: the README with its links turned towards the documentation."""
    readme = (DOCS.parent / "README.md").read_text()
    turned = readme.replace("](docs/", "](").replace("](CHANGELOG.md)", "](changelog.md)")
    return MADE + turned.replace("](CONTRIBUTING.md)", "](contributing.md)")


def reading_section(found: dict[str, Any]) -> Iterator[str]:
    """Yield the speed of reading CoNLL text beside other readers."""
    yield "CPU time of reading English CoNLL text, all readers in one run; and of a text 50 times as large.\n"
    large = found["timings"].get("large", {})
    rows = [
        [name, f"{row['seconds']:.2f}", f"{large[name]['seconds']:.1f}" if name in large else "", row["ns_a_token"]]
        for name, row in found["timings"]["corpus"].items()
    ]
    yield from table(["reader", "seconds", "seconds, 50 times the text", "ns a token"], rows)
    yield ""
    yield from goal_table(found)


def corpora_section(found: dict[str, Any]) -> Iterator[str]:
    """Yield what was found on nine real corpora: counts, noise, round trips, perturbation."""
    yield "Counts and noise against the corpora's own description; every split into every format and back.\n"
    rows = []
    for name, corpus in found["corpora"].items():
        train = corpus["splits"]["train"]["found"]
        noise = corpus["noise"]["found"] if corpus["noise"] else None
        rates = " / ".join(f"{noise[key]:.3f}" for key in ("precision", "recall", "tau_p", "tau_n")) if noise else ""
        trips = corpus["round_trips"]
        draws = corpus["perturbed"]
        drawn = ", ".join(f"{draw['precision']:.3f} / {draw['recall']:.3f}" for draw in draws[:3])
        counts = f"{train['sentences']:,} / {train['tokens']:,} / {train['entities']:,}"
        rows.append([name, counts, rates, f"{sum(trip['passed'] for trip in trips)} of {len(trips)}", drawn])
    header = [
        "corpus",
        "train sentences / tokens / entities",
        "noise P / R / τp / τn",
        "round trips",
        "perturbed P / R",
    ]
    yield from table(header, rows)


def fuzz_section(found: dict[str, Any]) -> Iterator[str]:
    """Yield how many inputs each fuzz target tried and what came of it."""
    rows = [
        [row["target"], row["inputs"], row["edges"], row["seconds"], len(row["crashes"])] for row in found["targets"]
    ]
    yield from table(["target", "inputs", "edges covered", "seconds", "crashes"], rows)


def crf_section(found: dict[str, Any]) -> Iterator[str]:
    """Yield the speed of the chain beside other libraries."""
    yield f"One thread, {found['labels']} labels, CPU microseconds a token; least of interleaved turns.\n"
    rows = [
        [
            f"{row['sentences']}x{row['tokens']}",
            row["task"],
            row["library"],
            row["does"],
            f"{row['microseconds_per_token']:.2f}",
            row["times_ours"] or "",
        ]
        for row in found["measurements"]
    ]
    yield from table(["shape", "task", "library", "does", "µs a token", "times ours"], rows)


def epoch_section(found: dict[str, Any]) -> Iterator[str]:
    """Yield the speed of training beside a plain trainer and the peak of the core."""
    yield epoch_page.introduction(found)
    yield from table(*epoch_page.trainers(found))
    yield ""
    yield from goal_table(found)


def issues_section(found: dict[str, Any]) -> Iterator[str]:
    """Yield how well wrong labels are found, beside cleanlab and self-confidence."""
    yield issues_page.introduction(found)
    for level in ("tokens", "entities"):
        yield from table(*issues_page.rows(found, level))
        yield ""
    yield "What the curve of review promises (80 % of the estimated errors), and what it would have caught:\n"
    yield from table(*issues_page.review(found))
    yield (
        "\nHow many issues of each kind are errors, beside what their scores say in brackets; and what the gain for "
        "entities would be if somebody knew these shares, which no corpus gives away without gold:\n"
    )
    yield from table(*issues_page.kinds(found))
    yield ""
    yield from table(["measure", "found", "goal", ""], issues_page.goals(found))


def encoders_section(found: dict[str, Any]) -> Iterator[str]:
    """Yield what encoders and vectors by name give, beside the scores without them."""
    yield from encoders_page.section(found, json.loads((RESULTS / "scores.json").read_text()))


def redesign_section(found: dict[str, Any]) -> Iterator[str]:
    """Yield what changed with the redesign, from every result file that compares both versions."""
    names = ("same_behaviour", "version_cost", "transformer_recipe")
    known = {name: RESULTS / f"{name}.json" for name in names}
    yield from redesign_page.section(
        found, {name: json.loads(path.read_text()) for name, path in known.items() if path.exists()}
    )


def minilm_section(found: dict[str, Any]) -> Iterator[str]:
    """Yield what a real transformer reaches, variant by variant, and what was checked on the best."""
    yield "MiniLM (uncased, 6 layers) on the gold labels of Wikigold; recipe `transformer`, 3 epochs, one seed.\n"
    rows = [
        [
            name,
            " ".join(f"`{change}`" for change in one["changes"]),
            f"{100 * one['dev']['f1']:.2f}",
            one["cpu_seconds"],
        ]
        for name, one in found["variants"].items()
    ]
    yield from table(["features", "settings", "dev F1", "CPU seconds"], rows)
    if "test" in found:
        again, long, killed = found["reloaded"], found["long"], found["killed"]
        yield ""
        checks = [
            ["test F1 of the best by dev", f"{found['best']}: {100 * found['test']['f1']:.2f}"],
            ["two fresh processes say the same, byte for byte", "yes" if again["same_bytes"] else "no"],
            ["a fresh process scores what training scored", "yes" if again["same_score"] else "no"],
            [f"labels for a sentence of {long['tokens']:,} tokens", long["labels"]],
            ["killed in the second epoch and resumed, files that differ", len(killed["differing"])],
        ]
        yield from table(["check", "found"], checks)


def _plots() -> dict[str, Callable[[], str]]:
    """Return the pictures whose figures have been measured."""
    drawn = {"cost": cost_page, "review_loop": review_loop_page, "trusted": trusted_page}
    return {
        page.PLOT: partial(_plot, page.plot, RESULTS / f"{name}.json")
        for name, page in drawn.items()
        if (RESULTS / f"{name}.json").exists()
    }


def _plot(draw: Callable[[dict[str, Any]], str], result: Path) -> str:
    return draw(json.loads(result.read_text()))


SECTIONS: list[tuple[str, str, str, Callable[[dict[str, Any]], Iterator[str]]]] = [
    ("corpora", "Real corpora", "make acceptance", corpora_section),
    ("scores", "Scores on real corpora", "make scores", scores_page.section),
    ("issues", "Finding wrong labels", "make issues RUNS=FOLDER", issues_section),
    ("calibration", "Probabilities that mean something", "make issues RUNS=FOLDER", calibration_page.section),
    ("review_loop", "What review is worth", "make review-loop RUNS=FOLDER", review_loop_page.section),
    ("trusted", "What trusted sentences are worth", "make trusted", trusted_page.section),
    ("noise_kinds", "Kinds of noise, with and without dev", "make noise-kinds", noise_kinds_page.section),
    (
        "form_decisions",
        "What decisions on forms are worth",
        "make form-decisions RUNS=FOLDER",
        form_decisions_page.section,
    ),
    ("merging", "Several annotators", "make merging", merging_page.section),
    ("annotation_tools", "Through other tools and back", "make annotation-tools", annotation_tools_page.section),
    ("vectors", "Word vectors by name", "make vectors", vectors_page.section),
    ("encoders", "Better encoders", "make encoders", encoders_section),
    ("minilm", "A pretrained transformer", "make minilm", minilm_section),
    ("labelling", "Labels from lists and rules", "make labelling", labelling_page.section),
    ("kills", "Killed runs", "make kills", kills_page.section),
    ("attack", "Hostile tries", "make attack", attack_page.section),
    ("reading", "Reading speed", "make bench", reading_section),
    ("crf", "Speed of the chain", "make bench", crf_section),
    ("cost", "How costs grow", "make bench", cost_page.section),
    ("decoding", "Speed of tagging", "make bench", decoding_page.section),
    ("serving", "Speed of the server", "make serving", serving_page.section),
    ("batch", "Speed of batch jobs", "make batch MODEL=FOLDER", batch_page.section),
    ("export", "Exported models", "make export", export_page.section),
    ("epoch", "Speed of training", "make bench", epoch_section),
    ("engines", "Engines", "make bench", engines_page.section),
    ("method_cost", "Cost of the method", "make bench", method_cost_page.section),
    ("passes", "Fewer passes over the corpus", "make passes", passes_page.section),
    ("review", "Speed of the review page", "make bench", review_page.section),
    ("fuzz", "Fuzzing", "make fuzz", fuzz_section),
    ("redesign", "Before and after the redesign", "make versions BEFORE=CHECKOUT", redesign_section),
]

PAGES = {"formats.md": formats_page, "cli.md": cli_page, "results.md": results_page, "index.md": _index_page}


def main() -> None:
    """Write every page, or with ``--check`` exit with 1 when one is out of date."""
    stale = []
    for name, make in {
        "../README.md": _readme,
        **PAGES,
        **_plots(),
        "rooms.svg": import_graph.rooms_picture,
        "paper.md": lambda: paper_page.filled((DOCS / "paper.md").read_text()),
        "changelog.md": _copy("CHANGELOG.md"),
        "contributing.md": _copy("CONTRIBUTING.md"),
    }.items():
        path, text = DOCS / name, make()
        if not path.exists() or path.read_text() != text:
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(text)
    if stale and "--check" in sys.argv:
        sys.exit(f"out of date: {', '.join(stale)}; run: make docs")


def _copy(name: str) -> Callable[[], str]:
    return lambda: MADE + (DOCS.parent / name).read_text().replace("](docs/", "](")


if __name__ == "__main__":
    main()

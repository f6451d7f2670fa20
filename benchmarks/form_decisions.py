"""What decisions on forms are worth: the gold column answers as many of them in each order, then training is repeated.

``python -m benchmarks.form_decisions --data FOLDER --vectors FOLDER --keep FOLDER --output FILE`` trains once for each
corpus and seed, decides in every order, applies and trains again. Runs are kept, the result file is written after each
of them, and what it holds is not repeated. One key on a form is one decision; each exception that is marked is another.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from benchmarks.machine import origin, write_result
from examples.review_loop import Loop, Place, gold_of, trustag, whole_entities
from trustag.issues.filtering import in_order
from trustag.issues.forms import Form, Occurrence, find_forms
from trustag.issues.issue import Issue
from trustag.issues.listing import Issues
from trustag.issues.mixing import mixed
from trustag.review.form_decisions import place_decisions
from trustag.runs.issue_files import issues_of_run
from trustag.seeded_random import SeededRandom
from trustag.text.labels import OUTSIDE
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

CORPORA: Final = {
    "Webpage distant": "webpage_distant",
    "Wikigold distant": "wikigold_distant",
    "Tweet distant": "twitter_distant",
    "CoNLL distant": "conll03_distant",
}
VECTORS: Final = "english_100d.txt.gz"
ORDERS: Final = ("by form", "mixed", "least sure first", "random")
COUNTS: Final = (50, 100, 300)

Question: TypeAlias = Form | Issue | Place


def questions(order: str, found: Issues, seed: int) -> Iterable[Question]:
    """Return what a reviewer is asked in an order."""
    if order == "random":
        tokens = [(number, token) for number, one in enumerate(found.sentences) for token in range(len(one))]
        shuffled = SeededRandom(seed, "places to review").shuffled(tokens)
        return ((number, token, token + 1) for number, token in shuffled)
    if order == "least sure first":
        return in_order(found.issues, "unsure")
    forms = find_forms(found.sentences, found.issues)
    return forms if order == "by form" else mixed(forms, found.issues)


@dataclass
class GoldReviewer:
    """Answers questions by the gold column until so many decisions have been spent."""

    sentences: Sequence[Sentence]
    budget: int
    spent: int = 0
    depends: int = 0
    forms: int = 0
    lines: list[dict[str, Any]] = field(default_factory=list)
    decided: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))

    def review(self, asked: Iterable[Question]) -> None:
        """Answer until the budget is spent; what has been decided already is not asked again."""
        for question in asked:
            if self.spent >= self.budget:
                return
            if isinstance(question, Form):
                self._decide_form(question)
            elif isinstance(question, Issue):
                self._decide_place((question.sentence, question.first, question.end))
            else:
                self._decide_place(question)

    def _decide_place(self, asked: Place) -> None:
        number, first, end = whole_entities(self.sentences[asked[0]], asked)
        if set(range(*asked[1:])) <= self.decided[number]:
            return
        spans = read_spans(gold_of(self.sentences[number]))
        self._settle(number, first, end, [span for span in spans if span.start < end and span.end > first])
        self.spent += 1

    def _decide_form(self, form: Form) -> None:
        """Say what is right everywhere, marking exceptions if they are the smaller part; otherwise that it depends."""
        is_open = (one for one in form.occurrences if self.decided[one.sentence].isdisjoint(range(one.first, one.end)))
        right = {one: self._right_label(one) for one in is_open}
        known = Counter(label for label in right.values() if label is not None)
        if not right:
            return
        self.forms += 1
        label, count = max(known.items(), key=lambda item: item[1], default=("", 0))
        exceptions = len(right) - count
        if count <= exceptions or self.spent + 1 + exceptions > self.budget:
            self.spent += 1
            self.depends += 1
            return
        self.spent += 1 + exceptions
        for one in place_decisions(form, (place for place, own in right.items() if own == label), label):
            self._settle(one.sentence, one.first, one.end, one.spans)

    def _right_label(self, place: Occurrence) -> str | None:
        """Return the type that is right at a place, or ``O``; None where the right boundaries are others."""
        spans = read_spans(gold_of(self.sentences[place.sentence]))
        touching = [span for span in spans if span.start < place.end and span.end > place.first]
        if not touching:
            return OUTSIDE
        return touching[0].type if touching[0][:2] == (place.first, place.end) else None

    def _settle(self, number: int, first: int, end: int, spans: Iterable[Span]) -> None:
        given = [span for span in read_spans(self.sentences[number].labels) if span.start < end and span.end > first]
        right = list(spans)
        self.decided[number].update(range(first, end))
        record = {
            "issue": f"{number}-{first}-{end}",
            "verdict": "rejected" if given == right else "edited",
            "sentence": number,
            "first": first,
            "end": end,
            "spans": [{"start": span.start, "end": span.end, "label": span.type} for span in right],
            "reviewer": "gold",
            "in_force": True,
        }
        self.lines.append(record)


def decided(loop: Loop, order: str, count: int, seed: int) -> dict[str, Any]:
    """Return what so many decisions in an order settle, and the scores of training on the corrected corpus."""
    folder = loop.folder / f"seed-{seed}"
    found = issues_of_run(folder / "first")
    reviewer = GoldReviewer(found.sentences, count)
    reviewer.review(questions(order, found, seed))
    name = f"{order.replace(' ', '-')}-{count}"
    lines, corrected = folder / f"{name}.jsonl", folder / f"{name}.conll"
    lines.write_text("".join(json.dumps(line) + "\n" for line in reviewer.lines), encoding="utf-8")
    trustag("apply", str(folder / "first"), "-o", str(corrected), "--answers", str(lines), "--overwrite", "--quiet")
    manifest = loop.train(corrected, f"seed-{seed}/{name}", seed)
    return {
        "decisions": reviewer.spent,
        "forms": reviewer.forms,
        "depends": reviewer.depends,
        "labels": sum(line["end"] - line["first"] for line in reviewer.lines),
        "places": len(reviewer.lines),
        "wrong": sum(line["verdict"] == "edited" for line in reviewer.lines),
        "dev": manifest["dev"]["f1"],
        "test": manifest["test"]["f1"],
    }


def cells(chosen: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield every cell of the table by its name, without its figures."""
    for seed in range(1, chosen.seeds + 1):
        for corpus in chosen.corpora:
            yield {"corpus": corpus, "seed": seed, "order": "none", "asked": 0}
            for count in chosen.counts:
                yield from ({"corpus": corpus, "seed": seed, "order": order, "asked": count} for order in chosen.orders)


def measured(cell: dict[str, Any], chosen: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of a cell."""
    folder = CORPORA[cell["corpus"]]
    settings = ("--set", "method.rounds.baseline=false")
    loop = Loop(chosen.data / folder, ("--vectors", str(chosen.vectors / VECTORS)), settings, chosen.keep / folder)
    if cell["order"] != "none":
        return decided(loop, cell["order"], cell["asked"], cell["seed"])
    manifest = loop.train(loop.split("train"), f"seed-{cell['seed']}/first", cell["seed"])
    return {"decisions": 0, "dev": manifest["dev"]["f1"], "test": manifest["test"]["f1"]}


def main() -> None:
    """Make every run that is missing and write the result file after each."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--data", "--vectors", "--keep", "--output"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--corpora", nargs="*", default=list(CORPORA), choices=CORPORA)
    parser.add_argument("--orders", nargs="*", default=list(ORDERS), choices=ORDERS)
    parser.add_argument("--counts", nargs="*", type=int, default=list(COUNTS))
    chosen = parser.parse_args()
    if not chosen.data.is_dir():
        print(f"{chosen.data} is not there: skipped")
        return
    rows = json.loads(chosen.output.read_text(encoding="utf-8"))["rows"] if chosen.output.exists() else []
    for cell in cells(chosen):
        if not any(cell.items() <= row.items() for row in rows):
            rows.append(cell | measured(cell, chosen))
            write_result(chosen.output, {**origin(("torch", "numpy")), "rows": rows})
            print(json.dumps(rows[-1]), flush=True)


if __name__ == "__main__":
    main()

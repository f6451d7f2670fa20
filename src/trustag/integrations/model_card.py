"""Model cards: what a model learned from, how noisy that looked, how good and how sure the model is."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from trustag._version import __version__
from trustag.label_quality.reliability import reliability
from trustag.reports.noise_rate_texts import rate_caveats, source_text
from trustag.reports.number_format import count, figure, interval, percent
from trustag.runs.reading import RunFiles, open_runs
from trustag.runs.records import Score
from trustag.text.scoring import EntityScores

CARD: Final = "README.md"
_CITATION: Final = """```bibtex
@inproceedings{liu-etal-2021-noisy,
    title = "Noisy-Labeled {NER} with Confidence Estimation",
    author = "Liu, Kun and Fu, Yao and Tan, Chuanqi and Chen, Mosha and Zhang, Ningyu and Huang, Songfang
              and Gao, Sheng",
    booktitle = "Proceedings of NAACL-HLT 2021",
    year = "2021",
}
```"""


def model_card(
    name: str,
    types: Sequence[str],
    run: Path | None = None,
    *,
    license_name: str = "",
    scores: EntityScores | None = None,
) -> str:
    """Return the card of a model as Markdown, with the facts of its ``run`` where there is one.

    ``license_name`` is the licence of the model and its labels, which only its owner knows. ``scores`` are those on a
    corpus of the user's, type by type.
    """
    files = open_runs([run])[0] if run is not None else None
    sections = [_front_matter(license_name), f"# {_plain(name)}", *_what(types, files)]
    if files is not None:
        sections += [*_data(files), *_noise(files), *_calibration(files)]
    sections += [*_scores(files, scores), *_license(license_name), "## How to cite", _CITATION]
    return "\n\n".join(sections) + "\n"


def _front_matter(license_name: str) -> str:
    values: dict[str, object] = {
        "library_name": "trustag",
        "pipeline_tag": "token-classification",
        "tags": ["named-entity-recognition", "noisy-labels", "trustag"],
    }
    if license_name:
        values["license"] = license_name
    # JSON is YAML, and leaves no doubt about what is text.
    lines = [f"{key}: {msgspec.json.encode(value).decode()}" for key, value in values.items()]
    return "\n".join(["---", *lines, "---"])


def _what(types: Sequence[str], run: RunFiles | None) -> Iterator[str]:
    kinds = ", ".join(f"`{_plain(kind)}`" for kind in types)
    yield f"Finds entities of {count(len(types), 'type')} in text: {kinds}. Made with Trustag {__version__}."
    yield (
        '```python\nimport trustag\n\nmodel = trustag.from_hub("OWNER/NAME")\n'
        'print(model.predict("Ann Smith moved to New York."))\n```'
    )
    if run is not None:
        yield f"Method: {_plain(run.method)}." + (
            f" Kept model: {_plain(run.manifest.kept.name)} ({_plain(run.manifest.kept.reason)})."
            if run.manifest.kept
            else ""
        )


def _data(run: RunFiles) -> Iterator[str]:
    data = run.manifest.data
    yield "## Training data"
    rows = [("train", data.train), ("dev", data.dev), ("test", data.test)]
    yield _table(("split", "SHA-256 of its sentences"), [(name, f"`{sum_}`") for name, sum_ in rows if sum_])
    if run.given is not None:
        tokens = sum(map(len, run.given))
        yield f"{count(len(run.given), 'training sentence')} with {count(tokens, 'label')}."


def _noise(run: RunFiles) -> Iterator[str]:
    yield "## Label noise"
    rates = run.rates
    if rates is None:
        yield "The labels were taken as given; their noise was not estimated."
    else:
        rows = []
        for name, rate, found in (
            ("`O` labels that miss an entity", rates.negative, rates.negative_interval),
            ("entity labels that are wrong", rates.positive, rates.positive_interval),
        ):
            rows.append((name, percent(rate), interval(*found) if found else "not known"))
        rows += [(f"`{_plain(group)}` labels", percent(rate), "not known") for group, rate in rates.by_group.items()]
        ranges = [rates.negative_interval, rates.positive_interval]
        caveats = " ".join(rate_caveats(rates.source, ranges))
        yield f"The rates are {source_text(rates.source, rates.pairs)}. {caveats}".strip()
        yield _table(("labels", "assumed wrong", "range"), rows)
    facts = run.manifest.labels
    if facts is not None and facts.changed is not None:
        share = percent(facts.changed / max(1, facts.labels))
        yield f"{count(facts.changed, 'label')} of {facts.labels:,} were changed ({share})."
    if run.issues is not None:
        yield f"{count(len(run.issues), 'label issue')} were listed for review."


def _calibration(run: RunFiles) -> Iterator[str]:
    yield "## Calibration"
    columns = run.label_columns
    if columns is None or "suggested" not in columns or "suggested_score" not in columns:
        yield "Not measured: the run did not assess its labels."
        return
    known = columns["label"] >= 0
    found = reliability(columns["suggested_score"][known], (columns["suggested"] == columns["label"])[known])
    yield (
        f"Expected calibration error of held-out probabilities: {figure(found.error, 3)}, compared with the given "
        "labels, some of which are wrong."
    )


def _scores(run: RunFiles | None, scores: EntityScores | None) -> Iterator[str]:
    yield "## Scores"
    rows: list[tuple[str, ...]] = []
    if run is not None:
        for split, score in (("dev", run.manifest.dev), ("test", run.manifest.test)):
            if score is not None:
                rows.append((f"{split} of the run", *_row(score)))
    if scores is not None:
        rows += [
            (f"`{_plain(kind)}`", *(percent(part) for part in (own.precision, own.recall, own.f1)))
            for kind, own in [*scores.by_type.items(), ("all", scores.micro)]
        ]
    if rows:
        yield _table(("entities", "precision", "recall", "F1"), rows)
    if scores is None:
        yield "Scores of single types were not measured when this card was written."


def _row(score: Score) -> tuple[str, str, str]:
    return percent(score.precision), percent(score.recall), percent(score.f1)


def _license(license_name: str) -> Iterator[str]:
    yield "## Licence"
    yield (
        _plain(license_name)
        if license_name
        else "Not stated. The training data may restrict what the model is used for."
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _plain(text: str) -> str:
    """Return ``text`` without what Markdown or HTML would read as markup."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|#" else letter for letter in " ".join(text.split()))

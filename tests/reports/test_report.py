"""The report: its numbers are those of the run's files, counted again here, and what is missing is said."""

import json
import re
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.figures.written import WrittenRun, epoch
from tests.reports.written import FullRun, Judged, PageReader
from trustag.errors import InputError
from trustag.issues.issue import Issue
from trustag.reports.blocks import Figure, Gap, Lack, Section, Sentences, Shaded, Table
from trustag.reports.marking import marked_issue
from trustag.reports.rendering import render
from trustag.reports.run_report import SECTIONS, run_report, write_report
from trustag.reports.sections.confusion import confusion_section
from trustag.reports.sections.data_map import data_map_section
from trustag.reports.sections.issues import effort_section, issues_section
from trustag.reports.sections.noise import noise_section
from trustag.reports.sections.reliability import reliability_section
from trustag.reports.sections.words import PART, form_labels, words_section
from trustag.reports.sentences import TrainingSentence
from trustag.runs.reading import open_runs
from trustag.text.spans import Span

LABELS = ("O", "S-PER", "S-LOC")


def random_sentences(seed: int = 1, count: int = 40) -> list[list[Judged]]:
    rng = Random(seed)

    def token() -> Judged:
        given, believed, gold = (rng.choice(LABELS) for _ in range(3))
        numbers = {name: round(rng.random(), 4) for name in ("score", "suggested_score", "mean")}
        return Judged(
            rng.choice("abcdef"), given, believed, gold, rng.random() < 0.5, spread=rng.random() / 2, **numbers
        )

    return [[token() for _ in range(rng.randint(1, 6))] for _ in range(count)]


def random_issues(sentences: list[list[Judged]]) -> list[Issue]:
    issues = []
    for number, sentence in enumerate(sentences):
        token = sentence[0]
        if token.given != token.believed:
            given, suggested = (
                () if label in {"O", None} else (Span(0, 1, str(label)[2:]),) for label in (token.given, token.believed)
            )
            kind = "missed" if not given else "spurious" if not suggested else "type"
            issues.append(Issue(number, 0, 1, kind, given, suggested, 1 - token.score, token.score, 0.9))  # type: ignore[arg-type]
    return sorted(issues, key=lambda issue: -issue.score)


SENTENCES = random_sentences()
ISSUES = random_issues(SENTENCES)
TOKENS = [token for sentence in SENTENCES for token in sentence]


def tables(section: Section) -> list[Table]:
    found = [block for block in section.blocks if isinstance(block, Table)]
    return found + [table for block in section.blocks if isinstance(block, Figure) for table in block.tables]


def number(text: str) -> int:
    return int(text.replace(",", "").replace("·", "0"))


def test_every_section_is_there_and_the_page_is_sound(tmp_path: Path) -> None:
    path = write_report(FullRun(SENTENCES, ISSUES).write(tmp_path / "run"))
    assert path == tmp_path / "run" / "report.html"
    page = PageReader(path.read_bytes())
    assert page.open == []
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {attributes["href"] for tag, attributes in page.elements if tag == "a"}
    assert links <= {f"#{name}" for name in ids}
    assert page.count("section") == len(SECTIONS) == len(links) - 1
    assert (page.count("h1"), page.count("main"), page.count("nav")) == (1, 1, 1)
    assert page.count("svg") >= 8
    assert "Not here" not in page.text.replace("Not here: confidence in right and wrong labels, detection", "")


def test_the_summary_tells_what_the_files_say(tmp_path: Path) -> None:
    run = FullRun(SENTENCES, ISSUES).open(tmp_path / "run")
    text = PageReader(render(run_report(run))).text
    changed = sum(token.given != token.believed for token in TOKENS)
    negatives = sum(token.given == "O" for token in TOKENS)
    assert f"trained on 40 sentences with {len(TOKENS)} labels" in text
    assert f"Of the O labels 25.0 % (about {round(0.25 * negatives)}) look as if they hid an entity" in text
    assert f"The run changed {changed} labels" in text
    assert "On the test corpus the model reaches F1 74.67." in text
    assert "took 1 min 15 s" in text


def test_given_believed_and_gold_are_counted_as_one_would_by_hand(tmp_path: Path) -> None:
    section = confusion_section(FullRun(SENTENCES).open(tmp_path / "run"))
    (table,) = tables(section)
    pairs = Counter((token.given, token.believed) for token in TOKENS)
    right = Counter((token.given, token.believed) for token in TOKENS if token.believed == token.gold)
    shown = dict(zip(table.header[1:], ("O", "S-LOC", "S-PER"), strict=False))
    for row in table.rows:
        for name, cell in zip(table.header[1:-1], row[1:-1], strict=True):
            key = (shown[str(row[0])], shown[name])
            assert number(cell.text) == pairs[key]  # type: ignore[union-attr]
            if key[0] != key[1]:
                assert cell.note == f"{100 * right[key] / pairs[key]:.0f} % right"  # type: ignore[union-attr]


def test_the_data_map_counts_every_label_in_its_cell(tmp_path: Path) -> None:
    section = data_map_section(FullRun(SENTENCES).open(tmp_path / "run"))
    for name, table in zip(
        ("O", "PER", "LOC"), sorted(tables(section), key=lambda t: "OPL".index(t.caption[16])), strict=True
    ):
        own = [token for token in TOKENS if (token.given or "").removeprefix("S-") == name]
        means = np.array([token.mean for token in own], dtype=np.float32)
        spreads = np.array([token.spread for token in own], dtype=np.float32)
        expected, _, _ = np.histogram2d(means, spreads, bins=(np.arange(21) / 20, np.arange(11) / 20))
        found = {row[0]: [number(cell.text) for cell in row[1:]] for row in table.rows}  # type: ignore[union-attr]
        assert sum(map(sum, found.values())) == len(own)
        for place, line in enumerate(expected):
            told = found.get(f"{place / 20:.2f} to {(place + 1) / 20:.2f}", [0] * 10)
            assert told == line.astype(int).tolist()


def test_reliability_says_what_it_compares_with(tmp_path: Path) -> None:
    blind = [[Judged("a", "O", "S-PER"), Judged("b", "S-PER", "S-PER")]]
    for name, sentences, words in (
        ("gold", SENTENCES, "the gold column says"),
        ("blind", blind, "There is no gold column"),
    ):
        section = reliability_section(FullRun(sentences).open(tmp_path / name))
        assert words in str(section.blocks[0])
    groups = tables(section)[0].rows
    assert [list(row[:4]) for row in groups] == [
        ["PER", "2", "95.0 %", "50.0 %"],
        ["position S", "2", "95.0 %", "50.0 %"],
    ]


def test_noise_is_measured_beside_what_the_run_assumes(tmp_path: Path) -> None:
    section = noise_section(FullRun(SENTENCES, rates={"apart": {"S-PER": 0.4, "LOC": 0.3}}).open(tmp_path / "run"))
    rows = {str(row[0]): row for row in tables(section)[0].rows}
    for name, group in (
        ("O labels that hide an entity", [token for token in TOKENS if token.given == "O"]),
        ("entity labels that are wrong", [token for token in TOKENS if token.given != "O"]),
        ("S-PER", [token for token in TOKENS if token.given == "S-PER"]),
        ("LOC", [token for token in TOKENS if token.given == "S-LOC"]),
    ):
        wrong = sum(token.given != token.gold for token in group)
        assert number(str(rows[name][1])) == len(group)
        assert rows[name][5] == f"{100 * wrong / len(group):.1f} %"
    assert rows["O labels that hide an entity"][2:4] == ["25.0 %", "20.0 to 30.0 %"]


def test_review_effort_adds_up_the_scores_and_the_gold_column(tmp_path: Path) -> None:
    section = effort_section(FullRun(SENTENCES, ISSUES).open(tmp_path / "run"))
    total = sum(issue.score for issue in ISSUES)
    wrong = [SENTENCES[issue.sentence][0].given != SENTENCES[issue.sentence][0].gold for issue in ISSUES]
    for row in tables(section)[0].rows:
        looked_at = number(str(row[0]))
        assert row[1] == f"{100 * sum(issue.score for issue in ISSUES[:looked_at]) / total:.1f} %"
        assert row[2] == f"{100 * sum(wrong[:looked_at]) / sum(wrong):.1f} %"


def test_the_worst_issues_are_shown_and_the_others_counted(tmp_path: Path) -> None:
    many = [Judged("w", "O", "S-PER")] * 150
    issues = [
        Issue(0, place, place + 1, "missed", (), (Span(place, place + 1, "PER"),), 0.9, 0.1, 0.9)
        for place in range(150)
    ]
    section = issues_section(FullRun([many], issues).open(tmp_path / "run"))
    (shown,) = (block for block in section.blocks if isinstance(block, Sentences))
    assert len(shown.sentences) == 100
    assert any("The other 50 are in issues.jsonl." in str(block) for block in section.blocks)
    repeated = tables(section)[1].rows
    assert list(repeated[0]) == ["w", "no entity", "PER", "150", "0.90"]


def test_an_issue_that_fits_no_sentence_names_its_line(tmp_path: Path) -> None:
    issues = [ISSUES[0], Issue(0, 3, 99, "missed", (), (Span(3, 99, "PER"),), 0.9, 0.1, 0.9)]
    run = FullRun(SENTENCES, issues).open(tmp_path / "run")
    with pytest.raises(
        InputError, match=r"issues.jsonl:2: the issue 0-3-99 lies outside the training corpus; take both"
    ):
        run_report(run)


def test_a_line_that_is_no_issue_is_named(tmp_path: Path) -> None:
    path = FullRun(SENTENCES, ISSUES).write(tmp_path / "run")
    (path / "issues.jsonl").write_text('{"sentence": 0}\n')
    with pytest.raises(InputError, match=r"issues.jsonl:1: is no issue"):
        write_report(path)


def test_overlapping_readings_are_cut_where_marks_begin_and_end() -> None:
    sentence = TrainingSentence(
        ("on", "the", "New", "York", "Stock", "Exchange", "."), ("B-PER", "I-PER", "E-PER", *"OOOO")
    )
    issue = Issue(0, 0, 6, "boundary", (Span(0, 3, "PER"),), (Span(2, 6, "ORG"),), 0.9, 0.0, 1.0)
    found = marked_issue(issue, sentence)
    assert (
        "".join(found.heading)
        == "“on the New York Stock Exchange”: given PER “on the New”, suggested ORG “New York Stock Exchange”"
    )
    marks = [
        (
            part.text,
            part.above and (part.above.begins, part.above.ends),
            part.below and (part.below.begins, part.below.ends),
        )
        for part in found.parts
        if not isinstance(part, Gap)
    ]
    assert marks == [
        ("on the", (True, False), None),
        ("New", (False, True), (True, False)),
        ("York Stock Exchange", None, (False, True)),
        (".", None, None),
    ]
    shades = [(part.above and part.above.shade, part.below and part.below.shade) for part in found.parts[:3]]  # type: ignore[union-attr]
    assert shades == [(1, None), (1, 6), (None, 6)]


@pytest.mark.parametrize(("length", "first", "end"), [(200, 100, 101), (200, 20, 180), (5, 0, 5), (60, 59, 60)])
def test_no_token_of_a_long_sentence_is_lost_untold(length: int, first: int, end: int) -> None:
    sentence = TrainingSentence(tuple(f"w{place}" for place in range(length)), ("O",) * length)
    issue = Issue(0, first, end, "missed", (), (Span(first, end, "PER"),), 0.9, 0.0, 1.0)
    parts = marked_issue(issue, sentence).parts
    left_out = sum(part.tokens for part in parts if isinstance(part, Gap))
    words = [word for part in parts if not isinstance(part, Gap) for word in part.text.split()]
    assert len(words) + left_out == length
    assert words[0] == ("w0" if not isinstance(parts[0], Gap) else f"w{parts[0].tokens}")
    assert len(words) <= 75


def test_names_are_counted_wherever_they_stand() -> None:
    def sentence(words: str, *labels: str | None) -> TrainingSentence:
        return TrainingSentence(tuple(words.split()), labels)

    found = form_labels(
        [
            sentence("New York won", "B-LOC", "E-LOC", "O"),
            sentence("New York won", "B-ORG", "E-ORG", "O"),
            sentence("in New York", "O", "O", "O"),
            sentence("New York Times", "B-ORG", "I-ORG", "E-ORG"),
            sentence("New York", None, None),
            sentence("york New", "O", "O"),
        ]
    )
    assert found["New", "York"] == {"LOC": 1, "ORG": 1, "O": 1, PART: 1}
    assert found["New", "York", "Times"] == {"ORG": 1}
    assert set(found) == {("New", "York"), ("New", "York", "Times")}


def test_odd_labels_of_frequent_words_come_last(tmp_path: Path) -> None:
    common = [[Judged("the", "O", "O")] for _ in range(300)] + [[Judged("the", "S-PER", "O")] for _ in range(5)]
    mixed = [[Judged("Ajax", "S-ORG", "S-ORG")] for _ in range(4)] + [
        [Judged("Ajax", "S-PER", "S-ORG")] for _ in range(3)
    ]
    (table,) = tables(words_section(FullRun([*common, *mixed]).open(tmp_path / "run")))
    assert [list(row) for row in table.rows] == [
        ["Ajax", "7", "ORG 4, PER 3", "ORG 7"],
        ["the", "305", "O 300, PER 5", "O 305"],
    ]


def test_a_run_that_believes_every_label_has_a_report_that_says_so(tmp_path: Path) -> None:
    path = WrittenRun(recipe="[rounds]\ncount = 0\n", epochs=[epoch(0, 0.5), epoch(1, 0.6)]).write(tmp_path / "run")
    (path / "given.jsonl").write_text(json.dumps({"tokens": ["Ann", "slept"], "ner_tags": ["B-PER", "O"]}) + "\n")
    (run,) = open_runs([path])
    page = run_report(run)
    lacks = [
        block.text.split(":")[0] for section in page.sections for block in section.blocks if isinstance(block, Lack)
    ]
    assert lacks == [
        "results",
        "noise rates",
        "issues",
        "issues",
        "given and believed labels",
        "rounds",
        "the data map",
        "reliability",
    ]
    text = PageReader(render(page)).text
    assert "trained on 1 sentence with 2 labels, believing every label" in text
    assert "Every name has the same label wherever it stands." in text


def test_older_runs_without_dynamics_issues_or_given_corpus_are_shown(tmp_path: Path) -> None:
    path = WrittenRun(sentences=[], recipe="[rounds]\ncount = 1\n", folds=[[epoch(0, 0.5)]]).write(tmp_path / "run")
    text = PageReader(render(run_report(open_runs([path])[0]))).text
    assert "Not here: words: the run kept no training corpus" in text
    assert "Not here: keep ratios" in text


def test_many_types_are_taken_together_and_said(tmp_path: Path) -> None:
    sentences = [[Judged("w", f"S-T{place}", f"S-T{(place + 1) % 30}", f"S-T{place}")] for place in range(30)]
    section = confusion_section(FullRun(sentences).open(tmp_path / "run"))
    (table,) = tables(section)
    assert "12 rarest types are taken together" in str(section.blocks[0])
    cells = [cell for row in table.rows for cell in row if isinstance(cell, Shaded)]
    assert sum(number(cell.text) for cell in cells) == 30
    assert table.rows[-1][0] == "other types"


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    path = FullRun(SENTENCES, ISSUES).write(tmp_path / "run")
    (path / "report.html").write_text("precious")
    with pytest.raises(InputError, match=r"report.html: already exists; .*--overwrite"):
        write_report(path)
    assert (path / "report.html").read_text() == "precious"
    write_report(path, overwrite=True)
    first = (path / "report.html").read_bytes()
    assert re.match(rb"<!DOCTYPE html>", first)


def test_a_large_corpus_makes_no_large_page(tmp_path: Path) -> None:
    sentences = random_sentences(seed=2, count=4000)
    for place, token in enumerate(token for sentence in sentences for token in sentence):
        token.text = f"{token.text}{place % 3000}" + "x" * (place % 90)
    path = write_report(FullRun(sentences, random_issues(sentences)).write(tmp_path / "run"))
    assert path.stat().st_size < 1_000_000

"""Names with several labels, counted wherever they stand."""

from pathlib import Path

from tests.reports.random_run import tables
from tests.reports.written import FullRun, Judged
from trustag.reports.sections.words import PART, form_labels, words_section
from trustag.reports.sentences import TrainingSentence


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

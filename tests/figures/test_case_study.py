"""The case study: verdicts that agree with the run's own detection counts, and sentences that show what they say."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.figures.written import FINE, ONE_OF_EACH, Token, WrittenRun, labelled, opened
from trustag.errors import InputError
from trustag.figures.case_study import KINDS, case_study
from trustag.runs.reading import NothingToDrawError


@pytest.mark.slow
def test_verdicts_agree_with_the_detection_of_the_run(real_run: Path) -> None:
    detection = json.loads((real_run / "manifest.json").read_text())["labels"]["detection"].values()
    correct, found, support = (sum(group[key] for group in detection) for key in ("correct", "found", "support"))
    verdicts = case_study(opened(real_run)).verdicts
    assert verdicts["found"] == correct > 0
    assert verdicts["false alarm"] == found - correct
    assert verdicts["missed"] == support - correct
    assert verdicts["doubted"] == 0


def test_a_sentence_is_shown_for_each_kind_of_case(tmp_path: Path) -> None:
    study = case_study(WrittenRun(sentences=ONE_OF_EACH).open(tmp_path / "run"))
    shown = {case.shows: case.sentence for case in study.cases}
    assert shown == dict(zip(KINDS[:7], range(1, 8), strict=True))
    assert [token.verdict for token in study.cases[-1].tokens] == ["fine", "fine", "doubted"]
    assert study.verdicts == {"fine": 5, "found": 5, "false alarm": 1, "missed": 1, "doubted": 1}


def test_the_clearest_short_sentence_comes_first(tmp_path: Path) -> None:
    hidden = Token("Ann", "O", "S-PER", "S-PER", trusted=False)
    missed = Token("Rome", "O", "O", "S-LOC")
    sentences = [[hidden] * 31, [hidden, hidden, missed], [hidden, hidden], [hidden, hidden]]
    study = case_study(WrittenRun(sentences=sentences).open(tmp_path / "run"))
    assert {case.shows: case.sentence for case in study.cases} == {KINDS[0]: 2, KINDS[5]: 1}


def test_without_gold_doubts_are_shown_as_such(tmp_path: Path) -> None:
    sentences = [[Token("Ann", "O", "S-PER", trusted=False)], [Token("x", "S-PER", "O", trusted=False)]]
    study = case_study(WrittenRun(sentences=sentences).open(tmp_path / "run"))
    assert [case.shows for case in study.cases] == ["distrusted O labels", "distrusted entity labels"]
    assert not study.has_gold
    assert "no gold column" in study.lacking[0]


def test_sentences_can_be_chosen(tmp_path: Path) -> None:
    run = WrittenRun(sentences=ONE_OF_EACH).open(tmp_path / "run")
    study = case_study(run, [3, 0])
    assert [(case.sentence, case.shows) for case in study.cases] == [(3, ""), (0, "")]
    with pytest.raises(InputError, match="there is no sentence 8; choose from 0 to 7"):
        case_study(run, [8])
    with pytest.raises(InputError, match="21 sentences are too many for a figure; choose at most 20"):
        case_study(run, [0] * 21)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (WrittenRun(), "the run did not assess its labels"),
        (WrittenRun(sentences=[[FINE]]), "no label is distrusted"),
    ],
)
def test_nothing_to_draw_is_explained(tmp_path: Path, written: WrittenRun, reason: str) -> None:
    with pytest.raises(NothingToDrawError, match=reason):
        case_study(written.open(tmp_path / "run"))


def test_broken_corpora_name_file_and_line(tmp_path: Path) -> None:
    path = WrittenRun(sentences=labelled(0.5)).write(tmp_path / "run")
    corpus = path / "relabelled.jsonl"
    corpus.write_text(corpus.read_text().replace('["Ann"]', "[7]", 1))
    with pytest.raises(InputError, match="relabelled.jsonl:1: "):
        case_study(opened(path))


def test_tables_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    path = WrittenRun(sentences=labelled(0.5, 4)).write(tmp_path / "run")
    table = dict(np.load(path / "confidence.npz"))

    def refused(finding: str, **changes: object) -> None:
        kept = {name: column for name, column in {**table, **changes}.items() if column is not None}
        np.savez(path / "confidence.npz", **kept)
        with pytest.raises(InputError, match=f"confidence.npz: {finding}"):
            case_study(opened(path))

    refused("does not hold the sentences of relabelled.jsonl", sentence=np.array([0, 1, 1, 2]))
    refused("label number 9 of 9 labels", label=np.array([0, 0, 0, 9]))
    refused("the column 'score' is not as it should be", score=np.ones(3))
    refused("the column 'trusted' is not as it should be", trusted=np.ones(4))
    refused(r"cannot be read \(.*score", score=None)
    refused("cannot be read .*allow_pickle", names=np.array(["O", None], dtype=object))
    (path / "confidence.npz").write_bytes(b"PK\x03\x04 half an archive")
    with pytest.raises(InputError, match="confidence.npz: cannot be read"):
        case_study(opened(path))

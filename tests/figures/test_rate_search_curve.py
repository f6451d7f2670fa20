"""The noise-rate search: each rate with its dev F1, the rates chosen, and the true ones where gold tells."""

import json
from pathlib import Path

import pytest

from tests.figures.written import FULL_SEARCH, SEPARATE_SEARCH, Token, WrittenRun, labelled, opened, read_lines
from tests.training.small import small_corpus
from trustag.figures.rate_search_curve import rate_search_curve
from trustag.runs.reading import NothingToDrawError
from trustag.runs.records import RatesRecord


def test_a_separate_search_varies_one_rate_after_the_other(tmp_path: Path) -> None:
    search = rate_search_curve(WrittenRun(search=SEPARATE_SEARCH, rates=(0.1, 0.1)).open(tmp_path / "run"))
    assert [(point.rate, point.dev_f1) for point in search.negative] == [(0.0, 0.5), (0.1, 0.7), (0.2, 0.6)]
    assert [(point.rate, point.dev_f1) for point in search.positive] == [(0.0, 0.7), (0.1, 0.8), (0.2, 0.1)]
    assert search.chosen == RatesRecord(0.1, 0.1)
    assert search.undoubting == 0.5


def test_a_full_search_keeps_the_best_over_the_other_rate(tmp_path: Path) -> None:
    recipe = '[rates]\nsource = "searched"\nsearch = "full"\n'
    search = rate_search_curve(WrittenRun(search=FULL_SEARCH, recipe=recipe).open(tmp_path / "run"))
    assert [(point.rate, point.dev_f1) for point in search.negative] == [(0.0, 0.6), (0.1, 0.9)]
    assert [(point.rate, point.dev_f1) for point in search.positive] == [(0.0, 0.9), (0.1, 0.6)]


def test_an_interrupted_search_has_its_first_half(tmp_path: Path) -> None:
    search = rate_search_curve(WrittenRun(search=SEPARATE_SEARCH[1:3]).open(tmp_path / "run"))
    assert len(search.negative) == 2
    assert search.positive == ()
    assert (search.chosen, search.measured, search.undoubting) == (None, None, None)
    assert len(search.lacking) == 2


def test_a_search_of_one_rate_has_one_point_a_rate(tmp_path: Path) -> None:
    search = rate_search_curve(WrittenRun(search=[(0.1, 0.0, 0.4), (0.1, 0.1, 0.6)]).open(tmp_path / "run"))
    assert [point.dev_f1 for point in (*search.negative, *search.positive)] == [0.4, 0.6]


def test_true_rates_are_counted_on_gold(tmp_path: Path) -> None:
    sentences = [*labelled(0.75, 4), [Token("x", "O", "O", "O"), Token("y", "S-LOC", "O", "O")]]
    search = rate_search_curve(WrittenRun(search=SEPARATE_SEARCH, sentences=sentences).open(tmp_path / "run"))
    assert search.measured == RatesRecord(1 / 2, 1 / 4)


@pytest.mark.slow
def test_a_real_search_is_what_the_run_wrote(real_run: Path) -> None:
    search = rate_search_curve(opened(real_run))
    written = read_lines(real_run / "search.jsonl")
    assert len(search.negative) == len(search.positive) == len(written) / 2 == 2
    assert [point.dev_f1 for point in (*search.negative, *search.positive)] == [line["dev_f1"] for line in written]
    rates = json.loads((real_run / "rates.json").read_text())
    assert search.chosen == RatesRecord(rates["negative"], rates["positive"])
    hidden = negatives = 0
    for sentence in small_corpus().train:
        for label, gold in zip(sentence.labels, sentence.gold or (), strict=True):
            negatives += label == "O"
            hidden += label == "O" != gold
    assert search.measured is not None
    assert search.measured.negative == pytest.approx(hidden / negatives)


def test_without_a_search_there_is_nothing(tmp_path: Path) -> None:
    with pytest.raises(NothingToDrawError, match=r"no noise-rate search \(method.rates.source is oracle\)"):
        rate_search_curve(WrittenRun(recipe='[rates]\nsource = "oracle"\n').open(tmp_path / "run"))
    with pytest.raises(NothingToDrawError, match="the noise-rate search is not complete"):
        rate_search_curve(WrittenRun(recipe='[rates]\nsource = "searched"\n').open(tmp_path / "begun"))

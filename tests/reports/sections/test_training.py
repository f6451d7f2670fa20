"""How the models learnt: keep ratios are means over models, tables hold every epoch, what lacks is said."""

from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.figures.written import WrittenRun, epoch
from tests.reports.random_run import SENTENCES, tables
from tests.reports.written import FullRun
from trustag.reports.blocks import Lack
from trustag.reports.sections.training import keep_ratios, training_section
from trustag.runs.records import Epoch

MODELS = st.lists(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=4), min_size=1, max_size=3)


def recorded(negative: float, positive: float) -> Epoch:
    return Epoch(epoch=0, facts={"distrusted_negative": negative, "distrusted_positive": positive})


@given(MODELS)
def test_keep_ratios_are_means_over_the_epochs_that_all_models_have(models: list[list[tuple[float, float]]]) -> None:
    found = keep_ratios([[recorded(*pair) for pair in model] for model in models])
    shortest = min(map(len, models))
    expected = [[1 - fmean(model[place][group] for model in models) for place in range(shortest)] for group in (0, 1)]
    assert [pytest.approx(values) for values in found.values()] == (expected if shortest else [])


def test_a_model_that_recorded_nothing_leaves_no_ratio() -> None:
    assert keep_ratios([[recorded(0.1, 0.2)], [Epoch(epoch=0)]]) == {}
    assert keep_ratios([]) == {}


def test_every_epoch_of_folds_and_of_the_kept_model_has_its_row(tmp_path: Path) -> None:
    found = tables(training_section(FullRun(SENTENCES).open(tmp_path / "run")))
    assert all([row[0] for row in table.rows] == ["1", "2"] for table in found)
    ratios = next(table for table in found if "trusted" in table.caption)
    assert [list(row[1:]) for row in ratios.rows] == [["100.00 %", "100.00 %"], ["90.00 %", "80.00 %"]]
    kept = found[-1]
    assert [list(row[1:]) for row in kept.rows] == [["2.0000", "50.00"], ["1.0000", "80.00"]]


def test_a_run_that_doubts_nothing_shows_the_kept_model_alone(tmp_path: Path) -> None:
    believing = "[rounds]\ncount = 0\n"
    run = WrittenRun(recipe=believing, epochs=[epoch(0, None), epoch(1, None)]).open(tmp_path / "run")
    (table,) = tables(training_section(run))
    assert [list(row) for row in table.rows] == [["1", "1.0000", ""], ["2", "1.0000", ""]]
    none = training_section(WrittenRun(recipe=believing).open(tmp_path / "none"))
    assert [type(block) for block in none.blocks] == [Lack]

"""All figures of some runs at once: which are drawn, which are not and why, and that files are written as a whole."""

import json
from pathlib import Path

import pytest

from tests.figures.written import Token, WrittenRun, epoch, labelled
from trustag.errors import InputError
from trustag.figures.catalogue import FIGURES, draw_figures, write_figures
from trustag.runs.reading import open_runs

DRAWN = ["training-dynamics", "rate-search", "self-training", "case-study"]


@pytest.mark.slow
def test_a_real_run_has_all_but_noise_levels(real_run: Path, tmp_path: Path) -> None:
    figures = draw_figures(open_runs([real_run]), list(FIGURES), "svg")
    assert [figure.stem for figure in figures.drawn] == DRAWN
    assert figures.not_drawn == (("noise-levels", "runs at two or more noise levels are needed"),)
    paths = write_figures(figures, tmp_path / "new" / "pictures")
    assert sorted(path.name for path in paths) == sorted(f"{stem}.{end}" for stem in DRAWN for end in ("svg", "json"))
    assert sorted(paths) == sorted((tmp_path / "new" / "pictures").iterdir())


@pytest.mark.slow
def test_numbers_are_those_of_the_run(real_run: Path) -> None:
    figures = draw_figures(open_runs([real_run]), ["self-training"], "png")
    (rounds,) = json.loads(figures.drawn[0].numbers)
    written = [json.loads(line) for line in (real_run / "rounds.jsonl").read_text().splitlines()]
    assert [entry["changed"] for entry in rounds["rounds"]] == [line["changed"] for line in written]


def test_several_runs_have_a_picture_each_or_one_together(tmp_path: Path) -> None:
    folds = [[epoch(0, 0.5)]]
    first = WrittenRun(folds=folds, search=[(0, 0, 0.5)]).write(tmp_path / "a" / "run")
    second = WrittenRun(folds=folds, search=[(0, 0, 0.5)]).write(tmp_path / "b" / "run")
    third = WrittenRun(recipe='[rates]\nsource = "oracle"\n').write(tmp_path / "c")
    again = tmp_path / "a" / ".." / "a" / "run"
    figures = draw_figures(open_runs([first, second, third, again]), ["training-dynamics", "rate-search"], "svg")
    assert [figure.stem for figure in figures.drawn] == [
        "training-dynamics-run",
        "training-dynamics-run-2",
        "rate-search",
    ]
    assert [stem for stem, _ in figures.not_drawn] == ["training-dynamics-c"]
    assert figures.drawn[-1].lacking == (
        "c: no noise-rate search (method.rates.source is oracle)",
        "run, run-2: true noise rates: no gold column, or the run is not finished",
    )


def test_characters_the_font_lacks_are_said(tmp_path: Path) -> None:
    run = WrittenRun(sentences=[[Token("東京", "O", "S-LOC", "S-LOC", trusted=False)]]).open(tmp_path / "run")
    assert "some characters" in draw_figures([run], ["case-study"], "png").drawn[0].lacking[0]
    assert draw_figures([run], ["case-study"], "svg").drawn[0].lacking == ()


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    run = WrittenRun(sentences=labelled(0.5), folds=[[epoch(0, 0.5)]]).open(tmp_path / "run")
    figures = draw_figures([run], list(FIGURES), "svg")
    target = tmp_path / "pictures"
    target.mkdir()
    (target / "case-study.json").write_text("precious")
    (target / "other.txt").write_text("precious")
    with pytest.raises(InputError, match=r"case-study.json: already exists; .*--overwrite"):
        write_figures(figures, target)
    assert sorted(path.name for path in target.iterdir()) == ["case-study.json", "other.txt"]
    write_figures(figures, target, overwrite=True)
    assert (target / "other.txt").read_text() == "precious"
    assert json.loads((target / "case-study.json").read_text())["has_gold"]


def test_a_file_is_no_folder_to_write_into(tmp_path: Path) -> None:
    run = WrittenRun(folds=[[epoch(0, 0.5)]]).open(tmp_path / "run")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file: cannot be created"):
        write_figures(draw_figures([run], list(FIGURES), "svg"), tmp_path / "file")


def test_a_folder_without_a_manifest_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no run: it holds no manifest.json; name a folder of trustag train"):
        open_runs([tmp_path])


@pytest.mark.parametrize(
    ("name", "text", "finding"),
    [
        ("search.jsonl", '\n{"negative": 0.1, "positive"', "search.jsonl:2: JSON is malformed"),
        ("rates.json", '{"negative": 0.1,\n"positive": x}', "rates.json:2: JSON is malformed"),
        ("recipe.toml", '[rates]\nsource = "searched\n', "recipe.toml:2: is not valid TOML"),
        ("recipe.toml", "[rates]\nsource = 1\n", r"recipe.toml: .*`\$.method.rates.source`"),
        ("manifest.json", "{}", "manifest.json:1: .*missing required field `data`"),
    ],
)
def test_broken_files_name_file_and_line(tmp_path: Path, name: str, text: str, finding: str) -> None:
    path = WrittenRun(search=[(0, 0, 0.5)], rates=(0.1, 0.1), sentences=labelled(0.5)).write(tmp_path / "run")
    (path / name).write_text(text)
    with pytest.raises(InputError, match=finding):
        draw_figures(open_runs([path]), list(FIGURES), "svg")

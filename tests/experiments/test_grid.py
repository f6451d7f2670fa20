"""Grids are read and checked; shipped ones name what there is."""

from pathlib import Path
from textwrap import dedent

import pytest

from trustag.errors import InputError
from trustag.experiments.experiment import Cell
from trustag.experiments.grid import Chosen, read_grid, shipped_grids
from trustag.methods.table import METHODS, choose_method
from trustag.vectors.advice import advised

GRID = """
    seeds = [1, 2]
    settings = ["training.epochs=1"]

    [corpora.one]
    data = "corpus"
    vectors = "own.txt"
    noise = { recall = 0.5, precision = 0.9 }

    [corpora.two]
    data = "demo"
    seeds = [1, 5, 6]

    [methods.plain]
    method = "bilstm-crf"
    published = { one = 61 }

    [methods."gold labels"]
    method = "bilstm-crf"
    gold_labels = true
    corpora = ["two"]

    [[orderings]]
    text = "gold is better"
    better = "gold labels"
    worse = "plain"
    on = ["two"]
"""


def write(folder: Path, text: str) -> str:
    path = folder / "grid.toml"
    path.write_text(dedent(text))
    return str(path)


def test_a_grid_says_which_cells_there_are(tmp_path: Path) -> None:
    experiment = read_grid(write(tmp_path, GRID)).experiment()
    assert experiment.cells() == [
        Cell("one", "plain", 1),
        Cell("two", "plain", 1),
        Cell("two", "gold labels", 1),
        Cell("one", "plain", 2),
        Cell("two", "plain", 5),
        Cell("two", "gold labels", 5),
        Cell("two", "plain", 6),
        Cell("two", "gold labels", 6),
    ]
    assert experiment.systems["plain"].resolved().training.epochs == 1


def test_a_part_can_be_chosen(tmp_path: Path) -> None:
    grid = read_grid(write(tmp_path, GRID))
    assert grid.experiment(chosen=Chosen(["two"], ["plain"], [9])).cells() == [Cell("two", "plain", 9)]
    with pytest.raises(InputError, match="no method called 'plane'; there are: plain, gold labels"):
        grid.experiment(chosen=Chosen(methods=["plane"]))


def test_files_are_looked_for_in_the_given_folders_and_beside_the_grid(tmp_path: Path) -> None:
    (tmp_path / "data" / "corpus").mkdir(parents=True)
    (tmp_path / "own.txt").write_text("a 1\n")
    corpus = read_grid(write(tmp_path, GRID)).experiment(tmp_path / "data", tmp_path / "nothing").corpora["one"]
    assert corpus.name == str(tmp_path / "data" / "corpus")
    assert corpus.vectors == str(tmp_path / "own.txt")
    assert corpus.perturbation is not None
    assert (corpus.perturbation.recall, corpus.perturbation.precision, corpus.perturbation.seed) == (0.5, 0.9, 1)


def test_files_of_methods_beside_the_grid_are_found(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("")
    text = GRID.replace('"bilstm-crf"', '"mine:METHOD"', 1)
    assert read_grid(write(tmp_path, text)).modules() == [tmp_path.resolve() / "mine.py"]


@pytest.mark.parametrize(
    ("wrong", "right", "message"),
    [
        ("seeds = [1, 2]", 'seeds = "1"', "seeds: .*tuple"),
        ('data = "demo"', 'date = "demo"', r"corpora\.two\.(data|date): "),
        ('corpora = ["two"]', 'corpora = ["tow"]', "no corpus called 'tow'; there are: one, two"),
        ('worse = "plain"', 'worse = "plane"', "no method called 'plane'"),
        ("[corpora.one]", '[corpora."a/b"]', "names of folders"),
        ("seeds = [1, 2]", "seeds = [1, 2", "not valid TOML"),
    ],
)
def test_a_mistake_is_named_with_the_file(tmp_path: Path, wrong: str, right: str, message: str) -> None:
    assert wrong in GRID
    with pytest.raises(InputError, match=rf"grid\.toml: {message}|grid\.toml: .*{message}"):
        read_grid(write(tmp_path, GRID.replace(wrong, right)))


def test_an_unknown_grid_is_told_the_known_ones() -> None:
    with pytest.raises(InputError, match="no grid called 'table' .*smoke, table-1, variants"):
        read_grid("table")


@pytest.mark.parametrize("name", shipped_grids())
def test_shipped_grids_have_sound_recipes(name: str) -> None:
    for row, system in read_grid(name).experiment().systems.items():
        if system.method in METHODS:
            assert choose_method(system.resolved()).name == system.method, row


def test_smoke_has_every_method() -> None:
    assert {row.method for row in read_grid("smoke").values.methods.values()} == set(METHODS)


def test_the_table_has_the_sixteen_rows_of_the_paper_with_its_figures() -> None:
    values = read_grid("table-1").values
    numbered = {row.row: row for row in values.methods.values() if row.row}
    assert list(numbered) == [str(number) for number in range(1, 17)]
    assert len(values.corpora) == 8
    assert {number: len(row.published) for number, row in numbered.items()} == {
        **dict.fromkeys(("1", "2", "5", "6", "10", "11", "14"), 8),
        **dict.fromkeys(("3", "4", "7", "8", "9", "12", "13", "15", "16"), 4),
    }
    assert list(values.corpora["Webpage distant"].seeds) == [1, 2, 3, 4, 5]


def test_the_advised_vectors_of_grids_are_those_of_today() -> None:
    codes = {"english": "en", "spanish": "es", "german": "de", "dutch": "nl"}
    for name in ("table-1", "variants"):
        for corpus in read_grid(name).values.corpora.values():
            assert corpus.advised_vectors == advised(codes[corpus.language])

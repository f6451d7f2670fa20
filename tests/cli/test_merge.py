import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

from tests.aggregation.simulated import ANNA, BEN, CARLA, clean_sentences
from trustag.cli import main
from trustag.corpora.conversion import write_corpus
from trustag.corpora.locating import stream
from trustag.files.formats import WriteOptions
from trustag.files.registry import find_format
from trustag.noise.perturbation import perturb
from trustag.notes import unwatched
from trustag.text.labels import Label
from trustag.text.sentences import Sentence

CROWD = """sentence,token,anna,ben,carla
1,Ann,B-PER,B-PER,O
1,slept,O,O,O
2,Rome,B-LOC,,B-LOC
"""
TASK = {
    "id": 4,
    "data": {"text": "Ann saw New York"},
    "annotations": [
        {
            "id": 1,
            "completed_by": 7,
            "result": [{"type": "labels", "value": {"start": 0, "end": 3, "labels": ["PER"]}}],
        },
        {
            "id": 2,
            "completed_by": {"id": 8, "email": "ben@example.org"},
            "result": [{"type": "labels", "value": {"start": 8, "end": 16, "labels": ["LOC"]}}],
        },
        {"id": 3, "completed_by": 9, "was_cancelled": True, "result": []},
    ],
}


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Runner: TypeAlias = Callable[..., Outcome]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runner:
    monkeypatch.chdir(tmp_path)

    def call(*args: str) -> Outcome:
        with pytest.raises(SystemExit) as stopped:
            main(["merge", *args])
        captured = capsys.readouterr()
        return Outcome(int(stopped.value.code or 0), captured.out, captured.err)

    return call


def write_annotators(count: int = 150) -> None:
    for name, noise in {"anna": ANNA, "ben": BEN, "carla": CARLA}.items():
        noisy = perturb(clean_sentences(count), noise).sentences
        splits = {"train": noisy}
        target = Path(f"{name}.conll")
        write_corpus(splits, target, find_format("conll"), WriteOptions(), overwrite=False, watch=unwatched)


def labels_in(name: str) -> list[tuple[Label, ...]]:
    return [sentence.labels for sentence in stream(name)]


def test_files_of_annotators_become_one_corpus(run: Runner) -> None:
    write_annotators()
    done = run("anna.conll", "ben.conll", "late.c=carla.conll", "-o", "merged.jsonl")
    assert done.code == 0, done.err
    assert "3 sources -> merged.jsonl (by hmm)" in done.out
    assert "late.c" in done.out
    merged = list(stream("merged.jsonl"))
    assert [sentence.tokens for sentence in merged] == [sentence.tokens for sentence in stream("anna.conll")]
    assert set(merged[0].columns) == {"anna", "ben", "late.c", "label_probabilities"}


def test_the_summary_comes_as_json(run: Runner) -> None:
    write_annotators()
    done = run("anna.conll", "ben.conll", "carla.conll", "-o", "merged.jsonl", "--json", "--by", "vote")
    values = json.loads(done.out)
    assert values["rule"] == "vote"
    assert [source["name"] for source in values["sources"]] == ["anna", "ben", "carla"]
    assert values["sources"][0]["measured"]["f1"] > values["sources"][2]["measured"]["f1"]
    assert len(values["pairs"]) == 3


def test_columns_of_a_table_are_sources(run: Runner) -> None:
    Path("crowd.csv").write_text(CROWD)
    done = run("crowd.csv", "-o", "merged.jsonl", "--by", "vote")
    assert done.code == 0, done.err
    assert "the columns of labels are anna, ben, carla" in done.err
    assert labels_in("merged.jsonl") == [("B-PER", "O"), ("B-LOC",)]


def test_columns_without_names_are_sources_too(run: Runner) -> None:
    Path("crowd.conll").write_text("Ann B-PER B-PER O\nslept O O O\n\n")
    assert run("crowd.conll", "-o", "merged.jsonl", "--by", "vote").code == 0
    assert labels_in("merged.jsonl") == [("B-PER", "O")]


def test_several_annotations_of_a_task_are_kept_apart(run: Runner) -> None:
    Path("tasks.json").write_text(json.dumps([TASK]))
    done = run("tasks.json", "-o", "merged.jsonl", "--by", "vote")
    assert done.code == 0, done.err
    assert "cancelled annotation" in done.err
    (sentence,) = stream("merged.jsonl")
    assert sentence.columns["annotator-7"] == ("B-PER", "O", "O", "O")
    assert sentence.columns["ben@example.org"] == ("O", "O", "B-LOC", "I-LOC")
    assert sentence.labels == (None, "O", None, None)


@pytest.mark.parametrize(
    ("args", "finding"),
    [
        (("anna.conll", "-o", "x.jsonl"), "only one source: label"),
        (("anna.conll", "anna.conll", "-o", "x.jsonl"), "'anna' stands for two files"),
        (("anna.conll", "b+c=ben.conll", "-o", "x.jsonl"), "'b+c' is no name of a source"),
        (("anna.conll", "ben.conll", "--annotators", "a,b", "-o", "x.jsonl"), "--annotators names columns of one file"),
        (("anna.conll", "nobody.conll", "-o", "x.jsonl"), "no such file or folder"),
        (("anna.conll", "ben.conll", "-o", "ben.conll"), "exists"),
    ],
)
def test_what_cannot_be_merged_is_one_line_and_writes_nothing(run: Runner, args: tuple[str, ...], finding: str) -> None:
    write_annotators(3)
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    done = run(*args)
    assert done.code == 2
    assert finding in done.err.splitlines()[-1]
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


def test_an_empty_column_of_unknown_labels_stays_unknown(run: Runner) -> None:
    rows = [Sentence(("Ann", "slept"), (None, None))] * 2
    for name in ("a", "b"):
        target, kind = Path(f"{name}.jsonl"), find_format("jsonl")
        write_corpus({"train": rows}, target, kind, WriteOptions(), overwrite=False, watch=unwatched)
    done = run("a.jsonl", "b.jsonl", "-o", "x.jsonl")
    assert done.code == 2
    assert "no source has an entity" in done.err

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest
from seqeval.metrics import precision_score, recall_score

from trustag.cli import main
from trustag.corpora.demo import demo_corpus
from trustag.corpora.locating import read_corpus, stream

GOLD = """Ann B-PER
Lee I-PER
saw O
Rome B-LOC
. O

Bo B-PER
left O
Oslo B-LOC
in O
May O
. O

Acme B-ORG
hired O
Ann B-PER
Lee I-PER
. O

"""
DEV = "Kim B-PER\nslept O\n\n"


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Runner: TypeAlias = Callable[..., Outcome]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runner:
    monkeypatch.chdir(tmp_path)
    Path("gold.conll").write_text(GOLD)
    Path("corpus").mkdir()
    for split, text in {"train": GOLD, "dev": DEV, "test": DEV.replace("Kim", "Lou")}.items():
        Path(f"corpus/{split}.conll").write_text(text)

    def call(*args: str) -> Outcome:
        with pytest.raises(SystemExit) as stopped:
            main(["perturb", *args])
        captured = capsys.readouterr()
        return Outcome(int(stopped.value.code or 0), captured.out, captured.err)

    return call


def columns(path: str) -> list[list[list[str]]]:
    blocks = Path(path).read_text().strip().split("\n\n")
    return [[line.split(" ") for line in block.split("\n")] for block in blocks]


def test_writes_token_noisy_and_gold_and_says_what_seqeval_finds(run: Runner) -> None:
    done = run("demo:train", "-o", "noisy.conll", "--recall", "0.6", "--precision", "0.8", "--seed", "4", "--json")
    assert done.code == 0
    values = json.loads(done.out)
    rows = columns("noisy.conll")
    assert [[row[0] for row in block] for block in rows] == [list(s.tokens) for s in demo_corpus().train]
    assert [[row[2] for row in block] for block in rows] == [list(s.gold or ()) for s in demo_corpus().train]
    noisy, gold = ([[row[column] for row in block] for block in rows] for column in (1, 2))
    assert values["precision"] == pytest.approx(precision_score(gold, noisy)) == pytest.approx(0.8, abs=0.005)
    assert values["recall"] == pytest.approx(recall_score(gold, noisy)) == pytest.approx(0.6, abs=0.005)
    assert sum(values["added_lengths"].values()) == sum(values["added_types"].values()) == values["added"]
    assert values["recipe"]["seed"] == 4


def test_prints_the_account_in_words(run: Runner) -> None:
    done = run("gold.conll", "-o", "noisy.conll", "--recall", "0.4", "--precision", "1", "--unit", "mention")
    assert done.code == 0
    assert done.out.splitlines()[:3] == [
        "gold.conll -> noisy.conll",
        "  3 sentences, 16 tokens, 6 entities",
        "  4 removed, 0 added, 0 with another type, 0 with a shifted boundary",
    ]
    assert "  precision  1.0000" in done.out
    assert "  recall     0.3333" in done.out
    assert "recall missed" in done.err


def test_same_seed_same_bytes(run: Runner) -> None:
    for name, seed in (("a.conll", "1"), ("b.conll", "1"), ("c.conll", "2")):
        assert run("demo:dev", "-o", name, "--seed", seed).code == 0
    assert Path("a.conll").read_bytes() == Path("b.conll").read_bytes()
    assert Path("a.conll").read_bytes() != Path("c.conll").read_bytes()


def test_of_a_folder_only_train_is_touched_and_the_others_are_copied(run: Runner) -> None:
    done = run("corpus", "-o", "noisy", "--recall", "0", "--precision", "1")
    assert done.code == 0
    assert [[row[1:] for row in block] for block in columns("noisy/train.conll")] == [
        [["O", line.split(" ")[1]] for line in block.split("\n")] for block in GOLD.strip().split("\n\n")
    ]
    for split in ("dev", "test"):
        before, after = (tuple(stream(f"{folder}:{split}")) for folder in ("corpus", "noisy"))
        assert [(s.tokens, s.labels, s.gold) for s in after] == [(s.tokens, s.labels, s.gold) for s in before]


def test_a_file_takes_the_train_split_alone_and_the_rest_is_told(run: Runner) -> None:
    done = run("corpus", "-o", "noisy.conll", "--recall", "1", "--precision", "1")
    assert done.code == 0
    assert "left out: other splits: dev, test" in done.err
    assert len(columns("noisy.conll")) == 3


def test_the_demo_is_perturbed_from_its_gold_labels(run: Runner) -> None:
    done = run("demo", "-o", "noisy", "--recall", "0.9", "--precision", "0.9", "--type-flip", "0.1", "-q")
    assert (done.code, done.err) == (0, "")
    written, demo = read_corpus("noisy"), demo_corpus()
    assert [s.gold for s in written.train] == [s.gold for s in demo.train]
    assert [s.labels for s in written.dev] == [s.labels for s in demo.dev]
    assert [s.labels for s in written.test] == [s.labels for s in demo.test]


def test_other_formats_by_name_and_by_option(run: Runner) -> None:
    assert run("gold.conll", "-o", "noisy.jsonl", "--precision", "1").code == 0
    first = json.loads(Path("noisy.jsonl").read_text().splitlines()[0])
    assert first["gold_tags"] == ["B-PER", "I-PER", "O", "B-LOC", "O"]
    assert run("corpus", "-o", "noisy-bond", "--to", "bond", "--precision", "1").code == 0
    assert {"train.json", "dev.json", "test.json"} <= {path.name for path in Path("noisy-bond").iterdir()}


def test_nothing_is_overwritten_unasked(run: Runner) -> None:
    Path("noisy.conll").write_text("precious")
    done = run("gold.conll", "-o", "noisy.conll")
    assert (done.code, done.out) == (2, "")
    assert "already exists" in done.err
    assert Path("noisy.conll").read_text() == "precious"
    assert run("gold.conll", "-o", "noisy.conll", "--overwrite").code == 0
    assert Path("noisy.conll").read_text().startswith("Ann ")


@pytest.mark.parametrize(
    ("args", "finding"),
    [
        (("gold.conll", "--recall", "1.5"), "recall 1.5 is out of range"),
        (("gold.conll", "--precision", "0"), "precision 0 cannot be reached"),
        (("gold.conll", "--recall", "1", "--precision", "0.01"), "needs more wrong entities"),
        (("gold.conll", "--seed", "-3"), "seed -3 is negative"),
        (("nowhere.conll",), "no such file or folder"),
        (("gold.conll", "--to", "nonsense"), "is not one of"),
        (("gold.conll", "--unit", "word"), "is not one of"),
    ],
)
def test_bad_input_is_refused_with_exit_2(run: Runner, args: tuple[str, ...], finding: str) -> None:
    done = run(*args, "-o", "noisy.conll")
    assert (done.code, done.out) == (2, "")
    assert finding in done.err
    assert not Path("noisy.conll").exists()


def test_a_folder_without_train_is_refused(run: Runner) -> None:
    Path("corpus/train.conll").unlink()
    done = run("corpus", "-o", "noisy")
    assert done.code == 2
    assert "has no train split to perturb, only dev, test" in done.err


def test_without_any_right_entity_precision_is_null(run: Runner) -> None:
    done = run("gold.conll", "-o", "noisy.conll", "--recall", "0", "--json")
    values = json.loads(done.out)
    assert (values["precision"], values["recall"], values["removed"]) == (None, 0.0, 6)
    assert "precision missed" in [note["reason"] for note in values["notes"]]


def test_standard_output_takes_the_corpus_and_standard_error_the_account() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "trustag", "perturb", "-", "-o", "-", "--precision", "1"],
        input=GOLD.encode(),
        capture_output=True,
        check=True,
    )
    rows = [line.split(" ") for line in done.stdout.decode().splitlines() if line]
    assert [[token, gold] for token, _, gold in rows] == [line.split(" ") for line in GOLD.splitlines() if line]
    assert "achieved" in done.stderr.decode()

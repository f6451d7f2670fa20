import io
import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from seqeval.metrics import accuracy_score, classification_report

from tests.random_labels import Labelling, random_pairs
from trustag.cli import main
from trustag.text.labels import Label


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def score(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*args: object) -> Outcome:
        with pytest.raises(SystemExit) as ended:
            main(["score", *map(str, args)])
        captured = capsys.readouterr()
        return Outcome(int(ended.value.code or 0), captured.out, captured.err)

    return run


def conll(*columns: list[list[Label]]) -> str:
    """Write labellings as columns beside tokens that are numbered through."""
    lines = []
    for number, rows in enumerate(zip(*columns, strict=True)):
        for token, labels in enumerate(zip(*rows, strict=True)):
            lines.append(" ".join([f"w{number}.{token}", *(label or "-" for label in labels)]))
        lines.append("")
    return "\n".join(lines) + "\n"


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path, list[Labelling], list[Labelling]]:
    """Two files of random IOB labels, and what they hold."""
    pairs = [(gold, predicted) for gold, predicted in random_pairs(51, 60, "BI", ("-PER", "-geo-loc")) if gold]
    sides: tuple[list[Labelling], list[Labelling]] = ([a for a, _ in pairs], [b for _, b in pairs])
    files = tmp_path / "gold.conll", tmp_path / "predicted.conll"
    for file, labels in zip(files, sides, strict=True):
        file.write_text(conll([list(row) for row in labels]))
    return (*files, *sides)


@pytest.fixture
def noisy(tmp_path: Path) -> Path:
    file = tmp_path / "noisy.conll"
    labels: list[Label] = ["B-PER", "I-PER", "O", "O", "B-LOC", None]
    gold: list[Label] = ["B-PER", "I-PER", "I-PER", "O", "B-ORG", "B-ORG"]
    file.write_text(conll([labels], [gold]))
    return file


def test_the_table_is_the_one_seqeval_prints(score: Any, pair: Any) -> None:
    gold, predicted, gold_labels, predicted_labels = pair
    expected = classification_report(gold_labels, predicted_labels, digits=4, zero_division=0)
    outcome = score(gold, predicted)
    assert outcome.code == 0
    assert outcome.out.startswith(expected.rstrip("\n") + "\n\nprocessed ")


def test_conlleval_line_and_accuracy_stand_below_the_table(score: Any, tmp_path: Path) -> None:
    gold, predicted = tmp_path / "gold.conll", tmp_path / "predicted.conll"
    gold.write_text("Anna B-PER\nin O\nRome B-LOC\n\nOslo B-LOC\n")
    predicted.write_text("Anna B-PER\nin O\nRome B-ORG\n\nOslo O\n")
    out = score(gold, predicted).out
    assert "processed 4 tokens with 3 phrases; found: 2 phrases; correct: 1.\n" in out
    assert "token accuracy: 0.5000 (2 of 4 labels equal)\n" in out
    assert "unknown" not in out
    assert "noise" not in out


def test_json_carries_the_names_hugging_face_uses_and_equals_seqeval(score: Any, pair: Any) -> None:
    gold, predicted, gold_labels, predicted_labels = pair
    expected = classification_report(gold_labels, predicted_labels, output_dict=True, zero_division=0)
    values = json.loads(score(gold, predicted, "--json").out)
    micro = expected["micro avg"]
    assert values["overall_precision"] == pytest.approx(micro["precision"])
    assert values["overall_recall"] == pytest.approx(micro["recall"])
    assert values["overall_f1"] == pytest.approx(micro["f1-score"])
    assert values["overall_accuracy"] == pytest.approx(accuracy_score(gold_labels, predicted_labels))
    assert list(values["types"]) == ["PER", "geo-loc"]
    for kind, row in values["types"].items():
        theirs = expected[kind]
        assert row["number"] == theirs["support"]
        rates = [row["precision"], row["recall"], row["f1"]]
        assert rates == pytest.approx([theirs["precision"], theirs["recall"], theirs["f1-score"]])
    assert values["macro"]["f1"] == pytest.approx(expected["macro avg"]["f1-score"])
    assert values["weighted"]["f1"] == pytest.approx(expected["weighted avg"]["f1-score"])
    assert values["overlaps"]["strict"]["f1"] == values["overall_f1"]
    assert values["tokens"]["all"] == sum(map(len, gold_labels))
    assert values["sentences"] == len(gold_labels)
    assert "noise" not in values


def test_strict_mode_counts_only_well_spelled_entities(score: Any, tmp_path: Path) -> None:
    gold, predicted = tmp_path / "gold.conll", tmp_path / "predicted.conll"
    gold.write_text("a B-X\nb I-X\n")
    predicted.write_text("a I-X\nb I-X\n")
    assert json.loads(score(gold, predicted, "--json").out)["overall_f1"] == 1.0
    assert json.loads(score(gold, predicted, "--json", "--strict", "bio").out)["overall_f1"] == 0.0


def test_schemas_can_be_chosen(score: Any, pair: Any) -> None:
    gold, predicted, *_ = pair
    words = [line.split()[0] for line in score(gold, predicted).out.splitlines()[-4:]]
    assert words == ["strict", "exact", "partial", "ent_type"]
    chosen = score(gold, predicted, "--schema", "partial", "--schema", "exact").out.splitlines()
    assert [line.split()[0] for line in chosen[-2:]] == ["partial", "exact"]
    assert list(json.loads(score(gold, predicted, "--schema", "exact", "--json").out)["overlaps"]) == ["exact"]


def test_a_file_alone_is_scored_against_its_gold_column_and_its_noise_is_said(score: Any, noisy: Path) -> None:
    outcome = score(noisy)
    assert outcome.code == 0
    assert "processed 6 tokens with 3 phrases; found: 2 phrases; correct: 0." in outcome.out
    assert "unknown labels: 0 in gold, 1 in the compared labels" in outcome.out
    noise = outcome.out[outcome.out.index("noise of the labels") :].splitlines()
    both = "both are wrong 0 (0.0%)"
    assert noise[1:] == [
        "  0 of 2 labelled entities are correct: precision 0.0000",
        "  0 of 3 gold entities are labelled: recall 0.0000",
        "  1 of 3 entity labels are wrong as written: tau_p 0.3333",
        f"    gold is O 0 (0.0%), only the type is wrong 1 (100.0%), only the position is wrong 0 (0.0%), {both}",
        "  2 of 3 entity labels are wrong in IOBES: tau_p 0.6667",
        f"    gold is O 0 (0.0%), only the type is wrong 1 (50.0%), only the position is wrong 1 (50.0%), {both}",
        "  1 of 2 O labels miss part of an entity: tau_n 0.5000",
    ]


def test_noise_is_in_the_json_of_a_file_alone(score: Any, noisy: Path) -> None:
    values = json.loads(score(noisy, "--json").out)
    assert values["tokens"] == {"all": 6, "compared": 5, "alike": 3, "unknown_gold": 0, "unknown_predicted": 1}
    written, iobes = values["noise"]["as_written"], values["noise"]["IOBES"]
    assert (written["tau_p"], written["tau_n"]) == pytest.approx((1 / 3, 1 / 2))
    assert iobes["tau_p"] == pytest.approx(2 / 3)
    assert iobes["wrong_positives"] == {
        "all": 2,
        "gold_outside": 0,
        "wrong_type": 1,
        "wrong_position": 1,
        "both_wrong": 0,
    }


def test_the_gold_column_of_the_first_file_is_the_truth(score: Any, noisy: Path, tmp_path: Path) -> None:
    lines = [line.split() for line in noisy.read_text().splitlines()]
    perfect = tmp_path / "perfect.conll"
    perfect.write_text("\n".join(" ".join([row[0], row[2]]) if row else "" for row in lines) + "\n")
    assert json.loads(score(noisy, perfect, "--json").out)["overall_f1"] == 1.0


def test_two_schemes_are_pointed_out(score: Any, tmp_path: Path) -> None:
    gold, predicted = tmp_path / "gold.conll", tmp_path / "predicted.conll"
    gold.write_text("a B-X\nb I-X\n")
    predicted.write_text("a B-X\nb E-X\n")
    out = score(gold, predicted).out
    assert "gold is in IOB2, the compared labels are in IOBES" in out
    assert "1.0000" in out


def test_labels_without_any_entity_have_a_table_too(score: Any, tmp_path: Path) -> None:
    gold = tmp_path / "gold.conll"
    gold.write_text("a O\nb O\n")
    outcome = score(gold, gold)
    assert outcome.code == 0
    assert "   micro avg     0.0000    0.0000    0.0000         0\n" in outcome.out
    assert "token accuracy: 1.0000" in outcome.out


def test_types_cannot_smuggle_control_characters_onto_the_screen(score: Any, tmp_path: Path) -> None:
    gold = tmp_path / "gold.conll"
    gold.write_text("a B-X\x1b[2J\n")
    out = score(gold, gold).out
    assert "\x1b" not in out
    assert r"X\x1b[2J" in out


def test_one_labelling_may_come_from_standard_input(
    score: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold = tmp_path / "gold.conll"
    gold.write_text("a B-X\nb O\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a B-X\nb O\n")))
    assert json.loads(score(gold, "-", "--json").out)["overall_f1"] == 1.0


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        ("a O\nb O\n", "a O\nx O\n", "gold.conll:2: token 'b', but predicted.conll:2 has 'x'; "),
        (
            "a O\nb O\nc O\n",
            "a O\nb O\n",
            "gold.conll:3: token 'c', but the sentence at predicted.conll:1 ends after 2 tokens; ",
        ),
        (
            "a O\n\nb O\n",
            "a O\n",
            "gold.conll:3: sentence 2 exists only here: the other labelling ends with sentence 1 at predicted.conll:1",
        ),
    ],
)
def test_text_that_differs_is_one_line_that_names_both_locations(
    score: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gold: str, predicted: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.conll").write_text(gold)
    Path("predicted.conll").write_text(predicted)
    outcome = score("gold.conll", "predicted.conll")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"trustag: {message}")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["-", "-"], "GOLD and PRED cannot both be standard input"),
        (["plain.conll"], "plain.conll:1: no gold labels to compare with; name the gold column"),
        (
            ["plain.conll", "plain.conll", "--strict", "IOE2"],
            "plain.conll:2: label 'B-X' does not exist in the scheme IOE2",
        ),
        (["plain.conll", "plain.conll", "--strict", "XYZ"], "unknown tagging scheme 'XYZ'"),
        (["plain.conll", "missing.conll"], "missing.conll: no such file"),
    ],
)
def test_what_cannot_be_scored_is_one_line(
    score: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plain.conll").write_text("a O\nb B-X\n")
    outcome = score(*args)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"trustag: {message}")
    assert outcome.err.count("\n") == 1

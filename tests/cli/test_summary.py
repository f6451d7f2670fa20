"""The summary of a training, on ordinary and on odd corpora: it fits the screen and agrees with the files."""

import json
import re
from dataclasses import replace
from pathlib import Path

import click
import numpy as np
import pytest
from msgspec.structs import replace as changed

from tests.training.small import ROUNDS, noisy_corpus, small_recipe, small_run
from trustag.cli.summary import in_words
from trustag.corpora.locating import CorpusOptions, read_corpus
from trustag.notes import Note, unwatched
from trustag.pipeline import TrainResult
from trustag.text.sentences import Corpus, Sentence

QUICK = (*ROUNDS, "method.rounds.count=1", "training.epochs=1", "method.rounds.fold_epochs=1")
WHOLE = noisy_corpus()
BARE = tuple(changed(sentence, gold=None) for sentence in WHOLE.train)

pytestmark = pytest.mark.slow  # trains models


def people_only(sentence: Sentence) -> Sentence:
    labels = tuple(label if label and label.endswith("-PER") else "O" for label in sentence.labels)
    return changed(sentence, labels=labels, gold=None)


def partly_unknown(sentence: Sentence) -> Sentence:
    return changed(sentence, labels=tuple(None if place % 5 == 0 else "O" for place in range(len(sentence))), gold=None)


LONG = Sentence(
    tuple(token for sentence in BARE for token in sentence.tokens)[:600],
    tuple(label for sentence in BARE for label in sentence.labels)[:600],
)
ODD = {
    "gold column": WHOLE,
    "no dev": replace(WHOLE, train=BARE, dev=()),
    "no test": replace(WHOLE, train=BARE, test=()),
    "noisy dev": Corpus(BARE[:30], BARE[30:]),
    "unknown labels": Corpus((*BARE[:20], *map(partly_unknown, BARE[20:40])), WHOLE.dev),
    "one type": Corpus(tuple(map(people_only, WHOLE.train)), tuple(map(people_only, WHOLE.dev))),
    "one sentence": Corpus((BARE[2],)),
    "a label that occurs once": Corpus((*map(people_only, BARE[:20]), Sentence(("Zorp", "!"), ("B-RARE", "O")))),
    "more folds than sentences": Corpus(BARE[:3]),
    "a sentence of 600 tokens": Corpus((*BARE[:10], LONG)),
}


def summarised(
    corpus: Corpus, path: Path, *changes: str, method: str = "confidence"
) -> tuple[TrainResult, list[str], list[Note]]:
    """Return a finished training, the lines that sum it up, and the notes."""
    notes: list[Note] = []
    recipe = small_recipe(*(QUICK if method == "confidence" else ()), *changes, method=method)
    trained = small_run(path / "run", recipe, corpus, notes.append)
    return trained, click.unstyle("\n".join(in_words(trained, recipe))).replace(str(path), ".").splitlines(), notes


@pytest.mark.parametrize("name", ODD)
def test_odd_corpora_give_a_sensible_summary(name: str, tmp_path: Path) -> None:
    corpus = ODD[name]
    folds = "method.rounds.folds=10" if "folds" in name else "method.rounds.folds=2"
    trained, lines, notes = summarised(corpus, tmp_path, folds)
    text = "\n".join(lines)
    assert lines[0].startswith("Trained a BiLSTM-CRF on ")
    assert max(map(len, lines)) <= 80
    assert not re.search(r"\b(nan|inf|None)\b", text)
    assert ("No dev corpus: no clean labels were used." in text) == (not corpus.dev)
    assert ("dev F1" in text, "test F1" in text) == (bool(corpus.dev), bool(corpus.test))
    assert ("against the gold column" in text) == (name == "gold column")
    assert {note.reason for note in notes} <= {"cross-validation"}
    assert ("method confidence." in lines[0]) == (name == "one sentence") == (trained.analysis is None)


def figures(line: str) -> list[float]:
    return [float(number.replace(",", "")) for number in re.findall(r"[\d,.]*\d", line)]


def test_the_counts_are_those_of_the_files(tmp_path: Path) -> None:
    trained, lines, _ = summarised(WHOLE, tmp_path)
    run = trained.run
    rates = json.loads(run.rates.read_text())
    sizes = [sum(label == "O" for s in WHOLE.train for label in s.labels)]
    sizes.append(sum(map(len, WHOLE.train)) - sizes[0])
    for start, name, size in (
        ("  O labels that", "negative", sizes[0]),
        ("  entity labels that", "positive", sizes[1]),
    ):
        (line,) = (line for line in lines if line.startswith(start))
        low, high = rates[f"{name}_interval"]
        expected = [100 * rates[name], 100 * low, 100 * high, rates[name] * size, size]
        assert figures(line) == pytest.approx(expected, abs=0.51)
    new = [sentence.labels for sentence in read_corpus(str(run.relabelled), CorpusOptions(), unwatched).train]
    old = [sentence.labels for sentence in WHOLE.train]
    differing = sum(a != b for one, other in zip(old, new, strict=True) for a, b in zip(one, other, strict=True))
    (line,) = (line for line in lines if line.startswith("Labels changed"))
    assert figures(line)[:2] == [differing, sum(sizes)]
    begin = lines.index(line) + 1
    kinds = lines[begin : lines.index("", begin)]
    assert sum(figures(kind)[0] for kind in kinds) == differing


def test_detection_is_counted_against_the_gold_column(tmp_path: Path) -> None:
    trained, lines, _ = summarised(WHOLE, tmp_path)
    table = np.load(trained.run.confidence)
    old = [label for sentence in WHOLE.train for label in sentence.labels]
    gold = [label for sentence in WHOLE.train for label in sentence.gold or ()]
    for name, is_outside in (("  O labels  ", True), ("  entity labels  ", False)):
        group = np.array([(label == "O") is is_outside for label in old])
        # The corpus hides whole sentences, so that a label is right in one scheme where it is right in the other.
        wrong = np.array([a != b for a, b in zip(old, gold, strict=True)]) & group
        distrusted = ~table["trusted"] & group
        hits = int((wrong & distrusted).sum())
        precision, recall = hits / max(1, distrusted.sum()), hits / max(1, wrong.sum())
        f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
        (line,) = (line for line in lines if line.startswith(name))
        expected = [100 * precision, 100 * recall, 100 * f1, wrong.sum(), distrusted.sum()]
        assert figures(line) == pytest.approx(expected, abs=0.06)


def test_a_baseline_says_so(tmp_path: Path) -> None:
    _, lines, _ = summarised(replace(WHOLE, test=()), tmp_path, "training.epochs=1", method="bilstm-crf")
    assert lines[0] == "Trained a BiLSTM-CRF on 60 sentences, baseline (labels as given)."
    assert not any("relabelled" in line for line in lines)
    assert "  trustag evaluate ./run CORPUS  score the model on a corpus you trust" in lines


@pytest.mark.parametrize(("name", "points"), [("baseline", True), ("model of the new labels", False)])
def test_the_kept_model_is_named_and_a_kept_baseline_points_to_trusted_sentences(
    name: str, points: bool, tmp_path: Path
) -> None:
    trained, _, _ = summarised(WHOLE, tmp_path)
    kept = replace(trained, facts={"kept": {"name": name, "reason": "for the sake of it"}})
    text = " ".join(in_words(kept, small_recipe(*QUICK, method="confidence")))
    assert f"Kept the {name}: for the sake of it." in text
    assert ("--trusted CORPUS" in text) == points

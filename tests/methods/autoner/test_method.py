"""AutoNER as a run, with its own head and as a fuzzy CRF, and which heads it refuses."""

from pathlib import Path

import pytest

from tests.methods.generated import WRONG, generated_corpus
from tests.methods.test_laws import corpus
from tests.methods.tie_or_break import __name__ as foreign
from tests.training.small import here, small_recipe
from trustag.errors import InputError
from trustag.export.model_loading import load
from trustag.methods.autoner.head import PLACE
from trustag.notes import Note
from trustag.pipeline import Destination, TrainResult, train_in
from trustag.text.sentences import Corpus, Sentence


def trained(path: Path, *changes: str) -> TrainResult:
    sizes = ("bilstm.words=20", "bilstm.hidden=20", "bilstm.dropout=0.1")
    loop = ("training.epochs=12", "training.batch_size=4", "training.learning_rate=0.03", "method.folds.epochs=12")
    recipe = small_recipe(*sizes, *loop, *changes, method="autoner")
    return train_in(generated_corpus(), recipe, Destination(path), here())


@pytest.mark.slow
@pytest.mark.parametrize("head", [PLACE, "crf"])
def test_missed_entities_are_found_with_either_head(head: str, tmp_path: Path) -> None:
    result = trained(tmp_path / "run", f"model.head={head}")
    assert result.scores.test is not None
    assert result.scores.test.micro.f1 > 0.9
    assert result.analysis is not None
    assert {issue.sentence for issue in result.analysis.issues[:3]} <= set(WRONG)
    assert result.analysis.detection is not None
    assert result.analysis.detection.negative.recall > 0.7
    (found,) = load(tmp_path / "run").predict("Ann met Bob in New York .")
    assert [(entity.text, entity.label) for entity in found] == [("Ann", "PER"), ("Bob", "PER"), ("New York", "LOC")]
    assert all(0.3 < entity.score <= 1 for entity in found)


def test_another_head_without_label_scores_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="autoner does not know the head"):
        train_in(corpus(), small_recipe(f"model.head={foreign}:HEAD", method="autoner"), Destination(tmp_path), here())


def test_entities_that_are_too_long_are_noted(tmp_path: Path) -> None:
    words = tuple(f"w{number}" for number in range(14))
    rows = (Sentence(words, ("B-PER", *["I-PER"] * 13)), Sentence(("Ann", "left"), ("B-PER", "O")))
    notes: list[Note] = []
    own = small_recipe("training.epochs=1", "method.folds.epochs=1", f"model.head={PLACE}", method="autoner")
    train_in(Corpus(rows), own, Destination(tmp_path / "run"), here(notes.append))
    assert any("1 entities of more than 12 tokens" in note.detail for note in notes)

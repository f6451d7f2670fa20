"""LRNT as a whole: its stages, what the final model starts from, and where it is the plain CRF."""

import json
from pathlib import Path

import pytest

from tests.methods.generated import generated_corpus
from tests.methods.test_laws import corpus
from tests.training.run_files import checksums
from tests.training.small import here, small_recipe, small_task
from trustag.methods.lrnt import METHOD
from trustag.methods.lrnt.sentence_selection import good_sentences
from trustag.methods.lrnt.settings import LRNTSettings
from trustag.models.saving import load_model
from trustag.pipeline import Destination, train_in
from trustag.text.sentences import Corpus

PLAIN = ("method.consistency=0.0", "method.good_sentences=1.0", "method.outside_ratio=1.0")


def weights(path: Path, own: Corpus, *changes: str, method: str = "lrnt") -> dict[str, str]:
    recipe = small_recipe("training.epochs=2", *changes, method=method)
    train_in(own, recipe, Destination(path), here())
    return checksums(path, [path / "model-best" / "weights.safetensors"])


def test_with_every_sentence_and_every_outside_label_it_is_the_plain_crf(tmp_path: Path) -> None:
    own = corpus()
    assert weights(tmp_path / "lrnt", own, *PLAIN) == weights(tmp_path / "plain", own, method="bilstm-crf")
    sampled = weights(tmp_path / "sampled", own, *PLAIN[:2], "method.outside_ratio=0.5")
    assert sampled != weights(tmp_path / "again", own, *PLAIN)


def test_the_classifier_is_a_softmax_of_the_other_sentences_and_hands_its_weights_on(tmp_path: Path) -> None:
    recipe = small_recipe("training.epochs=4", "method.classifier_share=0.5", method="lrnt")
    result = train_in(generated_corpus(20), recipe, Destination(tmp_path / "run", keep_jobs=True), here())
    classifier = load_model(tmp_path / "run" / "jobs" / "classifier" / "model-best")
    assert classifier.network.head.__class__.__name__ == "SoftmaxHead"
    task = small_task(recipe, generated_corpus(20))
    good = good_sentences(task.corpus, LRNTSettings())
    manifest = json.loads(result.run.manifest.read_text())
    assert (manifest["good_sentences"], manifest["other_sentences"]) == (len(good), 20 - len(good))
    assert 0 < len(good) < 20
    stages = METHOD.plan(task, LRNTSettings(classifier_share=0.5))
    assert [(stage.name, stage.epochs) for stage in stages] == [("classifier", 2), ("final", 4)]
    assert [stage.share for stage in stages] == [1 - len(good) / 20, len(good) / 20]
    without = METHOD.plan(task, LRNTSettings(classifier_share=0))
    assert [stage.name for stage in without] == ["final"]
    alone = weights(tmp_path / "alone", generated_corpus(20), "training.epochs=4", "method.classifier_share=0.0")
    assert alone != checksums(tmp_path / "run", [tmp_path / "run" / "model-best" / "weights.safetensors"])


@pytest.mark.slow
def test_it_learns_although_only_some_sentences_are_good(tmp_path: Path) -> None:
    sizes = ("bilstm.words=20", "bilstm.hidden=20", "bilstm.dropout=0.1")
    loop = ("training.epochs=14", "training.batch_size=4", "training.learning_rate=0.03")
    result = train_in(generated_corpus(), small_recipe(*sizes, *loop, method="lrnt"), Destination(tmp_path), here())
    assert result.scores.test is not None
    assert result.scores.test.micro.f1 > 0.75
    assert result.scores.test.micro.recall > 0.9

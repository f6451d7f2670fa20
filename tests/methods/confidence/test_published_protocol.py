"""Self-training as the paper's published code does it: rates, folds, fixed labels and final models of every round."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
import torch

from tests.training.small import encoded, here, noisy_corpus
from trustag.corpora.locating import CorpusOptions, read_corpus
from trustag.crossfit import rounds as rounds_module
from trustag.crossfit.folds import Folds, HiddenLabels, draw_folds
from trustag.crossfit.rounds import Round, RoundPlan, SelfTrainingRounds, self_train
from trustag.data.encoded_corpus import EncodedCorpus
from trustag.errors import InputError
from trustag.methods.confidence import method as method_module
from trustag.methods.table import load_recipe
from trustag.noise_rates.rates import NoiseRates
from trustag.notes import unwatched
from trustag.pipeline import Destination, train_in
from trustag.recipes.settings import Recipe
from trustag.text.sentences import Corpus, Sentence
from trustag.training.jobs import Jobs
from trustag.training.task import Task

FIRST = NoiseRates(0.3, 0.2)
SMALL = (
    "bilstm.random_vectors=true",
    "bilstm.words=8",
    "bilstm.hidden=6",
    "bilstm.characters=4",
    "bilstm.character_hidden=3",
    "bilstm.dropout=0.0",
    "training.epochs=2",
    "training.learning_rate=0.05",
)
SHORT = (
    "method.rounds.fold_epochs=2",
    "method.rounds.count=3",
    "method.rounds.baseline=false",
    "method.rates.source=given",
    f"method.rates.negative={FIRST.negative}",
    f"method.rates.positive={FIRST.positive}",
)


def paper(*changes: str) -> Recipe:
    """Return the paper's recipe for a network so small and so eager that two epochs change something."""
    return load_recipe("paper", [*SMALL, *SHORT, *changes])


def corpus() -> Corpus:
    noisy = noisy_corpus()
    return Corpus(noisy.train[:30], noisy.dev[:15], noisy.test[:15])


def rounds_of(path: Path, *changes: str) -> Sequence[Round]:
    """Return the rounds of a run."""
    found: list[SelfTrainingRounds] = []

    def noted(task: Task, jobs: Jobs, plan: RoundPlan) -> SelfTrainingRounds:
        found.append(self_train(task, jobs, plan))
        return found[-1]

    with patch.object(method_module, "self_train", noted):
        train_in(corpus(), paper(*changes), Destination(path / "run"), here())
    (trained,) = found
    return trained.rounds


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Round]:
    return rounds_of(tmp_path_factory.mktemp("published"))


def test_later_rounds_take_the_published_rates_whatever_the_first_ones_were(published: Sequence[Round]) -> None:
    later = NoiseRates(negative=0.005, positive=0.15)
    assert [done.rates for done in published] == [FIRST, later, later]


def test_every_round_relabels_the_original_outside_labels_alone(published: Sequence[Round]) -> None:
    given = encoded(corpus().train).label_ids
    for done in published:
        assert done.relabelled.fixed.tolist() == (given > 0).tolist()
        assert done.relabelled.label_ids[given > 0].tolist() == given[given > 0].tolist()
    assert any((done.relabelled.label_ids != given).any() for done in published)


def test_fold_models_distrust_and_final_models_trust(published: Sequence[Round]) -> None:
    for done in published:
        assert all("distrusted_positive" in epoch.facts for fold in done.fold_results for epoch in fold.history)
        assert all(epoch.facts == {} for epoch in done.final.history)


def test_how_given_labels_were_learned_is_known_from_the_round_that_learned_them(published: Sequence[Round]) -> None:
    first, *others = (done.relabelled.statistics.training for done in published)
    assert first is not None
    assert all(later is first for later in others)


def test_final_models_may_distrust_too(tmp_path: Path) -> None:
    (done,) = rounds_of(tmp_path, "method.rounds.count=1", "method.parity.final_confidence=true")
    assert all("distrusted_positive" in epoch.facts for epoch in done.final.history)


def test_rates_may_stay_or_be_measured_on_the_labels_of_each_round(tmp_path: Path) -> None:
    same = rounds_of(tmp_path / "same", "method.rounds.count=2", "method.parity.later_rates=same")
    assert [done.rates for done in same] == [FIRST, FIRST]
    first, second = rounds_of(tmp_path / "measured", "method.rounds.count=2", "method.parity.later_rates=measured")
    gold = encoded(corpus().train).gold_ids
    assert gold is not None
    labels = first.relabelled.label_ids
    wrong = labels != gold
    assert second.rates.negative == pytest.approx(wrong[labels == 0].float().mean().item())
    assert second.rates.positive == pytest.approx(wrong[labels > 0].float().mean().item())


def test_measuring_in_every_round_without_gold_is_refused_before_any_training(tmp_path: Path) -> None:
    data = corpus()
    bare = replace(data, train=tuple(Sentence(sentence.tokens, sentence.labels) for sentence in data.train))
    with pytest.raises(InputError, match="no gold column"):
        train_in(bare, paper("method.parity.later_rates=measured"), Destination(tmp_path / "run"), here())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("every", "expected"), [(2, [0, 0, 1]), (1, [0, 1, 2])])
def test_folds_are_drawn_anew_every_so_many_rounds(
    every: int, expected: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawings = []

    def noted(corpus: EncodedCorpus, folds: int, seed: int, drawing: int, hidden: HiddenLabels) -> Folds:
        drawings.append(drawing)
        return draw_folds(corpus, folds, seed, drawing, hidden)

    monkeypatch.setattr(rounds_module, "draw_folds", noted)
    rounds_of(tmp_path, f"method.parity.reshuffle={every}", "training.epochs=1", "method.rounds.fold_epochs=1")
    assert drawings == expected


def test_labels_as_a_model_wrote_them_are_learned_even_where_they_are_illegal() -> None:
    single = encoded([Sentence(("Ann", "sings"), ("B-PER", "O"))])
    assert single.label_names() == [("S-PER", "O")]
    written = single.with_labels(torch.tensor([single.labels.index["B-PER"], 0]))
    assert written.label_names() == [("B-PER", "O")]


def test_the_final_model_is_plain_training_on_the_relabelled_corpus(tmp_path: Path) -> None:
    legal = "model.constraints=decoding"
    data = corpus()
    train_in(data, paper(legal, "method.rounds.count=1"), Destination(tmp_path / "rounds"), here())
    relabelled = read_corpus(str(tmp_path / "rounds" / "relabelled.conll"), CorpusOptions(), unwatched).train
    baseline = load_recipe("paper", [*SMALL, legal], "bilstm-crf")
    train_in(replace(data, train=relabelled), baseline, Destination(tmp_path / "plain"), here())
    weights = [path / "model-best" / "weights.safetensors" for path in (tmp_path / "rounds", tmp_path / "plain")]
    assert weights[0].read_bytes() == weights[1].read_bytes()


@pytest.mark.parametrize("report", ["best", "last"])
def test_every_round_is_scored_and_the_wanted_one_is_kept(report: str, tmp_path: Path) -> None:
    changes = ("method.rates.negative=0.3", "method.rates.positive=0.2", f"method.parity.kept_round={report}")
    trained = train_in(corpus(), paper(*changes), Destination(tmp_path / "run"), here())
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    dev = [scores["dev"]["f1"] for scores in manifest["rounds"]]
    chosen = dev.index(max(dev)) if report == "best" else 2
    assert len(dev) == 3
    assert manifest["labels"]["round"] == chosen + 1
    assert manifest["test"] == manifest["rounds"][chosen]["test"]
    lines = [json.loads(line) for line in (tmp_path / "run" / "rounds.jsonl").read_text().splitlines()]
    assert [line["final_dev_f1"] for line in lines] == dev
    for line in lines:
        for fold, (kept, distrusted) in enumerate(zip(line["fold_kept_epochs"], line["fold_distrusted"], strict=True)):
            metrics = tmp_path / "run" / "jobs" / f"round-{line['round']}" / f"fold-{fold + 1}" / "metrics.jsonl"
            epochs = [json.loads(text) for text in metrics.read_text().splitlines()]
            assert kept == max(epochs, key=lambda epoch: epoch["f1"])["epoch"]
            assert distrusted == {name: epochs[kept]["facts"][name] for name in distrusted}
            assert set(distrusted) == {"distrusted_negative", "distrusted_positive"}
    assert list(trained.compared) == ["round-1", "round-2", "round-3"]

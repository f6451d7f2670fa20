"""Self-training as the paper's published code does it: rates, folds, pinned labels and final models of every round."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.training.small import here
from tests.training.test_rounds import noisy_corpus
from trustag.confidence.selection import NoiseRates
from trustag.corpora.locating import CorpusOptions, read_corpus
from trustag.data.encoded_corpus import Numbered, label_set, number_sentences
from trustag.engines.in_process import InProcess
from trustag.errors import InputError
from trustag.notes import unwatched
from trustag.recipes.loading import load_recipe
from trustag.recipes.settings import Recipe
from trustag.runs.folder import RunFolder
from trustag.text.labels import entity_types
from trustag.text.sentences import Corpus, Sentence
from trustag.training.jobs import Workshop

FIRST = NoiseRates(0.3, 0.2)


def paper(*changes: str) -> Recipe:
    """Return the paper's recipe for a network so small and so eager that two epochs change something."""
    small = ("bilstm.random_vectors=true", "bilstm.words=8", "bilstm.hidden=6", "bilstm.characters=4")
    short = ("training.epochs=2", "rounds.fold_epochs=2", "rounds.count=3", "training.learning_rate=0.05")
    quick = ("bilstm.character_hidden=3", "rounds.baseline=false", "rates.source=given", "bilstm.dropout=0.0")
    return load_recipe("paper", [*small, *short, *quick, *changes])


def corpus() -> Corpus:
    noisy = noisy_corpus()
    return Corpus(noisy.train[:30], noisy.dev[:15], noisy.test[:15])


def material_of(recipe: Recipe) -> Material:
    data = corpus()
    types = entity_types(label for sentence in data.train for label in sentence.labels)
    return Material(data.train, data.dev, label_set(types), recipe, None)


def rounds_of(path: Path, *changes: str) -> list[Round]:
    material = material_of(paper(*changes))
    return self_train(material, workshop_of(path, material), FIRST)


def workshop_of(path: Path, material: Material) -> Workshop:
    plan = plan_of(material.recipe, len(material.sentences))
    return Workshop(path, InProcess(), unwatched, lambda _: None, plan)


def numbered() -> Numbered:
    material = material_of(paper())
    return number_sentences(material.sentences, material.labels)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> list[Round]:
    return rounds_of(tmp_path_factory.mktemp("published"))


def test_later_rounds_take_the_published_rates_whatever_the_first_ones_were(published: list[Round]) -> None:
    later = NoiseRates(negative=0.005, positive=0.15)
    assert [done.rates for done in published] == [FIRST, later, later]


def test_every_round_relabels_the_original_outside_labels_alone(published: list[Round]) -> None:
    given = torch.cat(numbered().labels)
    for done in published:
        assert done.relabelled.pinned.tolist() == (given > 0).tolist()
        assert done.relabelled.labels[given > 0].tolist() == given[given > 0].tolist()
    assert any((done.relabelled.labels != given).any() for done in published)


def test_fold_models_distrust_and_final_models_believe(published: list[Round]) -> None:
    for done in published:
        assert all("distrusted_positive" in epoch.facts for fold in done.fold_outcomes for epoch in fold.history)
        assert all(epoch.facts == {} for epoch in done.final.history)


def test_how_given_labels_were_learnt_is_told_by_the_round_that_learnt_them(published: list[Round]) -> None:
    first, *others = (done.relabelled.view.dynamics for done in published)
    assert first is not None
    assert all(later is first for later in others)


def test_final_models_may_distrust_too(tmp_path: Path) -> None:
    (done,) = rounds_of(tmp_path, "rounds.count=1", "rounds.final_confidence=true")
    assert all("distrusted_positive" in epoch.facts for epoch in done.final.history)


def test_rates_may_stay_or_be_measured_on_the_labels_of_each_round(tmp_path: Path) -> None:
    same = rounds_of(tmp_path / "same", "rounds.count=2", "rates.later=same")
    assert [done.rates for done in same] == [FIRST, FIRST]
    first, second = rounds_of(tmp_path / "measured", "rounds.count=2", "rates.later=measured")
    gold = torch.cat(numbered().gold or ())
    labels = first.relabelled.labels
    wrong = labels != gold
    assert second.rates.negative == pytest.approx(wrong[labels == 0].float().mean().item())
    assert second.rates.positive == pytest.approx(wrong[labels > 0].float().mean().item())


def test_measuring_in_every_round_without_gold_is_refused_before_any_training(tmp_path: Path) -> None:
    data = corpus()
    bare = [Sentence(sentence.tokens, sentence.labels) for sentence in data.train]
    material = replace(material_of(paper("rates.later=measured")), sentences=bare)
    with pytest.raises(InputError, match="no gold column"):
        find_rates(material, workshop_of(tmp_path, material), RunFolder(tmp_path))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("every", "expected"), [(2, [0, 0, 1]), (1, [0, 1, 2])])
def test_folds_are_drawn_anew_every_so_many_rounds(
    every: int, expected: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawings = []

    def noted(sentences: Sequence[Sentence], numbered: Numbered, recipe: Recipe, drawing: int) -> Folds:
        drawings.append(drawing)
        return draw_folds(sentences, numbered, recipe, drawing)

    monkeypatch.setattr(rounds_module, "draw_folds", noted)
    rounds_of(tmp_path, f"rounds.reshuffle={every}", "training.epochs=1", "rounds.fold_epochs=1")
    assert drawings == expected


def test_labels_as_a_model_wrote_them_are_learnt_even_where_they_are_illegal() -> None:
    labels = label_set(["PER"])
    sentence = Sentence(("Ann", "sings"), ("B-PER", "O"))
    (written,) = number_sentences([sentence], labels, as_written=True).labels
    assert [labels.labels[number] for number in written] == ["B-PER", "O"]
    (read,) = number_sentences([sentence], labels).labels
    assert [labels.labels[number] for number in read] == ["S-PER", "O"]


def test_the_final_model_is_plain_training_on_the_relabelled_corpus(tmp_path: Path) -> None:
    legal = ("model.constraints=decoding", "rounds.count=1", "rates.negative=0.3", "rates.positive=0.2")
    data = corpus()
    train(data, paper(*legal), None, Destination(tmp_path / "rounds"), here(unwatched))
    relabelled = read_corpus(str(tmp_path / "rounds" / "relabelled.conll"), CorpusOptions(), unwatched).train
    plain = replace(data, train=relabelled)
    train(plain, paper(*legal, "rounds.count=0"), None, Destination(tmp_path / "plain"), here(unwatched))
    weights = [path / "model-best" / "weights.safetensors" for path in (tmp_path / "rounds", tmp_path / "plain")]
    assert weights[0].read_bytes() == weights[1].read_bytes()


@pytest.mark.parametrize("report", ["best", "last"])
def test_every_round_is_scored_and_the_wanted_one_is_kept(report: str, tmp_path: Path) -> None:
    changes = ("rates.negative=0.3", "rates.positive=0.2", f"rounds.report={report}")
    trained = train(corpus(), paper(*changes), None, Destination(tmp_path / "run"), here(unwatched))
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
    assert len(trained.by_round) == 3

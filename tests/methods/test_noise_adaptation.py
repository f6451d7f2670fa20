"""The confusion layer against its defining sums, its gradients, its start, what it recovers, and whole trainings."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from trustag import load
from trustag.cli.summary import in_words
from trustag.corpora.demo import demo_corpus
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.errors import InputError
from trustag.methods.noise_adaptation import (
    RATE_SOURCE,
    AdaptedLabels,
    AdaptedLabelsObjective,
    ConfusionLayer,
    NoiseAdaptationSettings,
    clean_posterior,
    clean_sample,
    counted_start,
    identity_start,
    noisy_log_likelihood,
)
from trustag.methods.table import METHODS, load_recipe
from trustag.models.crf_head import SoftmaxHead
from trustag.models.heads import HeadOutputs
from trustag.models.network import Network
from trustag.models.tensor_files import save_tensors
from trustag.notes import Note
from trustag.pipeline import Destination, train
from trustag.recipes.settings import Recipe
from trustag.reports.run_report import write_report
from trustag.text.label_sets import LabelSet
from trustag.text.sentences import REVIEWED, Corpus, Sentence
from trustag.training.jobs import JobReport, RunReport
from trustag.training.objectives import Batch, GivenLabels
from trustag.training.schedule import FitSchedule

LABELS = LabelSet(("PER",), "BIES")
COUNT = len(LABELS)
WIDTH = 3
SCHEDULE = FitSchedule(seed=1, epochs=4, patience=4, batch_size=8, nominal_epochs=4)


def random_corpus(lengths: Sequence[int] = (4, 1, 6), seed: int = 0) -> EncodedCorpus:
    """Return sentences with random labels; the second token of the first is unknown, its third one reviewed."""
    draw = torch.Generator().manual_seed(seed)
    tokens = sum(lengths)
    label_ids = torch.randint(COUNT, (tokens,), generator=draw)
    label_ids[1] = NO_LABEL
    reviewed = torch.zeros(tokens, dtype=torch.bool)
    reviewed[2] = True
    words = tuple(tuple("word" for _ in range(length)) for length in lengths)
    return EncodedCorpus(words, LABELS, label_ids, None, reviewed)


def batch_of(corpus: EncodedCorpus, sentences: Sequence[int], features: Tensor, head: SoftmaxHead) -> Batch:
    rows = [corpus.rows[sentence] for sentence in sentences]
    labels = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=NO_LABEL)
    longest = max(map(len, rows))
    mask = torch.arange(longest)[None] < torch.tensor([len(row) for row in rows])[:, None]
    outputs: HeadOutputs = head.outputs(features, mask)
    return Batch(list(sentences), labels, None, outputs, lambda: outputs)  # type: ignore[arg-type] # nobody reads


def random_layer(width: int, seed: int = 3) -> ConfusionLayer:
    draw = torch.Generator().manual_seed(seed)
    start = torch.rand(COUNT, COUNT, generator=draw)
    layer = ConfusionLayer(start / start.sum(1, keepdim=True), width)
    if layer.weight is not None:
        nn.init.normal_(layer.weight, generator=draw)
    return layer


def slow_matrix(layer: ConfusionLayer, features: Sequence[float]) -> list[list[float]]:
    """Return theta of one token by its definition."""
    bias = layer.bias.tolist()
    weight = None if layer.weight is None else layer.weight.tolist()
    rows = []
    for clean in range(COUNT):
        scores = []
        for noisy in range(COUNT):
            score = bias[clean][noisy]
            if weight is not None:
                score += sum(unit * value for unit, value in zip(weight[clean][noisy], features, strict=True))
            scores.append(math.exp(score))
        rows.append([score / sum(scores) for score in scores])
    return rows


def softmax(scores: Sequence[float]) -> list[float]:
    powers = [math.exp(score) for score in scores]
    return [power / sum(powers) for power in powers]


@pytest.mark.parametrize("width", [0, WIDTH])
@pytest.mark.parametrize("anchor", [0.0, 0.3])
def test_loss_is_the_sum_over_clean_labels(width: int, anchor: float) -> None:
    corpus, layer = random_corpus(), random_layer(width)
    objective = AdaptedLabelsObjective(corpus, layer, anchor, frozen_epochs=0)
    torch.manual_seed(5)
    head = SoftmaxHead(LABELS, WIDTH)
    sentences = [2, 0]
    batch = batch_of(corpus, sentences, torch.randn(2, 6, WIDTH), head)
    expected = []
    for place, sentence in enumerate(sentences):
        total = 0.0
        for token in range(corpus.lengths[sentence]):
            index = corpus.offsets[sentence] + token
            given = int(corpus.label_ids[index])
            if given == NO_LABEL:
                continue
            clean = softmax(batch.label_outputs.logits[place, token].tolist())
            theta = slow_matrix(layer, batch.outputs.features[place, token].tolist())
            noisy = sum(clean[label] * theta[label][given] for label in range(COUNT))
            total -= math.log(clean[given] if bool(corpus.is_reviewed[index]) else noisy)
            total -= anchor * sum(theta[label][label] for label in range(COUNT))
        expected.append(total)
    losses = objective(batch)
    assert losses.shape == (2,)
    assert losses.tolist() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("width", [0, WIDTH])
def test_gradients(width: int) -> None:
    layer = random_layer(width).double()
    draw = torch.Generator().manual_seed(7)
    logits = torch.randn(2, COUNT, generator=draw, dtype=torch.double, requires_grad=True)
    features = torch.randn(2, WIDTH, generator=draw, dtype=torch.double, requires_grad=width > 0)
    noisy = torch.tensor([0, 3])
    own = {name: weight.detach().requires_grad_() for name, weight in layer.named_parameters()}

    def value(logits: Tensor, features: Tensor, *weights: Tensor) -> Tensor:
        named = dict(zip(own, weights, strict=True))
        log_confusion = torch.func.functional_call(layer, named, (features,))
        return noisy_log_likelihood(logits.log_softmax(-1), log_confusion, noisy)

    assert torch.autograd.gradcheck(value, (logits, features, *own.values()))


def test_identity_start_without_spread_is_cross_entropy() -> None:
    corpus = random_corpus()
    corpus = replace(corpus, is_reviewed=torch.zeros_like(corpus.is_reviewed))
    torch.manual_seed(2)
    head = SoftmaxHead(LABELS, WIDTH)
    batch = batch_of(corpus, [0, 1, 2], torch.randn(3, 6, WIDTH), head)
    objective = AdaptedLabelsObjective(corpus, ConfusionLayer(identity_start(COUNT, 0.0)), 0.0, frozen_epochs=0)
    plain = GivenLabels().build(corpus, Network(nn.Identity(), head), SCHEDULE)
    assert torch.allclose(objective(batch), plain(batch).float(), rtol=1e-5)


def test_identity_start_spreads_epsilon() -> None:
    start = identity_start(4, 0.1)
    assert torch.allclose(start.sum(1), torch.ones(4))
    assert torch.allclose(start.diagonal(), torch.full((4,), 0.925))
    assert torch.allclose(ConfusionLayer(start)(torch.empty(1, 0)).exp()[0], start, atol=1e-6)


def test_counted_start_counts_known_pairs_row_by_row() -> None:
    otherwise = identity_start(3, 0.3)
    clean = torch.tensor([0, 0, 0, 0, 1, NO_LABEL, 2, 3])
    noisy = torch.tensor([0, 0, 0, 1, 1, 1, NO_LABEL, 0])
    found = counted_start(clean, noisy, otherwise)
    assert torch.allclose(
        found, torch.stack([torch.tensor([0.75, 0.25, 0.0]), torch.tensor([0.0, 1, 0]), otherwise[2]])
    )


def test_posterior_weighs_clean_labels_by_the_matrix() -> None:
    corpus = random_corpus()
    draw = torch.Generator().manual_seed(1)
    clean = torch.rand(len(corpus.label_ids), COUNT, generator=draw).softmax(-1)
    matrix = torch.rand(COUNT, COUNT, generator=draw).softmax(-1)
    posterior = clean_posterior(clean, matrix, corpus)
    for token, given in enumerate(corpus.label_ids.tolist()):
        if given == NO_LABEL:
            expected = clean[token].tolist()
        elif corpus.is_reviewed[token]:
            expected = [float(label == given) for label in range(COUNT)]
        else:
            products = [float(clean[token, label] * matrix[label, given]) for label in range(COUNT)]
            expected = [product / sum(products) for product in products]
        assert posterior[token].tolist() == pytest.approx(expected, rel=1e-5)


def test_matrix_is_frozen_first_and_recorded_every_epoch() -> None:
    corpus = random_corpus()
    head = SoftmaxHead(LABELS, WIDTH)
    encoder = nn.Linear(1, 1)
    encoder.width = WIDTH  # type: ignore[assignment]
    settings = NoiseAdaptationSettings(layer="feature", frozen_epochs=2)
    stretched = replace(SCHEDULE, epochs=8)
    objective = AdaptedLabels(identity_start(COUNT, 0.1), settings).build(corpus, Network(encoder, head), stretched)
    frozen = []
    for epoch in range(6):
        objective.begin_epoch(epoch)
        frozen.append(not any(weight.requires_grad for weight in objective.parameters()))
        features = torch.randn(3, 6, WIDTH)
        objective(batch_of(corpus, [0, 1, 2], features, head))
        facts = objective.end_epoch(epoch)
    assert frozen == [True] * 4 + [False] * 2
    assert facts.keys() == {"unchanged_negative", "unchanged_positive"}
    matrices = objective.record(5)["matrices"]
    assert matrices.shape == (5, COUNT, COUNT)
    assert torch.allclose(matrices[-1], identity_start(COUNT, 0.1), atol=1e-6)  # nothing was learned


def test_feature_layer_records_the_mean_matrix_of_the_tokens() -> None:
    corpus, layer = random_corpus(), random_layer(WIDTH)
    objective = AdaptedLabelsObjective(corpus, layer, 0.0, frozen_epochs=0)
    head = SoftmaxHead(LABELS, WIDTH)
    batch = batch_of(corpus, [0], torch.randn(1, 4, WIDTH), head)
    objective(batch)
    objective.end_epoch(0)
    noisy = [0, 3]  # the second label is unknown, the third one reviewed
    clean = batch.label_outputs.logits.softmax(-1)[0, noisy]
    theta = torch.tensor([slow_matrix(layer, batch.outputs.features[0, token].tolist()) for token in noisy])
    expected = (clean[:, :, None] * theta).sum(0) / clean.sum(0)[:, None]
    assert torch.allclose(objective.record(1)["matrices"][0], expected, atol=1e-5)


@pytest.mark.parametrize("width", [0, COUNT])
def test_recovers_a_known_confusion_matrix(width: int) -> None:
    """Half of the labels are clean; without any, the tagger could imitate the noise and leave the identity."""
    torch.manual_seed(1)
    truth = torch.tensor(
        [
            [0.9, 0.0, 0.0, 0.0, 0.1],
            [0.4, 0.6, 0.0, 0.0, 0.0],
            [0.0, 0.2, 0.8, 0.0, 0.0],
            [0.3, 0.0, 0.0, 0.7, 0.0],
            [0.0, 0.0, 0.0, 0.4, 0.6],
        ]
    )
    clean = torch.randint(COUNT, (600,))
    is_reviewed = torch.arange(600) < 300
    given = torch.where(is_reviewed, clean, torch.multinomial(truth[clean], 1).squeeze(1))
    corpus = EncodedCorpus((("word",) * 600,), LABELS, given, None, is_reviewed)
    features = nn.functional.one_hot(clean, COUNT).float()[None]
    head = SoftmaxHead(LABELS, COUNT)
    objective = AdaptedLabelsObjective(corpus, ConfusionLayer(identity_start(COUNT, 0.5), width), 0.0, 0)
    optimizer = torch.optim.Adam([*head.parameters(), *objective.parameters()], lr=0.1)
    for epoch in range(2):
        for _ in range(150):
            optimizer.zero_grad()
            objective(batch_of(corpus, [0], features, head)).mean().backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        objective.end_epoch(epoch)
    drawn = counted_start(clean[~is_reviewed], given[~is_reviewed], truth)
    assert float((objective.record(2)["matrices"][1] - drawn).abs().max()) < 0.03
    assert torch.equal(head.scores(features, torch.ones(features.shape[:2], dtype=torch.bool)).argmax(-1)[0], clean)


def small_corpus(train: int = 60) -> Corpus:
    """Return a few sentences, one of them with reviewed labels and an unknown one."""
    corpus = demo_corpus()
    first = corpus.train[0]
    labels = (None, *first.labels[1:])
    reviewed = Sentence(first.tokens, labels, gold=first.gold, token_sources=(REVIEWED,) * len(first))
    return Corpus((reviewed, *corpus.train[1:train]), corpus.dev[:10], corpus.test[:10])


def small_recipe(*changes: str) -> Recipe:
    small = ("bilstm.random_vectors=true", "bilstm.words=8", "bilstm.hidden=6", "bilstm.character_hidden=3")
    length = ("training.epochs=2", "training.batch_size=8", "training.snapshot_seconds=0", "method.frozen_epochs=1")
    return load_recipe(None, [*small, *length, *changes], method="noise-adaptation")


def test_is_found_with_its_recipe() -> None:
    assert METHODS["noise-adaptation"] == "trustag.methods.noise_adaptation:METHOD"
    recipe = load_recipe(None, [], method="noise-adaptation")
    assert recipe.model.head == "softmax"
    assert recipe.method == {"name": "noise-adaptation", **NoiseAdaptationSettings().model_dump()}


def test_training_leaves_a_run_with_model_and_label_findings(tmp_path: Path) -> None:
    corpus = small_corpus()
    result = train(corpus, small_recipe(), Destination(tmp_path / "run"))
    manifest = json.loads(result.run.manifest.read_text(encoding="utf-8"))
    assert manifest["method"] == "noise-adaptation"
    assert manifest["confusion"]["O"]["O"] > 0.5
    assert [entry.epoch for entry in result.history] == [0, 1]
    assert {"unchanged_negative", "unchanged_positive"} <= result.history[0].facts.keys()
    assert load(tmp_path / "run").predict_tokens([["Ann", "lives", "in", "Lisbon", "."]])
    assert result.analysis is not None
    assert result.analysis.rates.source == RATE_SOURCE
    assert 0 <= result.analysis.rates.rates.negative <= 1
    run = result.run
    assert all(path.exists() for path in (run.issues, run.relabelled, run.changes, run.confidence, run.rates))
    reviewed = len(corpus.train[0])
    columns = result.analysis.columns
    assert columns["trusted"][1:reviewed].all()
    assert (columns["wrong"][:reviewed] == 0).all()  # an unknown label cannot be wrong, a reviewed one is not
    assert result.analysis.relabelled[0].labels[1:] == corpus.train[0].labels[1:]
    assert result.analysis.relabelled[0].labels[0] is not None


def test_screen_and_report_name_the_method(tmp_path: Path) -> None:
    recipe = small_recipe("training.epochs=1")
    result = train(small_corpus(30), recipe, Destination(tmp_path / "run"))
    screen = "\n".join(in_words(result, recipe))
    assert "Trained a BiLSTM on 30 sentences, method noise-adaptation." in screen
    assert f"Noise rates, {RATE_SOURCE}" in screen
    assert "relabelled once" not in screen
    page = write_report(result.run.path, tmp_path / "report.html", overwrite=False).read_text(encoding="utf-8")
    assert "method noise-adaptation" in page
    assert f"The rates are {RATE_SOURCE}." in page
    assert "baseline (labels as given)" not in page


@pytest.mark.parametrize("changes", [("method.start=pretrained", "method.layer=feature"), ("method.start=paired",)])
def test_matrix_starts_from_a_pretrained_model(tmp_path: Path, changes: Sequence[str]) -> None:
    notes: list[Note] = []
    recipe = small_recipe("method.pretrain_epochs=1", "training.epochs=1", *changes)
    result = train(small_corpus(30), recipe, Destination(tmp_path / "run"), watch=notes.append)
    assert {path.name for path in result.run.jobs.iterdir()} == {"pretraining", "model"}
    details = [note.detail for note in notes if note.reason == "confusion counted on clean sentences"]
    paired = "method.start=paired" in changes
    assert details == (["3 of 10 dev sentences, the others select the epoch"] if paired else [])


class StoppedError(Exception):
    """Raised in the middle of a training, as a kill would end it."""


@pytest.mark.parametrize("layer", ["global", "feature"])
def test_killed_and_resumed_ends_as_unbroken(tmp_path: Path, layer: str) -> None:
    corpus, recipe = small_corpus(30), small_recipe("training.epochs=3", f"method.layer={layer}")

    def stop(report: RunReport) -> None:
        if isinstance(report, JobReport) and report.epoch.epoch == 1:
            raise StoppedError

    unbroken = train(corpus, recipe, Destination(tmp_path / "unbroken", keep_jobs=True))
    with pytest.raises(StoppedError):
        train(corpus, recipe, Destination(tmp_path / "resumed"), report=stop)
    resumed = train(corpus, recipe, Destination(tmp_path / "resumed", resume=True, keep_jobs=True))
    assert resumed.summary() == unbroken.summary()
    for name in ("model-best/weights.safetensors", "jobs/model/outcome/tensors.safetensors", "metrics.jsonl"):
        first, second = (result.run.path / name for result in (unbroken, resumed))
        assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("layer", ["global", "feature"])
def test_state_of_a_first_epoch_is_restored(tmp_path: Path, layer: str) -> None:
    corpus = random_corpus()
    width = WIDTH if layer == "feature" else 0
    objective = AdaptedLabelsObjective(corpus, random_layer(width), 0.0, 0)
    head = SoftmaxHead(LABELS, WIDTH)
    objective(batch_of(corpus, [0, 2], torch.randn(2, 6, WIDTH), head))
    save_tensors(objective.state(), tmp_path / "state")
    other = AdaptedLabelsObjective(corpus, random_layer(width, seed=9), 0.0, 0)
    other.restore(load_file(tmp_path / "state"))
    assert other.end_epoch(0) == objective.end_epoch(0)
    assert torch.equal(other.record(1)["matrices"], objective.record(1)["matrices"])
    assert all(map(torch.equal, other.parameters(), objective.parameters()))


def test_refuses_a_crf_and_a_paired_start_without_dev(tmp_path: Path) -> None:
    corpus = small_corpus(5)
    with pytest.raises(InputError, match=r"needs a softmax head; use --recipe noise-adaptation or --set model\.head"):
        train(corpus, small_recipe("model.head=crf"), Destination(tmp_path / "run"))
    with pytest.raises(InputError, match="needs a dev split of at least 2 sentences; give --dev"):
        train(Corpus(corpus.train), small_recipe("method.start=paired"), Destination(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_clean_sample_and_the_rest_are_all_of_dev() -> None:
    dev = demo_corpus().dev[:10]
    clean, rest = clean_sample(dev, 0.3, seed=1)
    assert len(clean) == 3
    assert sorted(sentence.tokens for sentence in (*clean, *rest)) == sorted(sentence.tokens for sentence in dev)
    assert clean_sample(dev, 0.3, seed=1) == (clean, rest)
    assert [len(part) for part in clean_sample(dev[:2], 0.0, seed=1)] == [1, 1]
    assert [len(part) for part in clean_sample(dev[:2], 0.99, seed=1)] == [1, 1]

"""Frozen features against the plain way, one sentence at a time; and that nothing of them is in a network."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.models.test_transformer import PlainWay, any_word
from tests.models.tiny_transformers import save_bert, save_roberta
from tests.training.small import small_corpus, small_recipe, small_spec
from trustag.errors import InputError
from trustag.models import context as context_module
from trustag.models.bilstm import BiLSTMEncoder
from trustag.models.building import new_network
from trustag.models.context import Context, FrozenContext, load_context
from trustag.models.network import Network
from trustag.models.saving import load_model, save_model
from trustag.models.stored_context import StoredContext, write_features
from trustag.models.tagger import Tagger
from trustag.models.transformer import TransformerEncoder, TransformerOptions
from trustag.notes import unwatched
from trustag.text.label_sets import LabelSet

POSITIONS = 64
SENTENCES = [
    ("Ada", "Lovelace", "wrote", "the", "U.S.", "program", "."),
    ("Zürich",),
    ("http://example.org/a_b?c=d", "ada@example.org", "—", "São", "x y", "中文"),
]
ODD = ("\u200b", "", "\x07", "engine", "\ud800")
LONG = ("The", "engine", "was", "never", "built", ",", "said", "Ada", "Lovelace", "in", "New", "York", ".") * 30
LABELS = LabelSet.of(["PER", "LOC"])


@pytest.fixture(scope="module", params=["bert", "roberta"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    save = save_bert if request.param == "bert" else save_roberta
    return save(tmp_path_factory.mktemp("context") / request.param, POSITIONS)


@pytest.fixture(scope="module")
def context(folder: Path) -> FrozenContext:
    return FrozenContext.from_pretrained(str(folder), (1, 2))


@pytest.fixture
def stored(context: FrozenContext, tmp_path: Path) -> StoredContext:
    context.save(tmp_path)
    write_features(tmp_path, 0, SENTENCES, tmp_path)
    write_features(tmp_path, 1, [ODD, LONG], tmp_path)
    return StoredContext(tmp_path)


def fresh(context: Context | None, folder: Path | None, *changes: str) -> Network:
    torch.manual_seed(1)
    named = [f"bilstm.context='{folder}'"] if folder else []
    tokens = [sentence.tokens for sentence in small_corpus().train]
    spec = replace(small_spec(small_recipe(*named, *changes)), context=context)
    return new_network(tokens, LABELS, spec, unwatched)


def assert_alike(found: Tensor, expected: Tensor) -> None:
    """Two ways of summing may fall on either side of a border between two halves, and no farther apart."""
    torch.testing.assert_close(found, expected, rtol=2**-10, atol=2**-10)


def test_features_are_those_of_the_plain_way_in_half_precision(folder: Path, context: FrozenContext) -> None:
    plain = PlainWay(folder)
    for tokens, rows in zip(SENTENCES, context.rows(SENTENCES), strict=True):
        expected = torch.cat([plain(tokens, "mean", layer) for layer in (1, 2)], dim=1)
        assert rows.dtype == torch.float16
        assert rows.shape == (len(tokens), context.width)
        assert_alike(rows.float(), expected)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(any_word, min_size=1, max_size=60), min_size=1, max_size=4))
def test_every_token_has_its_row_whatever_stands_beside(context: FrozenContext, sentences: list[list[str]]) -> None:
    together = context.rows(sentences)
    assert [len(rows) for rows in together] == [len(tokens) for tokens in sentences]
    for tokens, rows in zip(sentences, together, strict=True):
        context._known.clear()
        assert_alike(context.rows([tokens])[0], rows)


def test_long_sentences_are_read_in_the_windows_of_the_transformer_encoder(
    folder: Path, context: FrozenContext
) -> None:
    def layer(number: int) -> Tensor:
        encoder = TransformerEncoder.from_pretrained(str(folder), TransformerOptions("mean", number)).eval()
        with torch.no_grad():
            rows: Tensor = encoder(encoder.collate([LONG]))[0]
        return rows

    expected = torch.cat([layer(1), layer(2)], dim=1)
    assert_alike(context.rows([LONG])[0].float(), expected)


def test_no_more_than_the_bound_is_remembered_and_that_changes_nothing(
    context: FrozenContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = context.rows([*SENTENCES, ODD, LONG])
    monkeypatch.setattr(context_module, "_REMEMBERED", 10)
    for _ in range(2):
        for tokens, rows in zip([*SENTENCES, ODD, LONG], expected, strict=True):
            assert_alike(context.rows([tokens])[0], rows)
            assert sum(map(len, context._known)) <= 10


def test_nothing_of_the_transformer_is_in_the_network_and_none_of_it_learns(
    folder: Path, context: FrozenContext, stored: StoredContext
) -> None:
    before = {name: weight.clone() for name, weight in context._transformer.state_dict().items()}
    plain = fresh(None, None)
    for given_context in (context, stored):
        network = fresh(given_context, folder)
        assert set(network.state_dict()) == set(plain.state_dict())
        optimizer = torch.optim.SGD(network.parameters(), lr=1.0)
        network.scores(SENTENCES).sum().backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    assert not any(weight.requires_grad or weight.grad is not None for weight in context._transformer.parameters())
    assert not context._transformer.training
    assert all(torch.equal(before[name], weight) for name, weight in context._transformer.state_dict().items())


@pytest.mark.parametrize("learning", ["true", "false"])
def test_a_context_that_nobody_listens_to_changes_nothing(folder: Path, context: FrozenContext, learning: str) -> None:
    """The features stand first; without weights on them all scores and gradients are those of a network without."""
    changes = ("bilstm.dropout=0.0", f"bilstm.finetune_vectors={learning}")
    plain, listening = fresh(None, None, *changes), fresh(context, folder, *changes)
    weights = plain.state_dict()
    name = "encoder.sentence_lstm.input_weights"
    silent = torch.zeros(2, context.width, weights[name].shape[2])
    listening.load_state_dict({**weights, name: torch.cat([silent, weights[name]], dim=1)})
    scores = [network.scores(SENTENCES) for network in (plain, listening)]
    torch.testing.assert_close(*scores)
    for table in scores:
        table.square().sum().backward()  # type: ignore[no-untyped-call]
    for (part, weight), (_, other) in zip(plain.named_parameters(), listening.named_parameters(), strict=True):
        if weight.grad is None or other.grad is None:
            assert weight.grad is other.grad, part
            continue
        expected, found = weight.grad.to_dense(), other.grad.to_dense()
        torch.testing.assert_close(found[:, context.width :] if part == name else found, expected, msg=part)


def test_the_weights_on_a_context_learn_from_it(folder: Path, context: FrozenContext) -> None:
    network = fresh(context, folder, "bilstm.dropout=0.0")
    network.scores(SENTENCES).square().sum().backward()  # type: ignore[no-untyped-call]
    encoder = network.encoder
    assert isinstance(encoder, BiLSTMEncoder)
    slopes = encoder.sentence_lstm.input_weights.grad
    assert slopes is not None
    assert slopes[:, : context.width].abs().amin(-1).gt(0).all()


def answers(tagger: Tagger, sentences: Sequence[Sequence[str]]) -> tuple[list[tuple[str, ...]], list[object]]:
    return list(tagger.tag(sentences)), [table.tolist() for table in tagger.marginals(sentences)]


@pytest.mark.parametrize("kind", ["frozen", "stored"])
def test_a_saved_model_is_whole_and_tags_the_same(
    kind: str, folder: Path, context: FrozenContext, stored: StoredContext, tmp_path: Path
) -> None:
    given_context: Context = context if kind == "frozen" else stored
    network = fresh(given_context, folder)
    sentences = [*SENTENCES, LONG]
    expected = answers(Tagger(network), sentences)
    save_model(network, small_spec(small_recipe("bilstm.context=gone/elsewhere")), tmp_path / "model")
    shutil.move(tmp_path / "model", tmp_path / "moved")
    loaded = load_model(tmp_path / "moved")
    labels, tables = answers(loaded, sentences)
    assert labels == expected[0]
    for found, wanted in zip(tables, expected[1], strict=True):
        torch.testing.assert_close(torch.tensor(found), torch.tensor(wanted), rtol=1e-3, atol=1e-3)
    save_model(loaded.network, small_spec(small_recipe("bilstm.context=gone/elsewhere")), tmp_path / "again")
    for file in ("context/weights.safetensors", "context/tokenizer.json", "weights.safetensors"):
        assert (tmp_path / "again" / file).read_bytes() == (tmp_path / "moved" / file).read_bytes()


def test_what_is_missing_or_wrong_in_a_saved_context_is_named(
    folder: Path, context: FrozenContext, tmp_path: Path
) -> None:
    model = tmp_path / "model"
    save_model(fresh(context, folder), small_spec(small_recipe(f"bilstm.context='{folder}'")), model)
    config = model / "context" / "context.json"
    facts = json.loads(config.read_text())
    config.write_text(json.dumps({**facts, "layers": [1, 9]}))
    with pytest.raises(InputError, match=r"context.json: layers \[1, 9\] of a model that has 2"):
        load_model(model)
    config.write_text(json.dumps({**facts, "layers": "all"}))
    with pytest.raises(InputError, match="not the description of a context"):
        load_model(model)
    # One layer less: the weights on its features are of another shape.
    config.write_text(json.dumps({**facts, "layers": [1]}))
    with pytest.raises(InputError, match="sentence_lstm.input_weights has the shape"):
        load_model(model)
    config.write_text(json.dumps(facts))
    weights = model / "context" / "weights.safetensors"
    weights.rename(tmp_path / "elsewhere.safetensors")
    with pytest.raises(InputError, match="context/weights.safetensors: broken weights"):
        load_model(model)
    weights.symlink_to(tmp_path / "elsewhere.safetensors")
    with pytest.raises(InputError, match="a link that may lead elsewhere"):
        load_model(model)
    shutil.rmtree(model / "context")
    with pytest.raises(InputError, match="context.json: cannot be read"):
        load_model(model)


def test_layers_are_the_usual_ones_or_those_named(folder: Path) -> None:
    usual = FrozenContext.from_pretrained(str(folder))
    assert (usual.config.layers, usual.width) == ((1,), 16)
    last = FrozenContext.from_pretrained(str(folder), (-1,))
    assert last.config.layers == (2,)
    for layers in ((3,), (0, -4)):
        with pytest.raises(
            InputError, match=r"names (3|-4): the model has 2 layers; choose from 0 \(embeddings\) to 2"
        ):
            FrozenContext.from_pretrained(str(folder), layers)


def test_the_mean_of_layers_is_as_wide_as_one(folder: Path, tmp_path: Path) -> None:
    mean = FrozenContext.from_pretrained(str(folder), (0, 1, 2), "mean")
    beside = FrozenContext.from_pretrained(str(folder), (0, 1, 2))
    assert (mean.width, beside.width) == (16, 48)
    expected = [rows.float().view(len(rows), 3, 16).mean(1) for rows in beside.rows(SENTENCES)]
    for rows, own in zip(expected, mean.rows(SENTENCES), strict=True):
        assert torch.allclose(rows, own.float(), atol=2e-3)
    mean.save(tmp_path)
    again = load_context(tmp_path)
    assert again.config == mean.config
    assert_alike(again.rows(SENTENCES)[0], mean.rows(SENTENCES)[0])


def test_word_vectors_are_no_context(folder: Path) -> None:
    with pytest.raises(InputError, match="english-glove: word vectors, not an encoder; use them with --vectors"):
        FrozenContext.from_pretrained("english-glove")


def test_a_context_without_its_own_at_hand_is_loaded(folder: Path, context: FrozenContext) -> None:
    network = fresh(None, folder, "bilstm.context_layers=1,2")
    encoder = network.encoder
    assert isinstance(encoder, BiLSTMEncoder)
    assert encoder.context is not None
    assert_alike(encoder.context.rows(SENTENCES)[0], context.rows(SENTENCES)[0])


def test_a_saved_context_is_the_same_context(context: FrozenContext, tmp_path: Path) -> None:
    context.save(tmp_path)
    again = load_context(tmp_path)
    assert again.config == context.config
    for found, expected in zip(again.rows([*SENTENCES, ODD]), context.rows([*SENTENCES, ODD]), strict=True):
        assert_alike(found, expected)

"""The transformer encoder against the plain way: one sentence at a time through the Hugging Face library."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import pre_tokenizers
from torch import Tensor
from transformers import AutoModel, AutoTokenizer

from tests.models.tiny_transformers import loss_before_and_after_learning, save_bert, save_roberta
from tests.strategies import tokens
from trustag.errors import InputError
from trustag.models.piece_batches import BLOCK_PIECES, Pooling
from trustag.models.transformer import TransformerEncoder, TransformerOptions
from trustag.models.windows import both_ends, cut_windows

POSITIONS = 64
KINDS = ("bert", "roberta")
SENTENCES = [
    ["Ada", "Lovelace", "wrote", "the", "U.S.", "program", "."],
    ["Zürich"],
    ["http://example.org/a_b?c=d", "ada@example.org", "—", "São", "x y", "中文"],
]
# Characters that tokenizers like to drop: zero-width, control, private use, unusual spaces, half surrogates.
ODD = st.sampled_from("\u200b\u200d\ufeff\u00ad\0\x07\u3000\u2028\t\n \u0301\ufffd\ue000\ud800\udfff😀नि")
any_word = st.text(ODD | st.characters(), max_size=5) | st.sampled_from(["[SEP]", "<s>", "[UNK]", "a<pad>b", "##ing"])


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("transformers")
    return {"bert": save_bert(base / "bert", POSITIONS), "roberta": save_roberta(base / "roberta", POSITIONS)}


@pytest.fixture(scope="module")
def plain_ways(folders: dict[str, Path]) -> dict[str, "PlainWay"]:
    return {kind: PlainWay(folder) for kind, folder in folders.items()}


@pytest.fixture(scope="module")
def encoders(folders: dict[str, Path]) -> dict[str, TransformerEncoder]:
    return {kind: load(folder).eval() for kind, folder in folders.items()}


def load(folder: Path, alphabet: Sequence[str] = (), **options: Any) -> TransformerEncoder:
    return TransformerEncoder.from_pretrained(str(folder), TransformerOptions(**options), alphabet)


def encode(encoder: TransformerEncoder, sentences: Sequence[Sequence[str]]) -> Tensor:
    with torch.no_grad():
        features: Tensor = encoder(encoder.collate(sentences))
    return features


class PlainWay:
    """The Hugging Face model and tokenizer as their own documentation uses them."""

    def __init__(self, folder: Path) -> None:
        self.model: Any = AutoModel.from_pretrained(folder).eval()
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        if folder.name == "roberta":
            self.tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)

    def pieces(self, words: Sequence[str], *, specials_in_text: bool = False) -> Any:
        return self.tokenizer(
            list(words), is_split_into_words=True, return_tensors="pt", split_special_tokens=not specials_in_text
        )

    def __call__(self, words: Sequence[str], pooling: Pooling = "first", layer: int = -1, **options: Any) -> Tensor:
        cut = self.pieces(words, **options)
        with torch.no_grad():
            found = self.model(cut["input_ids"], cut["attention_mask"], output_hidden_states=True)
        states = found.hidden_states[layer][0]
        rows = []
        for word in range(len(words)):
            mine = states[[place for place, other in enumerate(cut.word_ids()) if other == word]]
            rows.append({"first": mine[0], "last": mine[-1], "mean": mine.mean(0)}[pooling])
        return torch.stack(rows)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("pooling", ["first", "last", "mean"])
@pytest.mark.parametrize("layer", [-1, 0, 1, -2])
def test_features_equal_the_plain_way(
    folders: dict[str, Path], plain_ways: dict[str, PlainWay], kind: str, pooling: Pooling, layer: int
) -> None:
    encoder = load(folders[kind], pooling=pooling, layer=layer).eval()
    features = encode(encoder, SENTENCES)
    assert features.shape == (3, 7, encoder.width)
    for row, words in zip(features, SENTENCES, strict=True):
        torch.testing.assert_close(row[: len(words)], plain_ways[kind](words, pooling, layer), atol=1e-5, rtol=1e-5)
        assert not row[len(words) :].any()


@settings(max_examples=60)
@given(st.lists(st.lists(any_word, min_size=1, max_size=6), min_size=1, max_size=4), st.sampled_from(KINDS))
def test_every_token_has_features_whatever_it_is(
    encoders: dict[str, TransformerEncoder], sentences: list[list[str]], kind: str
) -> None:
    features = encode(encoders[kind], sentences)
    assert features.shape == (len(sentences), max(map(len, sentences)), encoders[kind].width)
    assert features.isfinite().all()
    for row, words in zip(features, sentences, strict=True):
        assert row.abs().sum(-1).gt(0).tolist() == [word < len(words) for word in range(len(row))]


def test_a_swallowed_word_is_read_as_unknown(
    encoders: dict[str, TransformerEncoder], plain_ways: dict[str, PlainWay]
) -> None:
    words = ["the", "\u200b", "engine", "\0", ""]
    unknown = ["the", "[UNK]", "engine", "[UNK]", "[UNK]"]
    assert 1 not in plain_ways["bert"].pieces(words).word_ids()
    expected = plain_ways["bert"](unknown, specials_in_text=True)
    torch.testing.assert_close(encode(encoders["bert"], [words])[0], expected, atol=1e-5, rtol=1e-5)


@settings(max_examples=25)
@given(
    st.lists(st.lists(tokens(), min_size=1, max_size=40), min_size=1, max_size=5),
    st.sampled_from(KINDS),
    st.randoms(use_true_random=False),
)
def test_neighbours_padding_and_order_change_nothing(
    encoders: dict[str, TransformerEncoder], sentences: list[list[str]], kind: str, random: Any
) -> None:
    order = list(range(len(sentences)))
    random.shuffle(order)
    together = encode(encoders[kind], [sentences[i] for i in order])
    for row, i in zip(together, order, strict=True):
        alone = encode(encoders[kind], [sentences[i]])[0]
        torch.testing.assert_close(row[: len(alone)], alone, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("pooling", ["first", "last", "mean"])
def test_long_sentences_are_read_window_by_window(
    folders: dict[str, Path], plain_ways: dict[str, PlainWay], kind: str, pooling: Pooling
) -> None:
    encoder = load(folders[kind], pooling=pooling, stride=12).eval()
    words = [word for _ in range(16) for sentence in SENTENCES[:2] for word in sentence]
    features = encode(encoder, [["Ada"], words])[1]
    sizes = [len(encoder.cutter(word)) for word in words]
    windows = cut_windows(sizes, POSITIONS - 2, 12)
    assert len(windows) > 3
    for window in windows:
        read = plain_ways[kind](words[window.start : window.end], pooling)
        kept = read[window.kept_start - window.start : window.kept_end - window.start]
        mine = features[window.kept_start : window.kept_end]
        torch.testing.assert_close(mine, kept, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sentence_that_fits_is_read_as_if_there_were_no_windows(folders: dict[str, Path], kind: str) -> None:
    words = ["the"] * (POSITIONS - 2)
    exact, strided = load(folders[kind]).eval(), load(folders[kind], stride=1).eval()
    assert exact.collate([words]).blocks[0].pieces.shape == (1, POSITIONS)
    assert torch.equal(encode(exact, [words]), encode(strided, [words]))
    assert len(exact.collate([[*words, "the"]]).blocks[0].pieces) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_sentence_of_five_thousand_words_is_read_in_bounded_blocks(
    encoders: dict[str, TransformerEncoder], kind: str
) -> None:
    words = ["New", "York", "U.S."] * 1667
    inputs = encoders[kind].collate([words, ["Ada"]])
    assert len(inputs.blocks) > 1
    assert all(block.pieces.numel() <= BLOCK_PIECES for block in inputs.blocks)
    assert all(block.pieces.shape[1] <= POSITIONS for block in inputs.blocks)
    features = encode(encoders[kind], [words, ["Ada"]])
    assert features.shape[:2] == (2, 5001)
    assert features[0].abs().sum(-1).gt(0).all()
    torch.testing.assert_close(features[1, :1], encode(encoders[kind], [["Ada"]])[0], atol=1e-5, rtol=1e-5)


def test_of_a_word_longer_than_a_window_both_ends_are_read(
    encoders: dict[str, TransformerEncoder], plain_ways: dict[str, PlainWay]
) -> None:
    encoder, long = encoders["roberta"], "https://" + "qz7" * 3000
    features = encode(encoder, [["the", long, "engine"]])
    assert features.shape[1] == 3
    pieces = both_ends(encoder.cutter(long), (POSITIONS - 2) // 2)
    specials = encoder.cutter.specials
    row = torch.tensor(
        [[*specials.before, *encoder.cutter("the"), *pieces, *encoder.cutter("engine"), *specials.after]]
    )
    with torch.no_grad():
        states = plain_ways["roberta"].model(row).last_hidden_state[0]
    start = 1 + len(encoder.cutter("the"))
    torch.testing.assert_close(features[0, :2], states[[1, start]], atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(features[0, 2], states[start + len(pieces)], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("character_hidden", [0, 3])
def test_everything_learns(folders: dict[str, Path], kind: str, character_hidden: int) -> None:
    encoder = load(folders[kind], "abcdeA.", characters=4, character_hidden=character_hidden, dropout=0.1)
    sentences = [["Ada", "wrote", "the"], ["Zürich", "Köln"], ["the", "Ada", "Ada", "engine"] * 12]
    gold = torch.zeros(3, 48, dtype=torch.long)
    for i, words in enumerate(sentences):
        gold[i, : len(words)] = torch.tensor([word[0].isupper() for word in words]).long()
    before, after = loss_before_and_after_learning(encoder, sentences, gold, rate=1e-2)
    assert after < before
    assert [name for name, parameter in encoder.named_parameters() if parameter.grad is None] == []


def test_character_features_stand_beside_the_transformers(folders: dict[str, Path]) -> None:
    encoder = load(folders["bert"], sorted(set("Adalovece")), character_hidden=3).eval()
    assert encoder.width == 16 + 6
    features = encode(encoder, [["Ada", "love"], ["Ada"]])
    torch.testing.assert_close(features[:, :, :16], encode(load(folders["bert"]).eval(), [["Ada", "love"], ["Ada"]]))
    torch.testing.assert_close(features[0, 0, 16:], features[1, 0, 16:])
    assert features[0, 1, 16:].any()
    assert not features[1, 1].any()


def test_options_that_do_not_fit_are_errors(folders: dict[str, Path]) -> None:
    with pytest.raises(InputError, match=r"layer = 3: the model has 2 layers"):
        load(folders["bert"], layer=3)
    with pytest.raises(InputError, match=r"only 2 pieces can be read at once"):
        load(folders["bert"], window=2)
    assert load(folders["bert"], window=3).collate([["the", "the"]]).blocks[0].pieces.shape == (2, 3)


def test_inputs_can_be_moved(folders: dict[str, Path]) -> None:
    encoder = load(folders["bert"], "a", character_hidden=2)
    inputs = encoder.collate([["Ada", "a"], ["a"]])
    assert inputs.to(torch.device("cpu")) is inputs
    moved = inputs.to(torch.device("meta"))
    assert moved.spellings is not None
    assert {moved.blocks[0].pieces.device.type, moved.bags.device.type, moved.spellings.letters.device.type} == {"meta"}

"""The BiLSTM encoder against a slow one that takes every sentence and every word by itself."""

from collections.abc import Sequence

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.models.test_lstm import torch_twin
from trustag.models.bilstm import BiLSTMEncoder, BiLSTMSizes
from trustag.models.building import new_network
from trustag.models.network_spec import NetworkSpec
from trustag.models.vocabulary import UNKNOWN, Vocabulary
from trustag.models.word_table import VectorTraining, WordTable
from trustag.notes import unwatched
from trustag.recipes.network_settings import BiLSTMSettings, NetworkSettings
from trustag.text.label_sets import LabelSet
from trustag.vectors.word_vectors import Lookup

VOCABULARY = Vocabulary(("Ada", "slept"), ("the", "of", "0"), tuple("Aadehlopst."), Lookup())
SIZES = BiLSTMSizes(words=4, characters=3, character_hidden=2, hidden=3)

words = st.sampled_from(["Ada", "ada", "The", "of", "42", "slept", "new", "", ".", "é😀", "x" * 100]) | st.text(
    max_size=4
)
batches = st.lists(st.lists(words, min_size=1, max_size=6), min_size=1, max_size=5)


def build(training: VectorTraining = "frozen", *, seed: int = 1) -> BiLSTMEncoder:
    torch.manual_seed(seed)
    sizes = BiLSTMSizes(4, 3, 2, 3, dropout=0.5)
    return BiLSTMEncoder(VOCABULARY, WordTable(2, torch.randn(3, 4), training), sizes).double()


def encode(encoder: BiLSTMEncoder, sentences: Sequence[Sequence[str]]) -> Tensor:
    features: Tensor = encoder(encoder.collate(sentences))
    return features


class SlowEncoder:
    """The same weights in torch's own LSTMs, one word and one sentence at a time."""

    def __init__(self, encoder: BiLSTMEncoder) -> None:
        self.encoder = encoder
        self.over_letters = torch_twin(encoder.characters.lstm)
        self.over_words = torch_twin(encoder.sentence_lstm)

    def __call__(self, sentence: Sequence[str]) -> Tensor:
        rows = []
        for word in sentence:
            letters = self.encoder.characters.letters(torch.tensor(VOCABULARY.characters_of(word)))
            _, (final, _) = self.over_letters(letters)
            vector = self.encoder.table(torch.tensor([VOCABULARY.word(word)]))[0]
            rows.append(torch.cat([vector, final[0], final[1]]))
        features: Tensor = self.over_words(torch.stack(rows))[0]
        return features


@settings(max_examples=40)
@given(batches)
def test_features_equal_the_slow_encoder_whatever_else_is_in_the_batch(sentences: list[list[str]]) -> None:
    encoder = build().eval()
    slowly = SlowEncoder(encoder)
    features = encode(encoder, sentences)
    assert features.shape == (len(sentences), max(map(len, sentences)), encoder.width)
    for row, sentence in zip(features, sentences, strict=True):
        torch.testing.assert_close(row[: len(sentence)], slowly(sentence))
        assert not row[len(sentence) :].any()


@settings(max_examples=20)
@given(batches, st.randoms(use_true_random=False))
def test_order_changes_nothing(sentences: list[list[str]], random: object) -> None:
    encoder = build().eval()
    order = list(range(len(sentences)))
    random.shuffle(order)  # type: ignore[attr-defined]
    shuffled = encode(encoder, [sentences[i] for i in order])
    torch.testing.assert_close(shuffled, encode(encoder, sentences)[order])


def test_repeated_sentences_and_words_have_equal_features() -> None:
    encoder = build().eval()
    features = encode(encoder, [["of", "Ada"], ["the"], ["of", "Ada"]])
    torch.testing.assert_close(features[0], features[2])
    inputs = encoder.collate([["of", "of", "Ada"], ["Ada"]])
    assert len(inputs.spellings.packing.last) == 2


def test_a_very_long_word_is_read_at_both_ends() -> None:
    encoder = build().eval()
    long = encode(encoder, [["a" * 30 + "x" * 10_000 + "t" * 30]])
    assert torch.equal(long, encode(encoder, [["a" * 30 + "t" * 30]]))
    assert not torch.equal(long, encode(encoder, [["a" * 30 + "h" * 30]]))


def test_gradients_equal_the_slow_encoder() -> None:
    encoder = build().eval()
    sentences = [["Ada", "of"], ["the", "the", "new", "slept"], ["."]]
    torch.autograd.backward(encode(encoder, sentences).square().sum())
    fast = {name: parameter.grad for name, parameter in encoder.named_parameters()}
    encoder.zero_grad()
    slowly = SlowEncoder(encoder)
    torch.autograd.backward(torch.cat([slowly(sentence) for sentence in sentences]).square().sum())
    torch.testing.assert_close(fast["table.fresh"], encoder.table.fresh.grad)
    torch.testing.assert_close(fast["characters.letters.weight"], encoder.characters.letters.weight.grad)
    for name, twin in (("characters.lstm", slowly.over_letters), ("sentence_lstm", slowly.over_words)):
        forwards, backwards = twin.weight_ih_l0.grad, twin.weight_ih_l0_reverse.grad
        assert isinstance(forwards, Tensor)
        assert isinstance(backwards, Tensor)
        torch.testing.assert_close(fast[f"{name}.input_weights"], torch.stack([forwards.T, backwards.T]))


def test_words_seen_once_become_unknown_at_their_share_while_training_only() -> None:
    seen_once = torch.tensor([False, True, False, False, True, False])
    sizes = BiLSTMSizes(4, 3, 2, 3, singletons=0.25)
    encoder = BiLSTMEncoder(VOCABULARY, WordTable(2, torch.randn(3, 4), "frozen"), sizes, seen_once)
    rows = torch.arange(6).repeat(20_000)
    torch.manual_seed(3)
    dropped = encoder._dropped(rows).view(-1, 6)
    assert torch.equal(dropped[:, ~seen_once], rows.view(-1, 6)[:, ~seen_once])
    made_unknown = dropped[:, seen_once] == UNKNOWN
    torch.testing.assert_close(made_unknown.float().mean(0), torch.tensor([0.25, 0.25]), atol=0.02, rtol=0)
    assert torch.equal(dropped[:, seen_once][~made_unknown], rows.view(-1, 6)[:, seen_once][~made_unknown])
    assert torch.equal(encoder.eval()._dropped(rows), rows)
    assert "seen_once" not in encoder.state_dict()


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_fresh_network_knows_which_words_it_sees_once(share: float) -> None:
    settings = NetworkSettings(bilstm=BiLSTMSettings(random_vectors=True, min_count=1, singletons=share))
    sentences = [["Ada", "slept"], ["ada", "of"]]
    network = new_network(
        sentences, LabelSet.of(["PER"]), NetworkSpec(settings, None, None, finetune_vectors=False), unwatched
    )
    encoder = network.encoder
    assert isinstance(encoder, BiLSTMEncoder)
    if not share:
        assert encoder.seen_once is None
        return
    assert encoder.seen_once is not None
    words = {word: bool(encoder.seen_once[encoder.vocabulary.word(word)]) for word in ("ada", "slept", "of", "new")}
    assert words == {"ada": False, "slept": True, "of": True, "new": False}


def test_dropout_acts_while_training_only() -> None:
    encoder = build()
    assert not torch.equal(encode(encoder, [["Ada"]]), encode(encoder, [["Ada"]]))
    encoder.eval()
    assert torch.equal(encode(encoder, [["Ada"]]), encode(encoder, [["Ada"]]))


def test_inputs_can_be_moved() -> None:
    encoder = build().eval()
    inputs = encoder.collate([["Ada", "of"], ["the"]])
    assert inputs.to(torch.device("cpu")) is inputs
    assert inputs.to(torch.device("meta")).spellings.letters.device.type == "meta"

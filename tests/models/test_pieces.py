"""Pieces of words: cut one by one as in the sentence, whatever the words, and none without a piece."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tokenizers import pre_tokenizers
from transformers import PreTrainedTokenizerFast

from tests.models.test_transformer import any_word
from tests.models.tiny_transformers import byte_level, word_piece
from tests.strategies import tokens
from trustag.errors import InputError
from trustag.models.pieces import PieceCutter, load_cutter

TOKENIZERS: dict[str, Callable[[], PreTrainedTokenizerFast]] = {"bert": word_piece, "roberta": byte_level}


def cutter_of(tokenizer: PreTrainedTokenizerFast) -> PieceCutter:
    text = tokenizer.backend_tokenizer.to_str()
    return load_cutter(text, tokenizer.unk_token_id, tokenizer.pad_token_id, "tokenizer.json")


def reference(kind: str) -> Any:
    """Return the tokenizer as its own library uses it, with a space before the first word too."""
    tokenizer = TOKENIZERS[kind]()
    if kind == "roberta":
        tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    return tokenizer


CUTTERS = {kind: cutter_of(made()) for kind, made in TOKENIZERS.items()}
REFERENCES = {kind: reference(kind) for kind in TOKENIZERS}


@settings(max_examples=50)
@given(st.lists(tokens(), min_size=1, max_size=6), st.sampled_from(list(TOKENIZERS)))
def test_words_cut_one_by_one_are_cut_as_in_the_sentence(words: list[str], kind: str) -> None:
    cut = REFERENCES[kind](words, is_split_into_words=True, split_special_tokens=True)
    assume(set(range(len(words))) <= set(cut.word_ids()))
    cutter = CUTTERS[kind]
    one_by_one = [*cutter.specials.before, *(piece for word in words for piece in cutter(word)), *cutter.specials.after]
    assert one_by_one == cut["input_ids"]


@settings(max_examples=50)
@given(any_word, st.sampled_from(list(TOKENIZERS)))
def test_every_word_has_a_piece_and_none_is_special(word: str, kind: str) -> None:
    cutter = CUTTERS[kind]
    special = {*cutter.specials.before, *cutter.specials.after, cutter.specials.padding}
    assert cutter(word)
    assert not special & set(cutter(word))
    assert cutter(word) == cutter(word)


def test_special_pieces_are_those_around_a_sentence() -> None:
    for kind, cutter in CUTTERS.items():
        framed = REFERENCES[kind](["the"], is_split_into_words=True)["input_ids"]
        assert [*cutter.specials.before, *cutter("the"), *cutter.specials.after] == framed
        assert cutter.specials.around == 2


def test_lost_capitals_are_noticed() -> None:
    assert not CUTTERS["bert"].lowers_case()
    assert cutter_of(word_piece(lowercase=True)).lowers_case()


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"model": {"type": "unheard of"}}'])
def test_what_describes_no_tokenizer_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^t\.json: not a usable tokenizer .*save it with tokenizers or transformers"):
        load_cutter(text, None, None, "t.json")

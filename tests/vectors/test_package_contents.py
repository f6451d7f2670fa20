"""Vectors in made-up packages of every form are read back unchanged."""

import io
import json

import msgspec
import numpy as np
import pytest

from tests.vectors.made_up import navec, safetensors, sentence_pieces, wink_json
from trustag.errors import InputError
from trustag.vectors.hashing import string_keys
from trustag.vectors.package_contents import (
    from_navec,
    from_spacy,
    from_transformer,
    from_use,
    from_wink,
    read_tensor,
)
from trustag.vectors.tables import vectors_for

STRANGE_WORDS = [
    "",
    "a",
    "apple",
    "ß",
    "日本語のテキスト",
    "x" * 7,
    "x" * 8,
    "x" * 9,
    "x" * 16,
    "y" * 33,
    "\u2028",
    "👍",
]


def test_wink_vectors_lose_their_bookkeeping() -> None:
    table = from_wink("tiny", wink_json({"the": [0.5, -1.25], 'a"\\b': [2, 3], "é": [1e-5, 0]}))
    assert table.entries == ("the", 'a"\\b', "é")
    assert table.matrix.tolist() == [[0.5, -1.25], [2, 3], [np.float32(1e-5), 0]]


def test_wordpiece_tables_leave_special_pieces_out() -> None:
    pieces = {"[PAD]": 0, "[unused3]": 1, "ab": 2, "##c": 3, "[UNK]": 4}
    tokenizer = {
        "model": {"type": "WordPiece", "vocab": pieces},
        "added_tokens": [{"content": "[PAD]", "id": 0}, {"content": "[UNK]", "id": 4}],
    }
    weights = safetensors(
        {
            "other": np.zeros((1, 1), np.float32),
            "embeddings": np.arange(10, dtype=np.float32).reshape(5, 2),
        }
    )
    table = from_transformer("tiny", json.dumps(tokenizer).encode(), weights, "embeddings")
    assert table.entries == ("ab", "##c")
    assert vectors_for(table, ["ABc"]).matrix.tolist() == [[5, 6]]


def test_the_blocks_of_a_quantised_table_take_turns() -> None:
    blocks = {f"q{number + 1}": np.array([[number, 10], [number + 100, 20]], np.uint8) for number in range(3)}
    weights = io.BytesIO()
    steps, lowest = np.array([0.5, 1, 2], np.float32), np.array([-1, 0, 1], np.float32)
    np.savez(weights, scale=steps, lo=lowest, other=np.zeros(1), **blocks)  # type: ignore[arg-type] # a name might be allow_pickle, none is
    model = sentence_pieces({"▁ab": -1.0, "c": -2.0, "▁a": -3.0, "b": -4.0}, {"<unk>": 2, "<s>": 3})
    table = from_use("tiny", weights.getvalue(), model)
    assert table.entries == ("▁ab", "c", "▁a", "b")
    # Rows 2 to 5 of the whole table: the third block's first row, then the second rows of all blocks.
    assert table.matrix.tolist() == [[5, 21], [49, 9], [101, 20], [205, 41]]
    assert vectors_for(table, ["abc"]).matrix.tolist() == [[27, 15]]


def test_merging_tables_take_half_precision() -> None:
    tokenizer = {"model": {"type": "BPE", "vocab": {"▁": 0, "a": 1, "▁a": 2}, "merges": ["▁ a"]}}
    weights = safetensors({"w": np.array([[1, 2], [3, 4], [5, 6]], np.float16)})
    table = from_transformer("tiny", json.dumps(tokenizer).encode(), weights, "w")
    assert vectors_for(table, ["aa"]).matrix.tolist() == [[4, 5]]


def test_other_tokenizer_types_are_an_error() -> None:
    tokenizer = json.dumps({"model": {"type": "Unigram", "vocab": {"a": 0}}}).encode()
    with pytest.raises(InputError, match="the tokenizer type 'Unigram' is not supported"):
        from_transformer("tiny", tokenizer, safetensors({"w": np.zeros((1, 1), np.float32)}), "w")


def test_one_tensor_of_several_is_read() -> None:
    first, second = np.ones((2, 3), np.float32), np.full((1, 2), 0.5, np.float16)
    assert read_tensor(safetensors({"a": first, "b": second}), "b").tolist() == [[0.5, 0.5]]


def test_navec_vectors_are_put_together_from_their_parts_most_frequent_first() -> None:
    codes = np.array([[0, 1], [1, 0], [1, 1], [0, 0]], np.uint8)
    book = np.array([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], np.float32)
    table = from_navec("tiny", navec(["rare", "often", "<unk>", "<pad>"], [3, 70000, 0, 0], codes, book))
    vectors = vectors_for(table, None)
    assert vectors.words == ("often", "rare")
    assert vectors.matrix.tolist() == [[3, 4, 5, 6], [1, 2, 7, 8]]


def test_keys_are_those_of_spacy() -> None:
    strings = pytest.importorskip("spacy.strings")
    assert string_keys(STRANGE_WORDS) == [strings.hash_string(word) for word in STRANGE_WORDS]


def test_spacy_vectors_come_most_frequent_first_and_share_rows() -> None:
    words = ["zebra", "apple", "the"]
    zebra, apple, the = string_keys(words)
    buffer = io.BytesIO()
    np.save(buffer, np.array([[1, 2], [3, 4]], np.float32))
    keys = msgspec.msgpack.encode({the: 0, zebra: 1, apple: 1, 12345: 0, 6789: -1})
    table = from_spacy("tiny", buffer.getvalue(), keys, json.dumps(["unused", *words]).encode())
    vectors = vectors_for(table, None)
    assert vectors.words == ("the", "zebra", "apple")
    assert vectors.matrix.tolist() == [[1, 2], [3, 4], [3, 4]]


def test_a_real_spacy_pipeline_is_read(tmp_path_factory: pytest.TempPathFactory) -> None:
    spacy = pytest.importorskip("spacy")
    folder = tmp_path_factory.mktemp("pipeline")
    pipeline = spacy.blank("en")
    expected = {"apple": [1.0, 2.0], "Straße": [3.0, 4.0], "日本": [5.0, 6.0]}
    for word, values in expected.items():
        pipeline.vocab.set_vector(word, np.array(values, np.float32))
    pipeline.to_disk(folder)
    files = [(folder / "vocab" / name).read_bytes() for name in ("vectors", "key2row", "strings.json")]
    vectors = vectors_for(from_spacy("real", *files), None)
    assert dict(zip(vectors.words, vectors.matrix.tolist(), strict=True)) == expected

"""SentencePiece models made up for the test, and real tries that the tokenizers library reads as well."""

import struct
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import normalizers

from tests.vectors.made_up import protobuf, sentence_pieces
from trustag.vectors.sentence_pieces import read_replacements, read_sentence_pieces

KEYS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), min_size=1, max_size=3)
TEXTS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=3)


def trie_and_texts(replacements: Mapping[str, str]) -> bytes:
    """Return what :func:`read_replacements` reads: a double-array trie, every node in a block of its own."""
    texts = b""
    nodes: list[dict[int, object]] = [{}]
    for key, text in replacements.items():
        node = nodes[0]
        for byte in key.encode():
            if byte not in node:
                node[byte] = {}
            node = node[byte]  # type: ignore[assignment]
        node[-1] = len(texts)
        texts += text.encode() + b"\0"
    units = [0] * 256
    units[0] = 1 << 10 | 0  # the children of the root are at 1 XOR byte

    def place(node: dict[int, object], own: int, at: int) -> None:
        """Put the children of ``node``, whose unit is ``own``, at ``at`` XOR byte."""
        units.extend([0] * 256)
        label = units[own] & 0x800000FF
        leaf = 0x100 if -1 in node else 0
        # An offset of a multiple of 256 is stored without its low byte.
        units[own] = label | leaf | (((own ^ at) >> 8) << 10 | 0x200)
        if leaf:
            units[at] = 0x80000000 | int(str(node[-1]))
        for byte in filter(lambda byte: byte > 0, node):
            units[at ^ byte] = byte
        for byte, child in node.items():
            if byte > 0:
                assert isinstance(child, dict)
                inner = at ^ byte
                # The low byte of an offset has to be zero, so that of the child's place is that of its unit.
                place(child, inner, len(units) & ~0xFF | inner & 0xFF)

    place(nodes[0], 0, 256)
    trie = struct.pack(f"<{len(units)}I", *units)
    return struct.pack("<I", len(trie)) + trie + texts


@given(st.dictionaries(KEYS, TEXTS, max_size=8))
def test_every_sequence_comes_back_with_its_replacement(replacements: dict[str, str]) -> None:
    assert read_replacements(trie_and_texts(replacements)) == replacements


def test_the_made_up_trie_is_one_that_others_read() -> None:
    replacements = {"ﬁ": "fi", "é": "e", "e\u0301": "é", "a": "bcd"}
    normaliser = normalizers.Precompiled(trie_and_texts(replacements))
    for key, text in replacements.items():
        assert normaliser.normalize_str(key) == text
    assert read_replacements(trie_and_texts(replacements)) == replacements


def test_a_model_keeps_rows_and_scores_of_pieces_and_drops_special_ones() -> None:
    rules = trie_and_texts({"ﬁ": "fi"})
    model = read_sentence_pieces(sentence_pieces({"▁a": -1.5, "b": -2.25}, {"<unk>": 2, "<s>": 3, "extra": 4}, rules))
    assert model.pieces == {"▁a": 3, "b": 4}
    assert model.scores == (-1.5, -2.25)
    assert model.replacements == {"ﬁ": "fi"}
    assert read_sentence_pieces(sentence_pieces({"b": -1}, {})).replacements == {}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (protobuf((1, protobuf((1, b"piece"), (2, -1.0))))[:-1], "ends in the middle of a field"),
        (b"\x0a\xff", "ends in the middle of a number"),
        (b"\x0b", "unknown form 3"),
        (protobuf((1, 5)), "a number where a SentencePiece model has text"),
    ],
)
def test_damaged_models_are_errors(data: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_sentence_pieces(data)

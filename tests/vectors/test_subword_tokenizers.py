"""Cutting words into pieces, against oracles that search instead of cutting."""

import math
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from trustag.vectors.subword_tokenizers import BytePairTokenizer, UnigramTokenizer, WordPieceTokenizer

LETTERS = st.text(st.sampled_from("abc"), min_size=1, max_size=9)


@st.composite
def merge_lists(draw: st.DrawFn) -> list[str]:
    """Merges as training makes them: each joins two pieces that exist by then."""
    pieces = ["▁", "a", "b", "c"]
    merges = []
    for _ in range(draw(st.integers(0, 12))):
        left, right = draw(st.sampled_from(pieces)), draw(st.sampled_from(pieces))
        if f"{left} {right}" not in merges and "▁" not in right:
            merges.append(f"{left} {right}")
            pieces.append(left + right)
    return merges


@given(merge_lists(), LETTERS)
def test_merging_applies_each_merge_everywhere_in_the_order_learned(merges: list[str], word: str) -> None:
    # The oracle rewrites the whole word merge by merge; an earlier merge never becomes possible again through a
    # later one, since merges only join pieces that exist when they are learned.
    text = " ".join("▁" + word)
    for merge in merges:
        text = re.sub(rf"(?<!\S){re.escape(merge)}(?!\S)", merge.replace(" ", ""), text)
    pieces = frozenset({"▁", "a", "b", "c", *(merge.replace(" ", "") for merge in merges)})
    assert BytePairTokenizer(tuple(merges), pieces).tokenize(word) == text.split()


def test_a_character_that_is_not_a_piece_is_split_into_bytes() -> None:
    tokenizer = BytePairTokenizer(("▁ a",), frozenset({"▁", "a", "▁a"}))
    assert tokenizer.tokenize("aé") == ["▁a", "<0xC3>", "<0xA9>"]
    assert tokenizer.tokenize("") == ["▁"]


@given(st.sets(st.text(st.sampled_from("abc"), min_size=1, max_size=3)), LETTERS, st.booleans())
def test_the_longest_match_from_the_left_is_taken(stems: set[str], word: str, continues: bool) -> None:
    pieces = frozenset(stems | ({f"##{stem}" for stem in stems} if continues else set()))
    found = WordPieceTokenizer(pieces).tokenize(word)
    expected: list[str] = []
    rest = word
    while rest:
        marked = [("##" if expected else "") + rest[:end] for end in range(1, len(rest) + 1)]
        longest = max((piece for piece in marked if piece in pieces), key=len, default=None)
        if longest is None:
            expected = []
            break
        expected.append(longest)
        rest = rest[len(longest.removeprefix("##")) :]
    assert found == expected


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("Café", ["cafe"]),
        ("U.S.", ["u", ".", "s", "."]),
        ("o_o", ["o", "_", "o"]),
        ("北京市", ["北", "京", "市"]),
        ("«ja»", ["«", "ja", "»"]),
        ("a\u200bb", ["ab"]),
        ("xyz", []),
        ("x" * 101, []),
    ],
)
def test_case_accents_and_signs_are_taken_as_the_tokenizer_takes_them(word: str, parts: list[str]) -> None:
    known = frozenset({"cafe", "u", "s", ".", "o", "_", "北", "京", "市", "«", "»", "ja", "ab"})
    assert WordPieceTokenizer(known).tokenize(word) == parts


SCORES = st.dictionaries(
    st.text(st.sampled_from("▁abc"), min_size=1, max_size=4), st.floats(-20, -1, width=16), min_size=1
)


def splits(text: str) -> Iterator[list[str]]:
    if not text:
        yield []
    for end in range(1, len(text) + 1):
        yield from ([text[:end], *rest] for rest in splits(text[end:]))


@given(SCORES, st.text(st.sampled_from("abc"), min_size=1, max_size=6))
def test_no_split_has_a_higher_score_than_the_one_chosen(scores: dict[str, float], word: str) -> None:
    unknown = min(scores.values()) - 10

    def total(split: list[str]) -> float:
        return sum(scores.get(piece, unknown if len(piece) == 1 else -math.inf) for piece in split)

    best = max(map(total, splits("▁" + word)))
    found = UnigramTokenizer(scores, {}).tokenize(word)
    candidates = [split for split in splits("▁" + word) if math.isclose(total(split), best, abs_tol=1e-9)]
    assert found in [[piece for piece in split if piece in scores] for split in candidates]


@given(SCORES, LETTERS)
def test_pieces_are_those_of_the_tokenizers_library(scores: dict[str, float], word: str) -> None:
    known = {piece: -1 - rank / 7 for rank, piece in enumerate(scores)}  # splits with equal scores are rare
    reference = Tokenizer(models.Unigram([("<unk>", 0.0), *known.items()], 0, byte_fallback=False))
    reference.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=False)
    expected = [piece for piece in reference.encode(word).tokens if piece in known]
    found = UnigramTokenizer(known, {}).tokenize(word)
    assert sum(map(known.__getitem__, found)) == pytest.approx(sum(map(known.__getitem__, expected)))
    assert len("".join(found)) == len("".join(expected))


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("x", ["▁", "x"]),
        ("ﬁx", ["▁fi", "x"]),
        ("e\u0301x", ["▁é", "x"]),
        ("ex", ["▁", "e", "x"]),
        ("fi\u200bx", ["▁fi", "x"]),
        ("fi\u00a0\u00a0x", ["▁fi", "▁", "x"]),
        ("\u00a0", []),
        ("", []),
        ("f\tx", ["▁", "x"]),
        ("q", ["▁"]),
        ("x" * 101, []),
    ],
)
def test_words_are_normalised_by_the_longest_sequences(word: str, pieces: list[str]) -> None:
    scores = dict.fromkeys(["▁", "x", "▁fi", "▁é", "e"], -1.0)
    replacements = {"ﬁ": "fi", "e\u0301": "é", "\u200b": "", "\u00a0": " ", "\t": "", "\u0301": "'"}
    assert UnigramTokenizer(scores, replacements).tokenize(word) == pieces


def test_whole_words_are_the_pieces_that_need_no_neighbour() -> None:
    assert list(WordPieceTokenizer(frozenset()).whole_words(["the", "##s", "!"])) == ["the", "!"]
    assert list(BytePairTokenizer((), frozenset()).whole_words(["▁", "▁the", "s", "▁▁", "<0x00>"])) == ["the"]


def test_what_is_no_word_is_not_cut() -> None:
    assert BytePairTokenizer(("a a",), frozenset({"a", "aa", "▁"})).tokenize("a" * 100_000) == []

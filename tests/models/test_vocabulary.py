"""Which row stands for a word or a character."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import tokens
from trustag.models.vocabulary import LONGEST_END, UNKNOWN, Vocabulary, learn_vocabulary, rows_seen_once
from trustag.vectors.word_vectors import Lookup

spellings = st.builds(Lookup, st.booleans(), st.booleans())
known_words = st.lists(tokens(), max_size=8, unique=True).map(tuple)


@given(known_words, spellings, tokens())
def test_a_word_with_a_row_gets_its_own(known: tuple[str, ...], lookup: Lookup, other: str) -> None:
    vocabulary = Vocabulary(known[:3], known[3:], (), lookup)
    assert [vocabulary.word(word) for word in known] == list(range(1, len(known) + 1))
    assert 0 <= vocabulary.word(other) <= len(known)


def test_the_closest_spelling_wins() -> None:
    def found(word: str, *known: str, lookup: Lookup = Lookup()) -> str | None:  # noqa: B008
        row = Vocabulary((), known, (), lookup).word(word)
        return None if row == UNKNOWN else known[row - 1]

    assert found("Ab12", "ab00", "Ab00", "ab12", "Ab12") == "Ab12"
    assert found("Ab12", "ab00", "Ab00", "ab12") == "ab12"
    assert found("Ab12", "ab00", "Ab00") == "Ab00"
    assert found("Ab12", "ab00") == "ab00"
    assert found("ab12", "Ab12", "AB00") is None
    assert found("Ab12", "ab12", "ab00", lookup=Lookup(case_fallback=False)) is None
    assert found("Ab12", "Ab00", lookup=Lookup(case_fallback=False)) == "Ab00"
    assert found("Ab12", "Ab00", "ab00", lookup=Lookup(fold_digits=False)) is None
    assert found("٣", "0") == "0"


@given(tokens(max_size=80), st.lists(st.characters(), unique=True, max_size=6).map(tuple))
def test_characters_have_their_rows_in_reading_order(word: str, alphabet: tuple[str, ...]) -> None:
    rows = Vocabulary((), (), alphabet, Lookup()).characters_of(word)
    read = word if len(word) <= 2 * LONGEST_END else word[:LONGEST_END] + word[-LONGEST_END:]
    assert rows == [alphabet.index(letter) + 1 if letter in alphabet else UNKNOWN for letter in read]


def test_digits_are_zeros_in_words_and_characters_where_they_are_not_told_apart() -> None:
    lookup = Lookup(zero_digits=True)
    vocabulary = learn_vocabulary([["A1", "B22", "7"]], ["A1", "0"], lookup, min_count=1)
    assert vocabulary.learned == ("a0", "b00")
    assert vocabulary.characters == ("0", "A", "B")
    assert vocabulary.word("A1") == vocabulary.word("A9") == vocabulary.word("a0") == 1
    assert vocabulary.word("7") == vocabulary.word("0") == 4
    assert vocabulary.characters_of("B22") == vocabulary.characters_of("B95") == [3, 1, 1]
    apart = learn_vocabulary([["A1", "B22", "7"]], ["A1", "0"], Lookup(), min_count=1)
    assert apart.word("A1") != apart.word("A9")
    assert apart.characters == ("1", "2", "7", "A", "B")


def test_an_empty_word_still_has_a_character() -> None:
    assert Vocabulary((), (), ("a",), Lookup()).characters_of("") == [UNKNOWN]


def test_remembering_changes_nothing() -> None:
    vocabulary = Vocabulary(("a",), (), (), Lookup())
    assert [vocabulary.word(word) for word in ("A", "A", "b", "b", "A")] == [1, 1, UNKNOWN, UNKNOWN, 1]


corpora = st.lists(st.lists(tokens(max_size=3), max_size=6), max_size=6)


@given(corpora, known_words, spellings, st.integers(1, 3))
def test_learnt_words_are_frequent_and_have_no_vector(
    sentences: list[list[str]], given_words: tuple[str, ...], lookup: Lookup, min_count: int
) -> None:
    vocabulary = learn_vocabulary(sentences, given_words, lookup, min_count)
    counts = Counter(word for sentence in sentences for word in sentence)
    assert vocabulary.pretrained == given_words
    assert not set(vocabulary.learned) & set(given_words)
    assert list(vocabulary.learned) == sorted(set(vocabulary.learned))
    assert vocabulary.characters == tuple(sorted({letter for word in counts for letter in word}))
    for word, count in counts.items():
        if count >= min_count:
            assert vocabulary.word(word) != UNKNOWN
    for word in vocabulary.learned:
        alike = sum(count for seen, count in counts.items() if list(lookup.forms(seen))[-1][1] == word)
        assert alike >= min_count
        assert not any(form in given_words for _, form in lookup.forms(word))


@given(corpora, known_words, spellings)
def test_every_word_of_the_corpus_is_known_when_once_is_enough(
    sentences: list[list[str]], given_words: tuple[str, ...], lookup: Lookup
) -> None:
    vocabulary = learn_vocabulary(sentences, given_words, lookup, min_count=1)
    for word in {word for sentence in sentences for word in sentence}:
        assert vocabulary.word(word) != UNKNOWN
        assert UNKNOWN not in vocabulary.characters_of(word)


@given(corpora, known_words, spellings, st.integers(1, 2))
def test_a_row_is_seen_once_when_one_token_alone_stands_for_it(
    sentences: list[list[str]], given_words: tuple[str, ...], lookup: Lookup, min_count: int
) -> None:
    vocabulary = learn_vocabulary(sentences, given_words, lookup, min_count)
    once = rows_seen_once(vocabulary, sentences)
    known = (*vocabulary.learned, *vocabulary.pretrained)
    assert len(once) == len(known) + 1
    assert not once[UNKNOWN]
    words = [word for sentence in sentences for word in sentence]
    for row in range(1, len(known) + 1):
        assert once[row] == (len([word for word in words if vocabulary.word(word) == row]) == 1)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("北京", "上海", "的", "Ann"), True),
        (("北", "京", "的", "iPhone", "北京"), False),
        (("Ann", "met"), False),
        ((), False),
    ],
)
def test_words_of_several_characters_in_scripts_without_spaces_are_told(words: tuple[str, ...], expected: bool) -> None:
    vocabulary = learn_vocabulary([words], (), Lookup(), min_count=1)
    assert vocabulary.has_unspaced_words is expected

"""Truncated entities: single labelled words inside of longer capitalised names."""

from hypothesis import given

from tests.noise.tagged_sentences import TAGGED_SENTENCES
from trustag.noise.truncated_entities import truncated_entities
from trustag.text.sentences import Sentence


def truncated(text: str, labels: str) -> str:
    """Return the words of a sentence that belong to a longer name with only one labelled word."""
    whole = Sentence(("then", "Ann", "Lee", "slept"), ("O", "B-PER", "I-PER", "O"))
    sentence = Sentence(tuple(text.split()), tuple(labels.split()))
    marks = truncated_entities([sentence, whole])[0]
    return " ".join(word for word, is_marked in zip(sentence.tokens, marks, strict=True) if is_marked)


def test_one_labelled_word_among_capitalised_words_is_truncated() -> None:
    assert truncated("so Bill Clinton came home", "O B-PER O O O") == "Bill Clinton"
    assert truncated("so Bill Clinton came home", "O O B-PER O O") == "Bill Clinton"
    assert truncated("the Queen Ann Street is long", "O O B-PER O O O") == "Queen Ann Street"
    assert truncated("so Bill Clinton came to see Bill Gates", "O B-PER O O O O O B-PER") == "Bill Clinton Bill Gates"


def test_whole_names_and_longer_entities_are_not_truncated() -> None:
    assert truncated("so Bill came home", "O B-PER O O") == ""
    assert truncated("so Bill Clinton came home", "O B-PER I-PER O O") == ""
    assert truncated("so Bill Jefferson Clinton came home", "O B-PER I-PER O O O") == ""
    assert truncated("so Bill Clinton came home", "O O O O O") == ""
    assert truncated("so Bill Paris came home", "O B-PER B-LOC O O") == ""


def test_capital_letters_of_sentence_starts_and_headlines_do_not_count() -> None:
    assert truncated("Then Bill came home again", "O B-PER O O O") == ""
    assert truncated("Bill Clinton Flies Home", "B-PER O O O") == ""
    assert truncated("so the Bill came", "O B-PER O O") == ""


def test_nothing_is_truncated_if_entities_are_not_capitalised() -> None:
    sentences = [
        Sentence(("so", "Bill", "Clinton", "met", "bob", "or", "ann"), ("O", "B-PER", "O", "O", *["B-PER"] * 3))
    ]
    assert not any(truncated_entities(sentences)[0])


@given(TAGGED_SENTENCES)
def test_each_token_has_an_entry(sentences: list[Sentence]) -> None:
    assert [len(row) for row in truncated_entities(sentences)] == [len(sentence) for sentence in sentences]

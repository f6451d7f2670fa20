"""Entities that are only common words at the start of a sentence."""

from hypothesis import given

from tests.noise.tagged_sentences import TAGGED_SENTENCES
from trustag.noise.sentence_initial_words import sentence_initial_entities
from trustag.text.sentences import Sentence


def test_only_a_common_word_at_the_start_of_a_sentence_is_marked() -> None:
    common = [Sentence(("so", "he", "slept"), ("O", "O", "O"))] * 5

    def marks(text: str, labels: str) -> tuple[bool, ...]:
        return sentence_initial_entities([Sentence(tuple(text.split()), tuple(labels.split())), *common])[0]

    assert marks("He slept", "B-ORG O") == (True, False)
    assert marks("He slept", "O O") == (False, False)
    assert marks("He Man slept", "B-PER I-PER O") == (False, False, False)
    assert marks("he slept", "B-ORG O") == (False, False)
    assert marks("Ann saw He", "B-PER O B-ORG") == (False, False, False)
    assert marks("Man slept", "B-PER O") == (False, False)


def test_a_word_that_is_rarely_in_lower_case_is_not_common() -> None:
    rare = [Sentence(("so", "he", "slept"), ("O", "O", "O"))] * 4
    many = [Sentence(("so", "he", "slept"), ("O", "O", "O"))] * 5 + [Sentence(("x",) * 50_000, ("O",) * 50_000)]
    first = Sentence(("He", "slept"), ("B-ORG", "O"))
    assert sentence_initial_entities([first, *rare])[0] == (False, False)
    assert sentence_initial_entities([first, *many])[0] == (False, False)


def test_a_name_that_is_also_a_word_is_not_common() -> None:
    word = [Sentence(("you", "may", "go"), ("O", "O", "O"))] * 6
    name = [Sentence(("so", "May", "slept"), ("O", "B-PER", "O"))]
    first = Sentence(("May", "slept"), ("B-PER", "O"))
    assert sentence_initial_entities([first, *word, *name * 2])[0] == (True, False)
    assert sentence_initial_entities([first, *word, *name * 3])[0] == (False, False)


@given(TAGGED_SENTENCES)
def test_each_token_has_an_entry(sentences: list[Sentence]) -> None:
    assert [len(row) for row in sentence_initial_entities(sentences)] == [len(sentence) for sentence in sentences]

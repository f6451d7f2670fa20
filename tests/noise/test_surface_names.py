"""The name of each token: labelled entities, and capitalised words that look like names."""

from hypothesis import given

from tests.noise.tagged_sentences import TAGGED_SENTENCES
from trustag.noise.surface_names import names_of
from trustag.text.sentences import Sentence


def names(text: str, labels: str, *others: str) -> tuple[str | None, ...]:
    """Return the names of the first of some sentences; the others have no entities."""
    sentence = Sentence(tuple(text.split()), tuple(labels.split()))
    rest = [Sentence(tuple(other.split()), ("O",) * len(other.split())) for other in others]
    return names_of([sentence, *rest])[0]


def test_an_entity_is_a_name_even_in_lower_case() -> None:
    assert names("Ann met bob dylan", "S-PER O B-PER E-PER") == ("Ann", None, "bob dylan", "bob dylan")


def test_neighbouring_entities_are_two_names() -> None:
    assert names("Ann Lisbon", "B-PER B-LOC") == ("Ann", "Lisbon")


def test_capitalised_words_outside_are_a_name_up_to_the_next_entity() -> None:
    assert names("saw New York Ann", "O O O B-PER") == (None, "New York", "New York", "Ann")


def test_a_first_word_is_no_name_if_it_also_occurs_in_lower_case() -> None:
    assert names("The Queen saw Ann", "O O O B-PER", "saw the dog") == (None, "Queen", None, "Ann")
    assert names("Reuters saw Ann", "O O B-PER", "saw the dog") == ("Reuters", None, "Ann")


def test_only_entities_are_names_if_entities_are_not_capitalised() -> None:
    assert names("Ann saw bob", "O O B-PER") == (None, None, "bob")
    assert names("東京 で 会う", "B-LOC O O") == ("東京", None, None)


def test_unknown_labels_are_outside_of_entities() -> None:
    sentence = Sentence(("Ann", "saw", "Bob"), ("B-PER", "O", None))
    assert names_of([sentence]) == [("Ann", None, "Bob")]


@given(TAGGED_SENTENCES)
def test_each_token_has_an_entry_and_each_entity_a_name(sentences: list[Sentence]) -> None:
    found = names_of(sentences)
    assert [len(row) for row in found] == [len(sentence) for sentence in sentences]
    for sentence, row in zip(sentences, found, strict=True):
        for label, name in zip(sentence.labels, row, strict=True):
            assert name is not None or label in {"O", None}

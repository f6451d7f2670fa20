"""Which tokens are one name: labelled entities, and capitalised words that look like some."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.noise.names import common_words_as_names, cut_names, names_of
from trustag.text.sentences import Sentence

WORDS = st.sampled_from(["Ann", "the", "The", "New", "York", "of", "東京", "12", "iPhone", "É", ""])
LABELS = st.sampled_from(["O", "B-PER", "I-PER", "S-LOC", "E-LOC", None])


def names(text: str, labels: str, *others: str) -> tuple[str | None, ...]:
    """Return the names of the first of some sentences; the others have no labels."""
    sentence = Sentence(tuple(text.split()), tuple(labels.split()))
    rest = [Sentence(tuple(other.split()), ("O",) * len(other.split())) for other in others]
    return names_of([sentence, *rest])[0]


def test_an_entity_is_a_name_even_in_lower_case() -> None:
    assert names("Ann met bob dylan", "S-PER O B-PER E-PER") == ("Ann", None, "bob dylan", "bob dylan")


def test_neighbouring_entities_are_two_names() -> None:
    assert names("Ann Lisbon", "B-PER B-LOC") == ("Ann", "Lisbon")


def test_capitalised_words_outside_are_a_name_up_to_the_next_entity() -> None:
    assert names("saw New York Ann", "O O O B-PER") == (None, "New York", "New York", "Ann")


def test_a_first_word_is_no_name_if_it_also_stands_in_lower_case() -> None:
    assert names("The Queen saw Ann", "O O O B-PER", "saw the dog") == (None, "Queen", None, "Ann")
    assert names("Reuters saw Ann", "O O B-PER", "saw the dog") == ("Reuters", None, "Ann")


def test_where_capital_letters_tell_nothing_only_entities_are_names() -> None:
    assert names("Ann saw bob", "O O B-PER") == (None, None, "bob")
    assert names("東京 で 会う", "B-LOC O O") == ("東京", None, None)


def test_unknown_labels_are_outside_of_entities() -> None:
    sentence = Sentence(("Ann", "saw", "Bob"), ("B-PER", "O", None))
    assert names_of([sentence]) == [("Ann", None, "Bob")]


def test_a_common_word_is_taken_for_an_entity_only_at_the_start_of_a_sentence() -> None:
    common = [Sentence(("so", "he", "slept"), ("O", "O", "O"))] * 5

    def marks(text: str, labels: str) -> tuple[bool, ...]:
        return common_words_as_names([Sentence(tuple(text.split()), tuple(labels.split())), *common])[0]

    assert marks("He slept", "B-ORG O") == (True, False)
    assert marks("He slept", "O O") == (False, False)
    assert marks("He Man slept", "B-PER I-PER O") == (False, False, False)
    assert marks("he slept", "B-ORG O") == (False, False)
    assert marks("Ann saw He", "B-PER O B-ORG") == (False, False, False)
    assert marks("Man slept", "B-PER O") == (False, False)


def test_a_word_that_stands_in_lower_case_now_and_then_is_not_common() -> None:
    rare = [Sentence(("so", "he", "slept"), ("O", "O", "O"))] * 4
    many = [Sentence(("so", "he", "slept"), ("O", "O", "O"))] * 5 + [Sentence(("x",) * 50_000, ("O",) * 50_000)]
    first = Sentence(("He", "slept"), ("B-ORG", "O"))
    assert common_words_as_names([first, *rare])[0] == (False, False)
    assert common_words_as_names([first, *many])[0] == (False, False)


def test_a_name_that_is_a_word_too_is_not_common() -> None:
    word = [Sentence(("you", "may", "go"), ("O", "O", "O"))] * 6
    name = [Sentence(("so", "May", "slept"), ("O", "B-PER", "O"))]
    first = Sentence(("May", "slept"), ("B-PER", "O"))
    assert common_words_as_names([first, *word, *name * 2])[0] == (True, False)
    assert common_words_as_names([first, *word, *name * 3])[0] == (False, False)


@given(st.lists(st.lists(st.tuples(WORDS, LABELS), max_size=8), max_size=5))
def test_every_token_has_a_place_and_every_entity_a_name(rows: list[list[tuple[str, str | None]]]) -> None:
    sentences = [Sentence(tuple(word for word, _ in row), tuple(label for _, label in row)) for row in rows]
    found = names_of(sentences)
    assert [len(row) for row in found] == [len(sentence) for sentence in sentences]
    assert [len(row) for row in common_words_as_names(sentences)] == [len(sentence) for sentence in sentences]
    for sentence, row in zip(sentences, found, strict=True):
        for label, name in zip(sentence.labels, row, strict=True):
            assert name is not None or label in {"O", None}


def cut(text: str, labels: str) -> str:
    """Return the words of a sentence that belong to a longer name of which one word is labelled."""
    whole = Sentence(("then", "Ann", "Lee", "slept"), ("O", "B-PER", "I-PER", "O"))
    sentence = Sentence(tuple(text.split()), tuple(labels.split()))
    marks = cut_names([sentence, whole])[0]
    return " ".join(word for word, is_cut in zip(sentence.tokens, marks, strict=True) if is_cut)


def test_one_labelled_word_among_capitalised_ones_is_cut_out_of_a_longer_name() -> None:
    assert cut("so Bill Clinton came home", "O B-PER O O O") == "Bill Clinton"
    assert cut("so Bill Clinton came home", "O O B-PER O O") == "Bill Clinton"
    assert cut("the Queen Ann Street is long", "O O B-PER O O O") == "Queen Ann Street"
    assert cut("so Bill Clinton came to see Bill Gates", "O B-PER O O O O O B-PER") == "Bill Clinton Bill Gates"


def test_whole_names_and_longer_entities_are_not_cut() -> None:
    assert cut("so Bill came home", "O B-PER O O") == ""
    assert cut("so Bill Clinton came home", "O B-PER I-PER O O") == ""
    assert cut("so Bill Jefferson Clinton came home", "O B-PER I-PER O O O") == ""
    assert cut("so Bill Clinton came home", "O O O O O") == ""
    assert cut("so Bill Paris came home", "O B-PER B-LOC O O") == ""


def test_a_capital_letter_that_a_sentence_or_a_headline_gives_says_nothing() -> None:
    assert cut("Then Bill came home again", "O B-PER O O O") == ""
    assert cut("Bill Clinton Flies Home", "B-PER O O O") == ""
    assert cut("so the Bill came", "O B-PER O O") == ""


def test_where_names_have_no_capital_letter_none_is_cut() -> None:
    sentences = [
        Sentence(("so", "Bill", "Clinton", "met", "bob", "or", "ann"), ("O", "B-PER", "O", "O", *["B-PER"] * 3))
    ]
    assert not any(cut_names(sentences)[0])


@given(st.lists(st.lists(st.tuples(WORDS, LABELS), max_size=8), max_size=4))
def test_every_token_is_told_to_be_cut_or_not(rows: list[list[tuple[str, str | None]]]) -> None:
    sentences = [Sentence(tuple(word for word, _ in row), tuple(label for _, label in row)) for row in rows]
    assert [len(row) for row in cut_names(sentences)] == [len(sentence) for sentence in sentences]

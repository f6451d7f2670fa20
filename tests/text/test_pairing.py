from collections.abc import Iterator

import pytest

from trustag.errors import InputError
from trustag.text.labels import Label
from trustag.text.pairing import SchemesTally, labels_beside_gold, paired_labels
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence, Source


def sentence(text: str, labels: list[Label], location: str = "", gold: list[Label] | None = None) -> Sentence:
    file, _, line = location.partition(":")
    source = Source(file, int(line), token_lines=True) if location else None
    return Sentence(tuple(text.split()), tuple(labels), None if gold is None else tuple(gold), source=source)


def message_of(gold: list[Sentence], predicted: list[Sentence], strict: Scheme | None = None) -> str:
    with pytest.raises(InputError) as caught:
        list(paired_labels(gold, predicted, strict))
    return str(caught.value)


def test_labels_of_the_same_text_come_in_pairs() -> None:
    gold = [sentence("a b", ["O", "B-x"]), sentence("c", [None])]
    predicted = [sentence("a b", ["B-x", "O"]), sentence("c", ["O"])]
    assert list(paired_labels(gold, predicted)) == [(("O", "B-x"), ("B-x", "O")), ((None,), ("O",))]


def test_the_gold_side_speaks_through_its_gold_labels() -> None:
    both = sentence("a", ["B-noisy"], gold=["B-true"])
    assert list(paired_labels([both], [both])) == [(("B-true",), ("B-noisy",))]


def test_sentences_without_tokens_are_passed_over_on_either_side() -> None:
    a, empty, b = sentence("a", ["O"]), sentence("", []), sentence("b", ["O"])
    assert len(list(paired_labels([a, empty, b, empty], [empty, a, b]))) == 2


def test_no_more_than_one_sentence_of_each_side_is_held() -> None:
    taken = []

    def counted(side: str) -> Iterator[Sentence]:
        for number in range(3):
            taken.append((side, number))
            yield sentence("a", ["O"])

    pairs = paired_labels(counted("gold"), counted("predicted"))
    next(pairs)
    assert taken == [("gold", 0), ("predicted", 0)]


def test_another_token_is_an_error_that_names_both_locations() -> None:
    gold = [sentence("a b c", ["O"] * 3, "gold.conll:10")]
    predicted = [sentence("a x c", ["O"] * 3, "predicted.conll:20")]
    assert message_of(gold, predicted).startswith("gold.conll:11: token 'b', but predicted.conll:21 has 'x'; compare")


@pytest.mark.parametrize("longer_is_gold", [True, False])
def test_a_longer_sentence_is_an_error_that_names_both_locations(longer_is_gold: bool) -> None:
    longer = [sentence("a b c", ["O"] * 3, "longer.conll:10")]
    shorter = [sentence("a b", ["O"] * 2, "shorter.conll:20")]
    message = message_of(longer, shorter) if longer_is_gold else message_of(shorter, longer)
    expected = "longer.conll:12: token 'c', but the sentence at shorter.conll:20 ends after 2 tokens; compare"
    assert message.startswith(expected)


@pytest.mark.parametrize("longer_is_gold", [True, False])
def test_a_sentence_too_many_is_an_error_that_names_both_locations(longer_is_gold: bool) -> None:
    longer = [sentence("a", ["O"], "longer.conll:1"), sentence("b", ["O"], "longer.conll:3")]
    shorter = [sentence("a", ["O"], "shorter.conll:1")]
    message = message_of(longer, shorter) if longer_is_gold else message_of(shorter, longer)
    assert message.startswith(
        "longer.conll:3: sentence 2 exists only here: the other labelling ends with sentence 1 at"
    )
    assert " shorter.conll:1; compare" in message


def test_an_empty_labelling_is_an_error() -> None:
    message = message_of([sentence("a", ["O"], "gold.conll:1")], [])
    assert message.startswith("gold.conll:1: sentence 1 exists only here: the other labelling is empty")


def test_sentences_without_a_source_give_errors_too() -> None:
    assert message_of([sentence("a", ["O"])], [sentence("b", ["O"])]).startswith(
        "token 1: token 'a', but token 1 has 'b'"
    )
    longer = [sentence("a", ["O"]), sentence("b", ["O"])]
    assert "ends with sentence 1 at an unknown location" in message_of(longer, longer[:1])


def test_a_label_foreign_to_the_strict_scheme_is_located_on_either_side() -> None:
    legal = [sentence("a b", ["O", "B-x"], "fine.conll:1")]
    foreign = [sentence("a b", ["O", "S-x"], "foreign.conll:1")]
    for gold, predicted in ((legal, foreign), (foreign, legal)):
        message = message_of(gold, predicted, Scheme.IOB2)
        assert message.startswith("foreign.conll:2: label 'S-x' does not exist in the scheme IOB2")


def test_labels_are_paired_with_their_own_gold() -> None:
    assert list(labels_beside_gold([sentence("a", ["O"], gold=["B-x"])])) == [(("B-x",), ("O",))]


def test_a_sentence_without_gold_is_an_error_that_names_its_location() -> None:
    sentences = [sentence("a", ["O"], "n.conll:1", gold=["O"]), sentence("b", ["O"], "n.conll:3")]
    with pytest.raises(InputError, match=r"^n.conll:3: no gold labels to compare with; name the gold column"):
        list(labels_beside_gold(sentences))


def test_the_schemes_of_both_sides_are_found() -> None:
    tally = SchemesTally()
    tally.add(["B-x", "I-x", "O"], ["B-x", "E-x", "S-x"])
    tally.add(["I-x"], ["O"])
    gold, predicted = tally.result()
    assert (gold.scheme, gold.against) == (Scheme.IOB2, 1)
    assert (predicted.scheme, predicted.against) == (Scheme.IOBES, 0)

"""Templates and their author: every option is reachable, labels follow names, no name occurs twice."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from trustag.corpora.demo.grammar import Alternatives, Author, FixedEntity, Slot, Template, Word, parse_template
from trustag.corpora.demo.slots import Names
from trustag.seeded_random import SeededRandom
from trustag.text.spans import read_spans

NAMES = {"city": Names("LOC", ("Rome", "New York", "Oslo"), ("Bath",)), "person": Names("PER", ("Ann Lee",), ("Bo",))}
PHRASES = {"verb": (parse_template("slept"), parse_template("ran away"))}


def author(seed: int, new_names: float = 0.0) -> Author:
    return Author(NAMES, PHRASES, new_names, SeededRandom(seed))


def every_text(template: Template) -> set[str]:
    """All texts that a template of words and choices can become."""
    options = []
    for part in template:
        assert isinstance(part, Word | Alternatives)
        own = {part.text} if isinstance(part, Word) else set().union(*(every_text(option) for option in part.options))
        options.append(own)
    return {" ".join(filter(None, words)) for words in product(*options)}


def test_every_option_is_written_and_nothing_else() -> None:
    template = parse_template("we [ walked | [ ran | drove ] fast | ] home [ . | ! ]")
    expected = every_text(template)
    assert len(expected) == 8
    written = {" ".join(author(seed).write(template, "lower").tokens) for seed in range(200)}
    assert written == expected


def test_the_parts_of_a_template() -> None:
    assert parse_template("{city} {PER:May} [ a | ] x-{digit}") == (
        Slot("city"),
        FixedEntity("PER", "May"),
        Alternatives(((Word("a"),), ())),
        Word("x-{digit}"),
    )


@given(st.integers(0, 500))
def test_names_are_labelled_with_their_type_from_first_to_last_word_and_never_twice(seed: int) -> None:
    draft = author(seed).write(parse_template("{city} , {city} and {city} like {person} {verb}"), "sentence")
    spans = read_spans(draft.labels)
    found = [(" ".join(draft.tokens[start:end]), kind) for start, end, kind in spans]
    assert sorted(found[:3]) == [("New York", "LOC"), ("Oslo", "LOC"), ("Rome", "LOC")]
    assert found[3:] == [("Ann Lee", "PER")]
    outside = [token for token, label in zip(draft.tokens, draft.labels, strict=True) if label == "O"]
    assert outside in ([",", "and", "like", "slept"], [",", "and", "like", "ran", "away"])


def test_names_held_out_come_as_often_as_asked_for() -> None:
    template = parse_template("{city}")
    assert {author(seed, 1.0).write(template, "sentence").tokens for seed in range(20)} == {("Bath",)}
    held_out = sum(author(seed, 0.3).write(template, "sentence").tokens == ("Bath",) for seed in range(1000))
    assert 230 < held_out < 370


@given(
    st.sampled_from(
        [("a", "apple", "An"), ("an", "car", "A"), ("a", "user", "A"), ("a", "uncle", "An"), ("an", "euro", "A")]
    )
)
def test_articles_follow_the_next_word_and_sentences_begin_with_a_capital(case: tuple[str, str, str]) -> None:
    article, word, expected = case
    template = (Word(article), Word(word))
    assert author(1).write(template, "sentence").tokens == (expected, word)
    assert author(1).write(template, "upper").tokens == (expected.upper(), word.upper())
    quoted = author(1).write((Word('"'), *template), "sentence")
    assert quoted.tokens == ('"', expected, word)

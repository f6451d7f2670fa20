"""Forms: what they are and where they occur, compared with a naive search; what a decision teaches; their order."""

from collections import Counter
from math import log2

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from tests.review.small_run import ISSUES, SENTENCES, issue
from trustag.issues.forms import OTHER_BOUNDARIES, Form, WordIndex, entropy, find_forms, worst_first
from trustag.issues.issue import Issue
from trustag.issues.regions import differing_regions
from trustag.text.sentences import REVIEWED, Sentence
from trustag.text.spans import Span, read_spans

LABELS = ("O", "B-PER", "I-PER", "B-LOC", None)


def by_key(forms: list[Form]) -> dict[tuple[str, str], list[str]]:
    return {(form.text, form.label): [place.id for place in form.occurrences] for form in forms}


def test_given_and_missed_forms_have_all_their_places() -> None:
    assert by_key(find_forms(SENTENCES, ISSUES)) == {
        ("Reuters", "PER"): ["0-4-5", "1-0-1", "3-0-1"],
        ("New York", "O"): ["2-3-5"],
        ("Ann", "PER"): ["0-0-1"],
        ("Monday", "LOC"): ["4-1-2"],
        ("Bob", "PER"): ["3-2-3"],
    }


def test_a_missed_form_occurs_wherever_no_entity_is_given_and_none_overlapping_is_seen() -> None:
    corpus = (
        Sentence(("in", "New", "York"), ("O", "O", "O")),
        Sentence(("in", "New", "York", "City"), ("O", "O", "O", "O")),  # models see a longer name
        Sentence(("in", "New", "York"), ("O", "B-LOC", "I-LOC")),  # given
        Sentence(("in", "New", "York"), ("O", "O", None)),  # not known
        Sentence(("in", "New", "York"), ("O", "O", "O"), token_sources=("given", REVIEWED, REVIEWED)),
        Sentence(("New", "York"), ("O", "O")),
    )
    issues = [
        issue(0, 1, 3, 0.9, Span(1, 3, "LOC"), corpus=corpus),
        issue(1, 1, 4, 0.9, Span(1, 4, "LOC"), corpus=corpus),
    ]
    assert by_key(find_forms(corpus, issues)) == {
        ("New York", "O"): ["0-1-3", "5-0-2"],
        ("New York City", "O"): ["1-1-4"],
        ("New York", "LOC"): ["2-1-3"],
    }


def test_a_type_called_o_makes_no_form() -> None:
    assert find_forms([Sentence(("Ann",), ("B-O",))], []) == []


def test_what_models_see_at_a_place() -> None:
    forms = {form.text: form for form in find_forms(SENTENCES, ISSUES)}
    assert forms["Reuters"].seen == {"ORG": 3}
    assert forms["Ann"].seen == {OTHER_BOUNDARIES: 1}
    assert forms["Monday"].seen == {"O": 1}
    assert forms["Bob"].seen == {"PER": 1}
    assert forms["New York"].seen == {"LOC": 1}


def test_errors_doubt_and_gain_follow_from_the_scores() -> None:
    forms = {form.text: form for form in find_forms(SENTENCES, ISSUES)}
    reuters = forms["Reuters"]
    assert reuters.errors == pytest.approx(0.95 + 0.90 + 0.55)
    assert reuters.doubt == pytest.approx(0.8)
    # "Ann" is seen with other boundaries, so a decision on the form settles nothing and counts nowhere.
    shared = (0.95 + 0.90 + 0.55 + 0.60 + 0.0) / 5
    wrong = (2.4 + shared) / 4
    assert reuters.gain == pytest.approx(-3 * (wrong * log2(wrong) + (1 - wrong) * log2(1 - wrong)))
    assert forms["Ann"].gain == 0.0


def test_names_of_forms_are_their_own() -> None:
    forms = find_forms(SENTENCES, ISSUES)
    names = {form.id for form in forms}
    assert len(names) == len(forms)
    assert names.isdisjoint(one.id for one in ISSUES)
    assert 'form [null, "New", "York"]' in names
    assert 'form ["PER", "Reuters"]' in names


def test_orders_of_forms() -> None:
    forms = find_forms(SENTENCES, ISSUES)
    assert [form.gain for form in forms] == sorted((form.gain for form in forms), reverse=True)
    assert [form.text for form in worst_first(forms)][:3] == ["Reuters", "New York", "Ann"]


@drawn(st.floats(0, 1))
def test_an_answer_teaches_most_where_both_are_equally_likely(probability: float) -> None:
    assert 0.0 <= entropy(probability) <= 1.0
    assert entropy(probability) == pytest.approx(entropy(1 - probability))


words = st.sampled_from(("a", "b", "c"))


@drawn(st.lists(words, max_size=8).map(tuple), st.lists(st.lists(words, min_size=1, max_size=3).map(tuple), max_size=5))
def test_word_sequences_are_found_wherever_they_stand(tokens: tuple[str, ...], wanted: list[tuple[str, ...]]) -> None:
    places = [(first, end) for first in range(len(tokens)) for end in range(len(tokens), first, -1)]
    naive = [(first, end) for first, end in places if tokens[first:end] in wanted]
    assert list(WordIndex(wanted).places(tokens)) == naive


sentences = st.lists(
    st.lists(st.tuples(words, st.sampled_from(LABELS), st.sampled_from(LABELS[:4])), min_size=1, max_size=6), max_size=5
)


@drawn(sentences)
def test_every_open_entity_is_in_one_form_and_every_missed_one_too(
    rows: list[list[tuple[str, str | None, str]]],
) -> None:
    corpus = [Sentence(tuple(row[0] for row in one), tuple(row[1] for row in one)) for one in rows]
    issues = [
        Issue(number, region.first, region.end, "missed", region.given, region.suggested, 0.5, 0.5, 0.5)
        for number, one in enumerate(rows)
        for region in differing_regions(corpus[number].labels, [row[2] for row in one])
        if None not in corpus[number].labels[region.first : region.end]
    ]
    forms = find_forms(corpus, issues)
    found = Counter((place.id, form.given) for form in forms for place in form.occurrences)
    assert set(found.values()) <= {1}
    for number, sentence in enumerate(corpus):
        for start, end, kind in read_spans(sentence.labels):
            assert (f"{number}-{start}-{end}", kind) in found
    for one in issues:
        if not one.given:
            assert (one.id, None) in found
    for form in forms:
        for place in form.occurrences:
            own = corpus[place.sentence]
            assert own.tokens[place.first : place.end] == form.words
            labels = own.labels[place.first : place.end]
            assert labels.count("O") == (0 if form.given else len(labels))

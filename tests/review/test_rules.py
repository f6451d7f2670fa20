"""Rules: what decisions on forms become in a file, which files are refused, and what rules do to another corpus."""

from pathlib import Path

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from tests.review.small_run import NEW_YORK, REUTERS, REUTERS_LAST, decide
from tests.review.test_form_decisions import FORM, NEW_YORK_FORM, decide_form
from trustag.errors import InputError
from trustag.notes import Note, unwatched
from trustag.review.applying import correct
from trustag.review.rules import Rule, apply_rules, as_toml, read_rules, rules_of
from trustag.review.session import ReviewSession
from trustag.text.schemes import Scheme
from trustag.text.sentences import REVIEWED, Sentence

AGENCY = Rule("Reuters", "PER", "wrong", "ORG", "Ann", 2, 1)
CITY = Rule("New York", "O", "wrong", "LOC", "Ann", 1)


def test_rules_say_what_was_decided_and_where_not(session: ReviewSession) -> None:
    decide(session, REUTERS_LAST, "rejected", reviewer="Bob")
    decide_form(session, FORM, "edited", "ORG")
    decide_form(session, NEW_YORK_FORM, "edited", "LOC")
    decide_form(session, 'form ["PER", "Bob"]', "rejected")
    decide_form(session, 'form ["LOC", "Monday"]', "depends")
    decide_form(session, 'form ["PER", "Ann"]', "skipped")
    assert rules_of(session) == [
        Rule("Bob", "PER", "right", None, "Ann", 1),
        Rule("Monday", "LOC", "depends", None, "Ann"),
        CITY,
        AGENCY,
    ]


def test_decisions_that_were_undone_are_no_rules(session: ReviewSession) -> None:
    decide_form(session, FORM, "edited", "ORG")
    session.undo("Ann")
    assert rules_of(session) == []


def test_a_place_that_was_decided_like_the_form_is_no_exception(session: ReviewSession) -> None:
    decide(session, REUTERS, "accepted")
    decide_form(session, FORM, "edited", "ORG")
    assert rules_of(session) == [Rule("Reuters", "PER", "wrong", "ORG", "Ann", 3)]


texts = st.text(min_size=1, max_size=6).filter(lambda text: not text.isspace() and " " not in text)


@drawn(
    st.lists(
        st.builds(Rule, texts, texts, st.just("right"), who=st.text(max_size=5), decided=st.integers(0, 9)),
        min_size=1,
        max_size=4,
        unique_by=lambda rule: (rule.form, rule.type),
    )
)
def test_rules_survive_their_file(tmp_path_factory: pytest.TempPathFactory, rules: list[Rule]) -> None:
    path = tmp_path_factory.mktemp("rules") / "rules.toml"
    path.write_bytes(as_toml(rules))
    assert read_rules(path) == rules


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("rule = [", "is no TOML file"),
        ("", "holds no rules"),
        ("rule = []", "holds no rules"),
        ("[rule]\nform = 'a'", "holds no rules"),
        ("other = 1\n[[rule]]\nform='a'\ntype='PER'\nverdict='right'", "holds no rules"),
        ("[[rule]]\nform='a'\nverdict='right'", "rule 1: cannot be used"),
        ("[[rule]]\nform='a'\ntype='PER'\nverdict='maybe'", "rule 1: cannot be used"),
        ("[[rule]]\nform='a'\ntype='PER'\nverdict='right'\nlabels='O'", "rule 1: cannot be used"),
        ("[[rule]]\nform='a  b'\ntype='PER'\nverdict='right'", "single spaces"),
        ("[[rule]]\nform=''\ntype='PER'\nverdict='right'", "single spaces"),
        ("[[rule]]\nform='a'\ntype=''\nverdict='right'", "type is empty"),
        ("[[rule]]\nform='a'\ntype='PER'\nverdict='wrong'", "label must say"),
        ("[[rule]]\nform='a'\ntype='PER'\nverdict='right'\nlabel='O'", "label must say"),
        ("[[rule]]\nform='a'\ntype='PER'\nverdict='wrong'\nlabel='PER'", "said to be wrong"),
        ("[[rule]]\nform='a'\ntype='PER'\nverdict='right'\n" * 2, "2 rules for 'a' labelled PER"),
    ],
)
def test_files_that_cannot_be_used_are_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        read_rules(path)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="is no TOML file"):
        read_rules(path)


OTHER = (
    Sentence(("Reuters", "in", "New", "York"), ("B-PER", "O", "O", "O")),
    Sentence(("Reuters", "Reuters"), ("B-ORG", "B-PER"), token_sources=("given", REVIEWED)),
    Sentence(("New", "York", "Times"), ("O", None, "O")),
    Sentence(("New", "York", "Times"), ("B-ORG", "I-ORG", "I-ORG")),
)


def test_rules_apply_where_their_form_has_their_type() -> None:
    notes: list[Note] = []
    decisions = apply_rules([AGENCY, CITY], OTHER, notes.append)
    assert [(one.sentence, one.first, one.end, one.verdict, one.reviewer) for one in decisions] == [
        (0, 0, 1, "edited", "Ann"),
        (0, 2, 4, "edited", "Ann"),
    ]
    corrected = correct(OTHER, decisions, Scheme.IOB2, notes.append).sentences
    assert corrected[0].labels == ("B-ORG", "O", "B-LOC", "I-LOC")
    assert corrected[0].token_sources == (REVIEWED, "given", REVIEWED, REVIEWED)
    assert [sentence.labels for sentence in corrected[1:]] == [sentence.labels for sentence in OTHER[1:]]
    assert notes == []


def test_a_rule_that_confirms_changes_nothing_but_the_source() -> None:
    (decision,) = apply_rules([Rule("Reuters", "PER", "right")], OTHER, unwatched)
    corrected = correct(OTHER, [decision], Scheme.IOB2, unwatched).sentences
    assert [sentence.labels for sentence in corrected] == [sentence.labels for sentence in OTHER]
    assert corrected[0].token_sources == (REVIEWED, "given", "given", "given")


def test_rules_without_effect_and_rules_in_each_others_way_are_reported() -> None:
    rules = [
        Rule("New York", "O", "wrong", "LOC"),
        Rule("New", "O", "right"),
        Rule("Bob", "PER", "right"),
        Rule("Reuters", "PER", "depends"),
    ]
    notes: list[Note] = []
    decisions = apply_rules(rules, OTHER[:1], notes.append)
    assert [(one.first, one.end) for one in decisions] == [(2, 4)]
    assert [(note.reason, note.detail) for note in notes] == [
        ("words of a rule that overlap with another one", "New"),
        ("rule that matches nothing", "New labelled O"),
        ("rule that matches nothing", "Bob labelled PER"),
        ("rule that depends on the context", "Reuters labelled PER"),
    ]


def test_rules_give_the_same_corpus_as_the_decisions_they_come_from(session: ReviewSession) -> None:
    decide_form(session, FORM, "edited", "ORG")
    decide_form(session, NEW_YORK_FORM, "edited", "LOC")
    run = session.run
    by_rules = apply_rules(rules_of(session), run.sentences, unwatched)
    by_hand = session.state.final_decisions()
    assert (
        correct(run.sentences, by_rules, run.scheme, unwatched).sentences
        == correct(run.sentences, by_hand, run.scheme, unwatched).sentences
    )
    assert NEW_YORK in {decision.issue for decision in by_hand}

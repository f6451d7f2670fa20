from trustag.issues.flat_records import row_of
from trustag.issues.issue import Issue
from trustag.issues.label_sources import SourceErrors, errors_by_source, sources_of
from trustag.text.sentences import Sentence
from trustag.text.spans import Span

MERGED = Sentence(
    ("Ann", "Smith", "saw", "Rome"),
    ("B-PER", "I-PER", "O", "B-LOC"),
    token_sources=("anna+ben", "anna", "none", "gazetteer:cities"),
)
REVIEWED = Sentence(("Ann",), ("B-PER",), token_sources=("reviewed",))
PLAIN = Sentence(("Rome",), ("B-LOC",))


def spurious(sentence: int, span: Span, score: float) -> Issue:
    return Issue(sentence, span.start, span.end, "spurious", (span,), (), score, 0.1, 0.9)


def test_sources_are_named_once_and_reviewed_labels_have_none() -> None:
    assert sources_of(MERGED, 0, 2) == ("anna", "ben")
    assert sources_of(MERGED, 2, 4) == ("gazetteer:cities",)
    assert sources_of(REVIEWED, 0, 1) == ()
    assert sources_of(PLAIN, 0, 1) == ()


def test_the_worst_source_comes_first() -> None:
    issues = [spurious(0, Span(0, 2, "PER"), 0.75), spurious(1, Span(0, 2, "PER"), 0.25)]
    found = errors_by_source([MERGED, MERGED, REVIEWED, PLAIN], issues)
    cities = SourceErrors("gazetteer:cities", 2, 0.0)
    assert found == [SourceErrors("anna", 2, 1.0), SourceErrors("ben", 2, 1.0), cities]
    assert found[0].share == 0.5


def test_a_missed_entity_is_no_error_of_an_entity() -> None:
    missed = Issue(0, 2, 3, "missed", (), (Span(2, 3, "ORG"),), 0.9, 0.1, 0.9)
    assert all(one.wrong == 0.0 for one in errors_by_source([MERGED], [missed]))


def test_a_row_names_the_sources() -> None:
    assert row_of(spurious(0, Span(0, 2, "PER"), 0.5), [MERGED])["label_sources"] == "anna+ben"
    assert row_of(spurious(0, Span(0, 1, "LOC"), 0.5), [PLAIN])["label_sources"] == ""

"""Columns of tables by their names: how a name is written does not matter, and no column is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.errors import InputError
from trustag.files.table_columns import ROLES, checked_columns, find_columns, is_role

NAMES = st.sampled_from(["Token", "WORD", "label", "ner_tags", "gold", "Sentence #", "source", "POS", "lemma", "_", ""])


@given(st.lists(NAMES, unique=True))
def test_every_column_has_a_role_a_name_or_is_ignored(header: list[str]) -> None:
    found = find_columns(header)
    shown = found.description().split()
    assert len(shown) == found.width == len(header)
    for index, (name, contents) in enumerate(zip(header, shown, strict=True)):
        if contents in ROLES:
            assert is_role(name)
            assert index in found.roles.values()
        else:
            assert contents == (name or "_")
    assert all(found.index(role) == found.roles.get(role) for role in ROLES)


@given(st.lists(NAMES, unique=True), st.sampled_from([str.upper, str.lower, str.title]))
def test_capitals_and_marks_do_not_matter(header: list[str], spelled: object) -> None:
    assert callable(spelled)
    changed = [f" {spelled(name).replace(' ', '-')}:" for name in header]
    assert find_columns(changed).roles == find_columns(header).roles


def test_the_preferred_name_wins_and_the_other_is_kept() -> None:
    found = find_columns(["tags", "labels", "word", "token"])
    assert found.roles == {"token": 3, "label": 1}
    assert found.extra == (("tags", 0), ("word", 2))


@pytest.mark.parametrize(
    ("header", "finding"),
    [
        (["a", "tag"], r"x:1: no column of tokens among a, tag; name them with --columns"),
        (["word", ""], r"no column of labels among word, \(no name\); .* trustag merge makes one column"),
        (["word", "tag", "POS", "POS"], "the column 'POS' occurs twice; rename one of them"),
    ],
)
def test_headers_that_leave_a_question_are_refused(header: list[str], finding: str) -> None:
    with pytest.raises(InputError, match=finding):
        checked_columns(header, "x:1")


def test_labels_may_be_missing_where_they_do_not_matter() -> None:
    assert checked_columns(["word"], "x:1", unlabelled=True).description() == "token"

"""Rules of languages and of users."""

from pathlib import Path

import pytest

from trustag.errors import InputError
from trustag.labelling.language_words import known_languages
from trustag.labelling.rule_files import read_rules


@pytest.mark.parametrize("language", known_languages())
def test_shipped_rules_can_be_read_and_have_names(language: str) -> None:
    rules = read_rules([language], {})
    names = {rule.settings.name for rule in rules.rules}
    assert {"org-prefix", "first-name", "title", "in-a-place", "abbreviation"} <= names
    assert rules.types == {"PER", "LOC", "ORG", "MISC"}
    assert {rule.name for rule in rules.repeats} == {"same-name", "surname", "abbreviation-of"}


def test_files_of_users_and_rules_that_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[[rule]]\nname = "ship"\ntype = "SHIP"\nat = "first"\nwords = "hms uss"\n')
    rules = read_rules(["en", str(path)], {}, ["title", "surname"])
    names = {rule.settings.name for rule in rules.rules}
    assert "ship" in names
    assert "title" not in names
    assert "SHIP" in rules.types
    assert "surname" not in {rule.name for rule in rules.repeats}


def test_wrong_files_are_errors(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("[[rule]")
    with pytest.raises(InputError, match="not valid TOML"):
        read_rules([str(tmp_path / "bad.toml")], {})
    with pytest.raises(InputError, match="no rules called 'xx'"):
        read_rules(["xx"], {})
    with pytest.raises(InputError, match="two rules are called"):
        read_rules(["en", "de"], {})
    with pytest.raises(InputError, match="no rule 'abc' to leave out"):
        read_rules(["en"], {}, ["abc"])

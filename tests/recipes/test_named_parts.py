"""Parts chosen by name: from a table, or from the user's own modules, which data alone never imports."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import PydanticCustomError

from trustag.errors import InputError
from trustag.recipes.named_parts import known_name, load_part

PLACES = {"one": f"{__name__}:ONE", "other": f"{__name__}:OTHER"}
ONE = object()
WORDS = st.from_regex(r"\A[a-z_][a-z0-9_]*\Z")


@given(st.lists(WORDS, min_size=1, max_size=3), WORDS)
def test_every_name_of_the_table_and_every_place_is_known(modules: list[str], name: str) -> None:
    place = f"{'.'.join(modules)}:{name}"
    assert known_name(place, PLACES) == place
    assert known_name("one", PLACES) == "one"


@pytest.mark.parametrize("name", ["", "two", "a b:C", "a:", ":C", "a:b:C", "a.b", "../a:C", "a:C\n", "1a:C"])
def test_what_is_neither_is_refused_with_what_there_is(name: str) -> None:
    with pytest.raises(PydanticCustomError, match="'one', 'other' or your own as package.module:NAME"):
        known_name(name, PLACES)


def test_a_part_is_found_by_its_name_and_by_its_place() -> None:
    assert load_part("one", PLACES, "thing") is ONE
    assert load_part(f"{__name__}:ONE", PLACES, "thing") is ONE


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ones", "no thing called 'ones'; did you mean 'one'"),
        ("zebra", "no thing called 'zebra'; known: one, other, or your own as package.module:NAME"),
        ("other", "cannot load the thing 'other'"),
        ("absent_module:ONE", "cannot load the thing 'absent_module:ONE'"),
    ],
)
def test_what_cannot_be_loaded_is_one_line(name: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load_part(name, PLACES, "thing")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_name_that_came_with_data_imports_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "evil_part.py").write_text("from pathlib import Path\nPath('ran').touch()\nPART = 1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(InputError, match="code from outside Trustag; if you trust it: trustag --import evil_part"):
        load_part("evil_part:PART", {}, "thing", imports=False)
    assert not (tmp_path / "ran").exists()
    assert "evil_part" not in sys.modules
    assert load_part("evil_part:PART", {}, "thing") == 1
    assert load_part("evil_part:PART", {}, "thing", imports=False) == 1  # whoever imported it trusts it
    monkeypatch.delitem(sys.modules, "evil_part")


def test_our_own_modules_may_always_be_imported() -> None:
    assert load_part("trustag.models.crf_head:CRF", {}, "head", imports=False) is not None


def test_a_name_that_begins_like_ours_is_not_ours() -> None:
    with pytest.raises(InputError, match="from outside"):
        load_part("trustag_evil.part:PART", {}, "head", imports=False)

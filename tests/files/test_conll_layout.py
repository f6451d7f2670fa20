"""Columns told by what they hold: usual layouts are recognised, doubtful ones refused, declared ones taken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.errors import InputError
from trustag.files.conll_layout import detect_layout, split_fields
from trustag.files.formats import ReadOptions

PLAIN = ReadOptions()
# Column name to what stands in it, row by row.
VALUES = {
    "token": ["Ann", "saw", "York"],
    "pos": ["NNP", "VBD", "NNP"],
    "chunk": ["B-NP", "B-VP", "B-NP"],
    "label": ["B-PER", "O", "B-LOC"],
    "gold": ["B-PER", "O", "O"],
    "index": ["1", "2", "3"],
    "source": ["given", "reviewed", "given"],
    "_": ["_", "_", "_"],
}
USUAL = [
    ("token",),
    ("token", "label"),
    ("token", "pos", "label"),
    ("token", "pos", "chunk", "label"),
    ("token", "_", "_", "label"),
    ("token", "label", "gold"),
    ("token", "label", "gold", "source"),
    ("index", "token", "label"),
]


def file_of(names: tuple[str, ...], delimiter: str) -> str:
    rows = zip(*(VALUES[name] for name in names), strict=True)
    return "".join(delimiter.join(row) + "\n" for row in rows)


@pytest.mark.parametrize("names", USUAL, ids=" ".join)
@pytest.mark.parametrize("delimiter", [" ", "\t", "  "])
def test_usual_layouts_are_recognised(names: tuple[str, ...], delimiter: str) -> None:
    found = detect_layout(f"\n{file_of(names, delimiter)}\n", "file", PLAIN)
    assert found.names == names
    assert found.width == len(names)
    assert found.detected
    if len(names) > 1:
        assert found.delimiter == delimiter[0]
    for column in ("label", "gold", "source"):
        assert getattr(found, column) == (names.index(column) if column in names else None)
    assert found.token == names.index("token")


@given(st.sampled_from(USUAL), st.lists(st.sampled_from(["# a comment", "-DOCSTART- -X- O", ""]), max_size=3))
def test_comments_blank_lines_and_document_marks_say_nothing_of_columns(
    names: tuple[str, ...], more: list[str]
) -> None:
    text = file_of(names, " ")
    assert detect_layout("\n".join([*more, text]), "file", PLAIN) == detect_layout(text, "file", PLAIN)


@given(st.permutations(["token", "label", "gold", "mine", "_"]))
def test_declared_columns_are_taken_as_declared(names: list[str]) -> None:
    found = detect_layout("a b c d e\n", "file", ReadOptions(columns=tuple(names)))
    assert found.names == tuple(names)
    assert not found.detected
    assert found.extra == [("mine", names.index("mine"))]
    assert sorted(found.label_columns) == sorted(names.index(name) for name in ("label", "gold"))


@pytest.mark.parametrize("columns", [("label",), ("token", "token"), ("token", "label", "label")])
def test_columns_without_one_token_or_named_twice_are_refused(columns: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="--columns"):
        detect_layout("a b c\n", "file", ReadOptions(columns=columns))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "file"),
        ("\n \n", "file"),
        ("a O\nb O\nc\n", "file:3"),
        ("a x\nb y\n", "file:1"),
        ("a B-X B-Y B-Z\nb O O O\n", "file:1"),
        ("a O\n" * 20 + "b 7\n" + "c O\n", "file:21"),
    ],
    ids=["empty", "blank", "ragged", "no tags", "three tag columns", "stray value"],
)
def test_what_could_be_read_wrongly_is_refused_with_its_line(text: str, where: str) -> None:
    with pytest.raises(InputError) as caught:
        detect_layout(text, "file", PLAIN)
    assert str(caught.value).startswith(f"{where}:")


FIELDS = st.text("abcÄ#-", min_size=1, max_size=3)


@given(st.lists(FIELDS, min_size=1, max_size=5), st.booleans(), st.sampled_from(["", " ", "\t"]))
def test_a_row_falls_apart_into_the_fields_it_was_joined_from(fields: list[str], tabs: bool, after: str) -> None:
    sample = "a\tO\n" if tabs else "a O\n"
    layout = detect_layout(sample, "file", PLAIN)
    assert split_fields(("\t" if tabs else " ").join(fields) + after, layout) == tuple(fields)
    assert split_fields(after, layout) == ()


def test_a_row_with_a_hash_is_a_comment_unless_it_fits_the_columns() -> None:
    layout = detect_layout("a O\nb PER\n", "file", PLAIN)
    assert layout.bare_types == {"PER"}
    for row, expected in (("# O", False), ("# PER", False), ("# text", True), ("# id = 3", True), ("a O", False)):
        assert layout.is_comment(row, split_fields(row, layout)) == expected

import pytest
from msgspec.structs import replace

from trustag.aggregation.labellings import from_columns, from_files
from trustag.errors import InputError
from trustag.notes import Note, unwatched
from trustag.text.labels import Label
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence, Source


def sentence(text: str, *labels: Label, **columns: str) -> Sentence:
    own = {name: tuple(values.split(",")) for name, values in columns.items()}
    return Sentence(tuple(text.split()), labels, columns=own, source=Source("file", 3, token_lines=True))


ANN = sentence("Ann slept", "B-PER", "O")
ROME = sentence("Rome slept", "B-LOC", "O")


def test_files_stand_side_by_side() -> None:
    found = from_files({"a": [ANN, ROME], "b": [replace(ANN, labels=("O", "O")), ROME]}, unwatched)
    assert found.names == ("a", "b")
    assert found.given == ((("B-PER", "O"), ("O", "O")), (("B-LOC", "O"), ("B-LOC", "O")))
    assert all(own.labels == (None, None) for own in found.sentences)
    assert found.types == ["LOC", "PER"]


def test_another_text_is_refused() -> None:
    with pytest.raises(InputError, match=r"file:3: token 'Ann', but file:3 has 'Rome'"):
        from_files({"a": [ANN], "b": [ROME]}, unwatched)


def test_parts_are_joined_by_their_tokens() -> None:
    other = replace(ANN, labels=("B-ORG", "O"))
    found = from_files({"a": [ANN, other], "b": [ROME, ANN]}, unwatched, partial=True)
    assert [own.tokens[0] for own in found.sentences] == ["Ann", "Ann", "Rome"]
    assert found.given == (
        (("B-PER", "O"), ("B-PER", "O")),
        (("B-ORG", "O"), (None, None)),
        ((None, None), ("B-LOC", "O")),
    )


def test_labels_of_any_scheme_are_read_and_repairs_are_noted() -> None:
    notes: list[Note] = []
    singles = sentence("Ann slept", "S-PER", "O")
    found = from_files(
        {
            "a": [singles],
            "b": [
                sentence("Ann slept", "I-PER", "O"),
            ][:1],
        },
        notes.append,
    )
    assert found.scheme is Scheme.IOBES
    assert found.given == ((("B-PER", "O"), ("B-PER", "O")),)
    illegal = [sentence("Ann slept", "O", "I-PER"), ANN]
    from_files({"a": illegal, "b": [replace(ANN, labels=("O", "O")), ANN]}, notes.append)
    assert [note.kind for note in notes] == ["repaired"]


def test_all_columns_of_labels_are_sources() -> None:
    notes: list[Note] = []
    found = from_columns([sentence("Ann slept", None, None, pos="N,V", a="B-PER,O", b="O,")], None, notes.append)
    assert found.names == ("a", "b")
    assert found.given == ((("B-PER", "O"), ("O", None)),)
    assert [note.detail for note in notes] == ["the columns of labels are a, b"]


def test_the_usual_labels_are_a_source_too() -> None:
    found = from_columns([sentence("Ann slept", "B-PER", "O", a="O,O")], None, unwatched)
    assert found.names == ("label", "a")


def test_named_columns_must_be_there_and_hold_labels() -> None:
    both = [sentence("Ann slept", "B-PER", "O", a="O,O", pos="N,V")]
    with pytest.raises(InputError, match=r"no column 'b'.* choose among label, a, pos"):
        from_columns(both, ["a", "b"], unwatched)
    with pytest.raises(InputError, match=r"file:3: unknown tag 'N' in column 'pos'"):
        from_columns(both, ["a", "pos"], unwatched)


def test_one_source_is_nothing_to_merge() -> None:
    with pytest.raises(InputError, match="only one source: a"):
        from_files({"a": [ANN]}, unwatched)
    with pytest.raises(InputError, match="no source of labels"):
        from_columns([sentence("Ann", None)], None, unwatched)

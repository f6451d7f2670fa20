"""Tags by name or number: each means one label, numbers come back, and a wrong one is named with its token."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.scratch import scratch_file
from trustag.errors import InputError
from trustag.files.spelled_tags import SpelledTags
from trustag.files.stored_tags import Names, StoredTags, TagNumbers, names_in_order, outside_first, read_names
from trustag.text.labels import Label
from trustag.text.sentences import Sentence, Source

TAGS = ("O", "B-PER", "I-PER", "B-LOC")
WHERE = Source("file", 4)


def stored(names: Names | None = None) -> StoredTags:
    def find_names() -> Names:
        assert names is not None, "names are asked for only where there are numbers"
        return names

    return StoredTags(find_names, SpelledTags("file", lambda _: None))


@given(st.lists(st.sampled_from([*TAGS, None])))
def test_written_numbers_are_read_back_as_the_labels(labels: list[Label]) -> None:
    sentence = Sentence(("w",) * len(labels), tuple(labels))
    numbers = TagNumbers(TAGS).of(labels, sentence)
    assert all(
        number == -100 if label is None else TAGS[number] == label
        for number, label in zip(numbers, labels, strict=True)
    )
    assert stored(dict(enumerate(TAGS))).labels(numbers, WHERE) == tuple(labels)
    assert stored().labels(labels, WHERE) == tuple(labels)


@pytest.mark.parametrize("unknown", [None, -1, -100])
def test_unknown_labels_need_no_names(unknown: int | None) -> None:
    assert stored().labels([unknown], WHERE) == (None,)


@given(st.lists(st.sampled_from(range(4)), max_size=5))
def test_a_number_without_a_name_is_refused_with_its_token(before: list[int]) -> None:
    with pytest.raises(InputError, match=f"token {len(before) + 1}.*4") as caught:
        stored(dict(enumerate(TAGS))).labels([*before, 4, 0], WHERE)
    assert str(caught.value).startswith("file:4")


def test_renaming_changes_the_numbers_from_there_on_and_not_before() -> None:
    first = stored({0: "O", 1: "B-PER"})
    second = first.renamed(lambda: {0: "B-LOC", 1: "O"})
    assert first.labels([0, 1], WHERE) == ("O", "B-PER")
    assert second.labels([0, 1], WHERE) == ("B-LOC", "O")
    assert first.labels([0, 1], WHERE) == ("O", "B-PER")


def test_a_label_that_has_no_number_is_refused_with_its_line() -> None:
    sentence = Sentence(("a", "b"), ("O", "B-ORG"), source=Source("file", 10, token_lines=True))
    with pytest.raises(InputError, match="file:11.*B-ORG"):
        TagNumbers(TAGS).of(sentence.labels, sentence)


@given(st.permutations(TAGS))
def test_names_are_read_from_arrays_and_from_objects_of_both_directions(tags: list[str]) -> None:
    expected = dict(enumerate(tags))
    forms: list[object] = [
        tags,
        {tag: number for number, tag in expected.items()},
        {str(n): t for n, t in expected.items()},
    ]
    for form in forms:
        assert read_written(form) == expected


def read_written(form: object) -> Names:
    with scratch_file(json.dumps(form), "names.json") as file:
        return read_names(file.path)


@pytest.mark.parametrize("form", [["O", "O"], {"O": 0, "B-PER": 0}, {"0": "O", "1": "O"}, {"O": "B"}, 3, [1]])
def test_names_that_are_not_one_to_one_are_refused_with_their_file(form: object) -> None:
    with pytest.raises(InputError, match="names.json"):
        read_written(form)


def test_outside_comes_first_and_nothing_twice() -> None:
    assert outside_first(["B-PER", "O", "B-LOC", "B-PER"]) == ("O", "B-PER", "B-LOC")
    assert outside_first([]) == ("O",)
    assert names_in_order(("O", "X-Y"), WHERE) == {0: "O", 1: "X-Y"}

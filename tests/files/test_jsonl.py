"""JSON Lines with tokens keep everything, read every dialect, and refuse what they cannot read with one line."""

import io
import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.rich import reported, rich_sentences, without_sources
from tests.files.scratch import scratch_file
from trustag.errors import InputError
from trustag.files.formats import ReadOptions, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.jsonl import FORMAT
from trustag.notes import Note, unwatched
from trustag.text.sentences import Sentence, Source

EU = Sentence(("EU", "rejects"), ("B-ORG", "O"))


def written(*sentences: Sentence) -> bytes:
    stream = io.BytesIO()
    FORMAT.write(sentences, stream, WriteOptions(), unwatched)
    return stream.getvalue()


def read(content: str | bytes, notes: list[Note] | None = None) -> list[Sentence]:
    with scratch_file(content, "a.jsonl") as file:
        return list(FORMAT.read(file, ReadOptions(), notes.append if notes is not None else unwatched))


def read_one(content: str) -> Sentence:
    (sentence,) = read(content)
    return sentence


def failure(content: str | bytes) -> str:
    with pytest.raises(InputError) as caught:
        read(content)
    message = str(caught.value)
    assert "\n" not in message
    return message


@given(st.lists(rich_sentences(), min_size=1, max_size=4))
def test_what_is_written_is_read_back_with_nothing_lost(sentences: list[Sentence]) -> None:
    notes: list[Note] = []
    assert without_sources(read(written(*sentences), notes)) == sentences
    assert notes == []


def test_numbers_may_be_named_by_bare_types() -> None:
    notes: list[Note] = []
    content = '{"names": ["O", "art", "person"]}\n{"tokens": ["a", "b"], "ner_tags": [0, 2], "gold_tags": [1, 0]}'
    (sentence,) = read(content, notes)
    assert (sentence.labels, sentence.gold) == (("O", "I-person"), ("I-art", "O"))
    assert [note.reason for note in notes] == ["bare types", "bare types"]


@given(rich_sentences())
def test_another_json_library_reads_what_is_written(sentence: Sentence) -> None:
    record = json.loads(written(sentence))
    assert record["tokens"] == list(sentence.tokens)
    assert record["ner_tags"] == list(sentence.labels)
    assert record.get("gold_tags") == (None if sentence.gold is None else list(sentence.gold))


def test_the_written_form() -> None:
    full = Sentence(("a",), (None,), ("O",), ("x",), None, "1", "d", ("# c",), ("", "\n"), {"pos": ("N",)})
    assert written(EU, full).decode() == (
        '{"tokens":["EU","rejects"],"ner_tags":["B-ORG","O"]}\n'
        '{"tokens":["a"],"ner_tags":[null],"gold_tags":["O"],"id":"1","document":"d","comments":["# c"],'
        '"token_sources":["x"],"gaps":["","\\n"],"columns":{"pos":["N"]}}\n'
    )


def test_sources_are_lines() -> None:
    content = b"\n" + written(EU) + b"\n" + written(EU)
    assert [sentence.source for sentence in read(content)] == [Source("a.jsonl", 2), Source("a.jsonl", 4)]


@pytest.mark.parametrize("key", ["ner_tags", "tags", "labels"])
def test_tags_have_three_names(key: str) -> None:
    assert read_one(f'{{"tokens": ["EU", "rejects"], "{key}": ["B-ORG", "O"]}}').labels == EU.labels


def test_the_first_name_for_tags_wins_and_the_others_are_left_out() -> None:
    notes: list[Note] = []
    content = '{"labels": [[7]], "tokens": ["a"], "tags": ["B-X"], "ner_tags": ["O"]}\n'
    assert [sentence.labels for sentence in read(content, notes)] == [("O",)]
    assert reported(notes) == ["left out: extra key: 'labels', once", "left out: extra key: 'tags', once"]


@pytest.mark.parametrize("tag", ["null", '"-"', '"None"', "-1", "-100", '"-100"'])
def test_unknown_labels_have_many_spellings(tag: str) -> None:
    assert read_one(f'{{"tokens": ["a"], "ner_tags": [{tag}]}}').labels == (None,)


def test_no_tags_at_all_are_unknown_labels() -> None:
    assert read_one('{"tokens": ["a", "b"], "ner_tags": null}').labels == (None, None)


def test_an_array_of_records_is_read_too() -> None:
    found = read('[{"tokens": ["a"], "tags": ["O"]},\n {"tokens": [], "tags": []}]')
    assert without_sources(found) == [Sentence(("a",), ("O",)), Sentence((), ())]
    assert [sentence.source for sentence in found] == [Source("a.jsonl", 1), Source("a.jsonl", 2)]


def test_numbers_become_strings_where_a_sentence_has_strings() -> None:
    sentence = read_one('{"tokens": ["a"], "tags": ["O"], "id": 7, "document": 8}')
    assert (sentence.id, sentence.document) == ("7", "8")


def test_pos_and_chunk_tags_are_columns_if_they_are_strings() -> None:
    notes: list[Note] = []
    content = (
        '{"tokens": ["a"], "tags": ["O"], "pos_tags": ["N"], "chunk_tags": [3]}\n'
        '{"tokens": ["a"], "tags": ["O"], "pos_tags": ["N"], "columns": {"pos": ["V"]}}\n'
    )
    assert [sentence.columns for sentence in read(content, notes)] == [{"pos": ("N",)}, {"pos": ("V",)}]
    assert reported(notes) == ["left out: extra key: 'chunk_tags', once", "left out: extra key: 'pos_tags', once"]


def test_other_keys_are_left_out_and_counted() -> None:
    notes: list[Note] = []
    read('{"tokens": ["a"], "tags": ["O"], "x": 1, "y": {}}\n' * 3 + '{"tokens": ["a"], "tags": ["O"], "y": 2}', notes)
    assert reported(notes) == ["left out: extra key: 'x', 3 times", "left out: extra key: 'y', 4 times"]
    assert notes[0].source == Source("a.jsonl")


# Numbers and their names


def test_a_record_may_name_the_numbers_of_itself_and_those_after_it() -> None:
    content = (
        '{"tokens": ["a", "b"], "tags": [0, 1], "gold_tags": [1, -1], "names": ["O", "B-X"]}\n'
        '{"tokens": ["a"], "tags": [1]}\n'
        '{"names": ["B-Y", "O"]}\n'
        '{"tokens": ["a"], "tags": [0]}\n'
    )
    found = read(content)
    assert [sentence.labels for sentence in found] == [("O", "B-X"), ("B-X",), ("B-Y",)]
    assert found[0].gold == ("B-X", None)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("train.names.json", '["O", "B-X"]'),
        ("train.names.json", '{"O": 0, "B-X": 1}'),
        ("label2id.json", '{"B-X": 1, "O": 0}'),
        ("id2label.json", '{"0": "O", "1": "B-X"}'),
    ],
)
@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".json"])
def test_names_come_from_a_file_beside(tmp_path: Path, name: str, content: str, suffix: str) -> None:
    (tmp_path / name).write_text(content)
    (tmp_path / f"train{suffix}").write_text('{"tokens": ["a", "b"], "ner_tags": [1, 0]}')
    (sentence,) = FORMAT.read(InputFile(tmp_path / f"train{suffix}"), ReadOptions(), unwatched)
    assert sentence.labels == ("B-X", "O")


def test_the_names_of_this_very_file_come_first(tmp_path: Path) -> None:
    (tmp_path / "label2id.json").write_text('{"O": 0}')
    (tmp_path / "a.names.json").write_text('["B-X"]')
    (tmp_path / "a.jsonl").write_text('{"tokens": ["a"], "ner_tags": [0]}')
    (sentence,) = FORMAT.read(InputFile(tmp_path / "a.jsonl"), ReadOptions(), unwatched)
    assert sentence.labels == ("B-X",)


def test_standard_input_has_no_file_of_names(tmp_path: Path) -> None:
    (tmp_path / "label2id.json").write_text('{"O": 0}')
    (tmp_path / "kept").write_text('{"tokens": ["a"], "ner_tags": [0]}')
    with pytest.raises(InputError, match="^<stdin>: the tags are numbers without names"):
        list(FORMAT.read(InputFile(tmp_path / "kept", shown_as="<stdin>"), ReadOptions(), unwatched))


def test_numbers_without_names_are_an_error() -> None:
    assert failure('{"tokens": ["a"], "tags": [0]}') == (
        'a.jsonl: the tags are numbers without names; add "names": [...] to the first record, '
        "or a file label2id.json to the same folder"
    )


@pytest.mark.parametrize("number", [2, -2, 10**30])
def test_a_number_without_a_name_is_an_error_that_names_everything(number: int) -> None:
    content = f'{{"names": ["O", "B-X"]}}\n{{"tokens": ["a", "b"], "tags": [0, {number}]}}'
    if number > 2**64:
        assert failure(content).startswith("a.jsonl:2: ")
    else:
        assert failure(content) == (
            f"a.jsonl:2: token 2: tag number {number} is not among the 2 numbers with a name; "
            "use numbers with a name, or -100 for an unknown label"
        )


@pytest.mark.parametrize(
    ("content", "finding"),
    [
        ('["O", "O"]', "the name 'O' occurs twice"),
        ('{"O": 0, "B-X": 0}', "the number 0 occurs twice"),
        ('{"a": "b"}', "neither 'a' nor 'b' is a number"),
        ('{"1": [2]}', "Expected `int | str`, got `array` - at `$[...]`"),
        ("[1]", "Expected `str`, got `int` - at `$[0]`"),
        ("nonsense", "JSON is malformed"),
        ("", ""),
    ],
)
def test_unusable_names_are_an_error(tmp_path: Path, content: str, finding: str) -> None:
    (tmp_path / "label2id.json").write_text(content)
    (tmp_path / "a.jsonl").write_text('{"tokens": ["a"], "ner_tags": [0]}')
    with pytest.raises(InputError) as caught:
        list(FORMAT.read(InputFile(tmp_path / "a.jsonl"), ReadOptions(), unwatched))
    assert str(caught.value).startswith(f"{tmp_path / 'label2id.json'}")
    assert finding in str(caught.value)


# Everything that cannot be read


@pytest.mark.parametrize(
    ("record", "finding"),
    [
        ('{"tokens": ["a"]}', "'ner_tags' is missing or null (keys: tokens)"),
        ('{"tokens": null, "tags": []}', "'tokens' is missing or null (keys: tokens, tags)"),
        ("{}", "'tokens' is missing or null (keys: none)"),
        ('{"tokens": ["a", "b"], "tags": ["O"]}', "1 labels for 2 tokens; give exactly 2"),
        ('{"tokens": ["a"], "tags": ["O"], "gold_tags": []}', "0 gold labels for 1 tokens"),
        ('{"tokens": ["a"], "tags": ["O"], "token_sources": []}', "0 token sources for 1 tokens"),
        ('{"tokens": ["a"], "tags": ["O"], "gaps": [""]}', "1 gaps for 1 tokens; give exactly 2"),
        ('{"tokens": ["a"], "tags": ["O"], "columns": {"pos": []}}', "0 values in column 'pos' for 1 tokens"),
        ('{"tokens": ["a", 1], "tags": ["O", "O"]}', "Expected `str`, got `int` - at `$.tokens[1]`"),
        ('{"tokens": "a", "tags": ["O"]}', "Expected `array | null`, got `str` - at `$.tokens`"),
        ('{"tokens": ["a"], "ner_tags": [1.5]}', "'ner_tags': Expected `int | str | null`, got `float`"),
        ('{"tokens": ["a"], "ner_tags": [true]}', "'ner_tags': Expected `int | str | null`, got `bool`"),
        ('{"tokens": ["a"], "ner_tags": "O"}', "'ner_tags': Expected `array | null`, got `str`"),
        ('{"tokens": ["a"], "tags": ["P-ER"]}', "token 1: unknown tag 'P-ER'; tags are O, B-TYPE"),
        (
            '{"tokens": ["a", "b"], "tags": ["PER", "B-PER"]}',
            "token 2: the tag 'B-PER' does not match the style of 'PER'; write all tags",
        ),
        ('{"tokens": ["a"], "tags": ["O"], "id": {}}', "Expected `int | str | null`, got `object` - at `$.id`"),
        ("[1]", "Expected `object`, got `array`"),
        ("7", "Expected `object`, got `int`"),
        ('{"tokens": ["a"', "JSON is malformed"),
    ],
)
def test_what_cannot_be_read_is_one_line_that_names_the_location(record: str, finding: str) -> None:
    message = failure('{"tokens": ["a"], "ner_tags": ["O"]}\n' + record)
    assert message.startswith(f"a.jsonl:2: {finding}")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-200, 200) | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
keys = st.sampled_from(
    ["tokens", "ner_tags", "tags", "labels", "gold_tags", "id", "document", "comments", "gaps", "columns", "names"]
)
likely_values = json_values | st.lists(st.sampled_from(["O", "B-X", 0, 1, None, "a"]), max_size=3)


@given(st.lists(st.dictionaries(keys, likely_values, max_size=6) | json_values, min_size=1, max_size=3))
def test_any_json_is_read_or_refused(records: list[object]) -> None:
    try:
        read(b"\n".join(msgspec.json.encode(record) for record in records))
    except InputError as error:
        assert str(error).startswith("a.jsonl")


@given(st.binary(max_size=60) | st.text('{}[]",:0\\utokensgs ', max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    try:
        read(content)
    except InputError as error:
        assert str(error).startswith("a.jsonl")


def test_an_unpaired_surrogate_cannot_be_written() -> None:
    with pytest.raises(InputError, match="an unpaired surrogate"):
        written(Sentence(("\ud800",), ("O",)))

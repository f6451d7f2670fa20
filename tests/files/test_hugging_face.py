"""Hugging Face datasets: the real library reads what is written here, and what it writes is read here."""

import gzip
import io
import json
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.files.rich import TAGS, reported, rich_sentences, without_sources
from trustag.errors import InputError, MissingExtraError
from trustag.files import parquet
from trustag.files.formats import ReadOptions, WriteOptions
from trustag.files.hugging_face import FORMAT
from trustag.files.inputs import InputFile
from trustag.notes import Note, unwatched
from trustag.text.sentences import Sentence, Source

NAMES = ["O", "B-PER", "I-PER"]
BOB = Sentence(
    ("Bob", "Ott", "ran"), ("B-PER", "I-PER", None), ("B-PER", "O", "O"), id="7", columns={"pos": ("N", "N", "V")}
)
ROME = Sentence(("Rome",), ("O",))
OPTIONS = WriteOptions(tags=("B-PER", "I-PER"))


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The real library, kept from the network and from anybody's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("HF_DATASETS_OFFLINE", "1")
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("hf")))
        library = pytest.importorskip("datasets")
        library.disable_progress_bars()
        yield library


def read(path: Path, split: str = "train", notes: list[Note] | None = None) -> list[Sentence]:
    return list(FORMAT.read(path, split, ReadOptions(), notes.append if notes is not None else unwatched))


def table(path: Path, columns: dict[str, Any], names: dict[str, list[str]] | None = None) -> Path:
    """Write a table with the library that ours is built on, as the simplest file others may have."""
    features = {name: {"feature": {"names": given, "_type": "ClassLabel"}} for name, given in (names or {}).items()}
    held = pa.table(columns).replace_schema_metadata({"huggingface": json.dumps({"info": {"features": features}})})
    pq.write_table(held, path)
    return path


def failure(path: Path, split: str = "train") -> str:
    with pytest.raises(InputError) as caught:
        read(path, split)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(f"{path}", path.name)


# There and back again


@settings(max_examples=30)
@given(st.lists(rich_sentences(), max_size=3), st.lists(rich_sentences(), max_size=2))
def test_what_is_written_is_read_back_with_nothing_lost(train: list[Sentence], dev: list[Sentence]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, notes = Path(name), list[Note]()
        FORMAT.write({"train": iter(train), "dev": iter(dev)}, folder, WriteOptions(tags=TAGS), unwatched)
        assert FORMAT.splits(folder) == ["train", "dev"]
        assert without_sources(read(folder, "train", notes)) == train
        assert without_sources(read(folder, "dev", notes)) == dev
        assert notes == []


@settings(max_examples=30)
@given(st.lists(rich_sentences(), max_size=3))
def test_a_parquet_file_loses_nothing_either(sentences: list[Sentence]) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "a.parquet"
        with path.open("wb") as stream:
            parquet.FORMAT.write(iter(sentences), stream, WriteOptions(tags=TAGS), unwatched)
        assert without_sources(parquet.FORMAT.read(InputFile(path), ReadOptions(), unwatched)) == sentences
        assert without_sources(read(path)) == sentences


def test_many_rows_are_written_and_read_in_batches(tmp_path: Path) -> None:
    sentences = [Sentence((str(number),), ("O",)) for number in range(2500)]
    FORMAT.write({"test": iter(sentences)}, tmp_path, OPTIONS, unwatched)
    found = read(tmp_path, "test")
    assert without_sources(found) == sentences
    assert found[-1].source == Source(str(tmp_path / "test" / "data-00000-of-00001.arrow"), 2500, is_record=True)


def test_the_same_content_has_the_same_bytes_and_another_has_another_fingerprint(tmp_path: Path) -> None:
    states = []
    for name, sentence in (("a", BOB), ("b", BOB), ("c", ROME)):
        (tmp_path / name).mkdir()
        FORMAT.write({"train": [sentence]}, tmp_path / name, OPTIONS, unwatched)
        states.append((tmp_path / name / "train" / "state.json").read_bytes())
    assert states[0] == states[1] != states[2]


def test_nothing_but_the_dataset_is_left_in_the_folder(tmp_path: Path) -> None:
    FORMAT.write({"dev": [BOB]}, tmp_path, OPTIONS, unwatched)
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")) == [
        "dataset_dict.json",
        "validation",
        "validation/data-00000-of-00001.arrow",
        "validation/dataset_info.json",
        "validation/state.json",
    ]


# The real library


def test_the_library_loads_what_is_written(datasets: Any, tmp_path: Path) -> None:
    FORMAT.write({"train": [BOB, ROME], "dev": [ROME], "test": []}, tmp_path, OPTIONS, unwatched)
    loaded = datasets.load_from_disk(str(tmp_path))
    assert {split: len(rows) for split, rows in loaded.items()} == {"train": 2, "validation": 1, "test": 0}
    train = loaded["train"]
    assert train.split == "train"
    assert train.features["ner_tags"].feature.names == NAMES
    assert train.features["gold_tags"].feature.names == NAMES
    assert train[0] == {
        "id": "7",
        "tokens": ["Bob", "Ott", "ran"],
        "ner_tags": [1, 2, -100],
        "gold_tags": [1, 0, 0],
        "pos": ["N", "N", "V"],
    }
    assert train[1]["gold_tags"] is None
    assert train.map(lambda row: {"length": len(row["tokens"])}, load_from_cache_file=False)["length"][:] == [3, 1]


def test_the_library_loads_a_parquet_file(datasets: Any, tmp_path: Path) -> None:
    with (tmp_path / "a.parquet").open("wb") as stream:
        parquet.FORMAT.write([BOB, ROME], stream, OPTIONS, unwatched)
    loaded = datasets.load_dataset(
        "parquet", data_files=str(tmp_path / "a.parquet"), split="train", cache_dir=str(tmp_path / "cache")
    )
    assert loaded.features["ner_tags"].feature.names == NAMES
    assert loaded["ner_tags"][:] == [[1, 2, -100], [0]]


def conll2003(datasets: Any) -> Any:
    """A dataset with the columns of the best-known one."""
    of = datasets.Sequence
    features = datasets.Features(
        {
            "id": datasets.Value("string"),
            "tokens": of(datasets.Value("string")),
            "pos_tags": of(datasets.ClassLabel(names=["NN", "VB"])),
            "ner_tags": of(datasets.ClassLabel(names=NAMES)),
            "vector": of(datasets.Value("float32")),
        }
    )
    rows = {
        "id": ["0", "1"],
        "tokens": [["Bob", "ran"], []],
        "pos_tags": [[0, 1], []],
        "ner_tags": [[1, -1], []],
        "vector": [[0.5], [0.5]],
    }
    return datasets.Dataset.from_dict(rows, features=features)


CONLL2003 = [Sentence(("Bob", "ran"), ("B-PER", None), id="0", columns={"pos": ("NN", "VB")}), Sentence((), (), id="1")]


def expected_2003(found: list[Sentence]) -> bool:
    return [(s.tokens, s.labels, s.id) for s in found] == [(s.tokens, s.labels, s.id) for s in CONLL2003] and (
        found[0].columns == CONLL2003[0].columns
    )


def test_a_saved_dictionary_of_the_library_is_read(datasets: Any, tmp_path: Path) -> None:
    rows = conll2003(datasets)
    datasets.DatasetDict(train=rows, validation=rows, extra=rows).save_to_disk(str(tmp_path))
    notes: list[Note] = []
    assert FORMAT.splits(tmp_path) == ["train", "dev", "extra"]
    assert expected_2003(read(tmp_path, "dev", notes))
    assert reported(notes) == ["left out: extra column: 'vector', 2 times"]
    assert failure(tmp_path, "test").endswith("no split 'test', only train, dev, extra; choose an existing split")


@pytest.mark.parametrize(("split", "ours"), [(None, "train"), ("validation", "dev"), ("test", "test")])
def test_a_single_saved_dataset_of_the_library_is_read(
    datasets: Any, tmp_path: Path, split: str | None, ours: str
) -> None:
    rows = conll2003(datasets)
    named = datasets.Dataset(rows.data, info=rows.info, split=datasets.Split(split) if split else None)
    named.save_to_disk(str(tmp_path), num_shards=2)
    assert FORMAT.splits(tmp_path) == [ours]
    found = read(tmp_path, ours)
    assert expected_2003(found)
    assert [sentence.source for sentence in found] == [
        Source(str(tmp_path / f"data-0000{shard}-of-00002.arrow"), 1, is_record=True) for shard in (0, 1)
    ]


@pytest.mark.parametrize(
    "place", ["train-00000-of-00001.parquet", "data/train-00000-of-00001.parquet", "train/0000.parquet", "part.parquet"]
)
def test_a_folder_of_parquet_files_of_the_library_is_read(datasets: Any, tmp_path: Path, place: str) -> None:
    (tmp_path / place).parent.mkdir(exist_ok=True)
    conll2003(datasets).to_parquet(str(tmp_path / place))
    assert FORMAT.splits(tmp_path) == ["train"]
    assert expected_2003(read(tmp_path))


# Layouts on disk


def test_parquet_files_are_grouped_by_split_and_sorted(tmp_path: Path) -> None:
    for name in ("train-00001-of-00002", "train-00000-of-00002", "validation-00000-of-00001", "notes"):
        table(tmp_path / f"{name}.parquet", {"tokens": [[name]], "tags": [["O"]]})
    assert FORMAT.splits(tmp_path) == ["notes", "train", "dev"]
    assert [sentence.tokens[0] for sentence in read(tmp_path)] == ["train-00000-of-00002", "train-00001-of-00002"]


def test_two_names_for_one_split_stay_separate(tmp_path: Path) -> None:
    (tmp_path / "dataset_dict.json").write_text('{"splits": ["valid", "validation", "train"]}')
    for name in ("valid", "validation", "train"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "state.json").write_text('{"_data_files": []}')
    assert FORMAT.splits(tmp_path) == ["valid", "validation", "train"]


@pytest.mark.parametrize("kind", ["file", "stream"])
def test_a_single_arrow_file_is_read_in_both_layouts(tmp_path: Path, kind: str) -> None:
    held = pa.table({"tokens": [["a"]], "ner_tags": [["B-X"]]})
    path = tmp_path / "dev.arrow"
    with pa.OSFile(str(path), "wb") as sink, getattr(pa.ipc, f"new_{kind}")(sink, held.schema) as writer:
        writer.write_table(held)
    assert FORMAT.splits(path) == ["dev"]
    assert without_sources(read(path, "dev")) == [Sentence(("a",), ("B-X",))]


def test_features_beside_a_table_come_before_those_inside(tmp_path: Path) -> None:
    table(tmp_path / "a.parquet", {"tokens": [["a"]], "ner_tags": [[0]]}, {"ner_tags": ["O"]})
    feature = {"feature": {"num_classes": 1, "names": ["B-X"], "id": None, "_type": "ClassLabel"}, "_type": "Sequence"}
    (tmp_path / "dataset_info.json").write_text(json.dumps({"features": {"ner_tags": feature}}))
    assert read(tmp_path)[0].labels == ("B-X",)
    (tmp_path / "dataset_info.json").write_text(json.dumps({"features": {"ner_tags": [feature["feature"]]}}))
    assert read(tmp_path)[0].labels == ("B-X",)
    (tmp_path / "dataset_info.json").write_text(json.dumps({"description": "no features"}))
    assert read(tmp_path)[0].labels == ("O",)


def test_a_packed_file_is_read(tmp_path: Path) -> None:
    table(tmp_path / "a.parquet", {"tokens": [["a"]], "ner_tags": [["O"]]})
    (tmp_path / "a.parquet.gz").write_bytes(gzip.compress((tmp_path / "a.parquet").read_bytes()))
    assert without_sources(read(tmp_path / "a.parquet.gz")) == [Sentence(("a",), ("O",))]


# What columns hold


@pytest.mark.parametrize("key", ["ner_tags", "tags", "labels"])
@pytest.mark.parametrize("number_type", [pa.int64(), pa.int8(), pa.uint16()])
def test_tags_have_three_names_and_many_types(tmp_path: Path, key: str, number_type: pa.DataType) -> None:
    tags = pa.array([[1, 0]], pa.list_(number_type))
    path = table(tmp_path / "a.parquet", {"tokens": [["a", "b"]], key: tags}, {key: NAMES})
    assert read(path)[0].labels == ("B-PER", "O")


@pytest.mark.parametrize(
    "column_type",
    [
        pa.list_(pa.string()),
        pa.large_list(pa.large_string()),
        pa.list_(pa.string(), 2),
        pa.list_(pa.dictionary(pa.int32(), pa.string())),
    ],
)
def test_strings_come_in_many_types(tmp_path: Path, column_type: pa.DataType) -> None:
    words = pa.array([["O", "B-X"]], column_type)
    held = pa.table({"tokens": words, "tags": words, "further": words})
    with pa.OSFile(str(tmp_path / "a.arrow"), "wb") as sink, pa.ipc.new_stream(sink, held.schema) as writer:
        writer.write_table(held)
    assert without_sources(read(tmp_path / "a.arrow")) == [
        Sentence(("O", "B-X"), ("O", "B-X"), columns={"further": ("O", "B-X")})
    ]


def test_gold_tags_may_be_numbered_otherwise(tmp_path: Path) -> None:
    columns = {"tokens": [["a"]], "ner_tags": [[0]], "gold_tags": [[0]]}
    path = table(tmp_path / "a.parquet", columns, {"ner_tags": ["O", "B-X"], "gold_tags": ["B-X", "O"]})
    (sentence,) = read(path)
    assert (sentence.labels, sentence.gold) == (("O",), ("B-X",))


def test_missing_tags_are_unknown_labels(tmp_path: Path) -> None:
    tags = pa.array([[None, -100], None], pa.list_(pa.int64()))
    path = table(tmp_path / "a.parquet", {"tokens": [["a", "b"], ["c"]], "ner_tags": tags})
    assert [sentence.labels for sentence in read(path)] == [(None, None), (None,)]


def test_further_columns_come_along_where_they_fit_and_are_counted_where_not(tmp_path: Path) -> None:
    columns = {
        "tokens": [["a", "b"], ["c"], ["d"]],
        "tags": [["O", "O"], ["O"], ["O"]],
        "lemma": [["x", "y"], ["x", "y"], None],
        "pos_tags": [["N", "V"], ["N"], [None]],
        "numbers": [[1, 2], [3], [4]],
        "words": [["a", "b"], ["c"], ["d"]],
        "text": ["a b", "c", "d"],
        "labels": [[1], [2], [3]],
        "id": [{"a": 1}] * 3,
        "nothing": pa.nulls(3),
    }
    notes: list[Note] = []
    found = read(table(tmp_path / "a.parquet", columns, {"words": ["ignored"]}), notes=notes)
    assert [sentence.columns for sentence in found] == [
        {"lemma": ("x", "y"), "pos": ("N", "V"), "words": ("a", "b")},
        {"pos": ("N",), "words": ("c",)},
        {"words": ("d",)},
    ]
    assert sorted(reported(notes)) == [
        "left out: extra column: 'id', 3 times",
        "left out: extra column: 'labels', 3 times",
        "left out: extra column: 'lemma', once",
        "left out: extra column: 'numbers', 3 times",
        "left out: extra column: 'pos_tags', once",
        "left out: extra column: 'text', 3 times",
    ]


# Everything that cannot be read


@pytest.mark.parametrize(
    ("columns", "finding"),
    [
        ({"tokens": [["a"]]}, "a.parquet: no column 'ner_tags' among 'tokens'"),
        ({"words": [["a"]], "tags": [["O"]]}, "a.parquet: no column 'tokens' among 'words', 'tags'"),
        (
            {"tokens": ["a"], "tags": [["O"]]},
            "a.parquet: the column 'tokens' has the type string; store one list per row",
        ),
        ({"tokens": [["a"]], "tags": [[0.5]]}, "a.parquet: the column 'tags' has the type list<"),
        (
            {"tokens": [["a"]], "tags": [[0]]},
            "a.parquet: the tags in column 'tags' are numbers without names; save the table with",
        ),
        (
            {"tokens": [["a"]], "ner_tags": [[3]]},
            "a.parquet, record 1: token 1: tag number 3 is not among the 3 numbers with a name",
        ),
        ({"tokens": [["a"]], "tags": [["P-ER"]]}, "a.parquet, record 1: token 1: unknown tag 'P-ER'"),
        (
            {"tokens": [["a", None]], "tags": [["O", "O"]]},
            "a.parquet, record 1: Expected `str`, got `null` - at `$.tokens[1]`",
        ),
        (
            {"tokens": pa.array([None], pa.list_(pa.string())), "tags": [["O"]]},
            "a.parquet, record 1: 'tokens' is missing or null",
        ),
        ({"tokens": [["a"]], "tags": [["O", "O"]]}, "a.parquet, record 1: 2 labels for 1 tokens"),
        ({"tokens": [["a"]], "tags": [["O"]], "gold_tags": [[]]}, "a.parquet, record 1: 0 gold labels for 1 tokens"),
    ],
)
def test_what_cannot_be_read_is_one_line_that_names_the_location(
    tmp_path: Path, columns: dict[str, Any], finding: str
) -> None:
    assert failure(table(tmp_path / "a.parquet", columns, {"ner_tags": NAMES})).startswith(finding)


def test_two_columns_of_one_name_are_an_error(tmp_path: Path) -> None:
    held = pa.table([pa.array([["a"]])] * 2, names=["tokens", "tokens"])
    pq.write_table(held, tmp_path / "a.parquet")
    assert failure(tmp_path / "a.parquet").startswith("a.parquet: two columns have the same name")


@pytest.mark.parametrize(
    "content", [b"", b"PAR1", b"PAR1xxxxPAR1", b"ARROW1", b"nonsense", b"\xff\xff\xff\xff\x00\x00"]
)
@pytest.mark.parametrize("name", ["a.parquet", "a.arrow"])
def test_a_file_that_is_no_table_is_an_error(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert failure(tmp_path / name).startswith(f"{name}: not a readable table (")


def test_features_that_are_no_json_are_an_error(tmp_path: Path) -> None:
    held = pa.table({"tokens": [["a"]], "tags": [[0]]}).replace_schema_metadata({"huggingface": "nonsense"})
    pq.write_table(held, tmp_path / "a.parquet")
    assert failure(tmp_path / "a.parquet").startswith("a.parquet: JSON is malformed")


@pytest.mark.parametrize("features", ["[]", "null", "7", '{"info": []}', '{"info": {"features": []}}'])
def test_features_of_an_unknown_kind_name_nothing(tmp_path: Path, features: str) -> None:
    held = pa.table({"tokens": [["a"]], "tags": [[0]]}).replace_schema_metadata({"huggingface": features})
    pq.write_table(held, tmp_path / "a.parquet")
    assert failure(tmp_path / "a.parquet").startswith("a.parquet: ")


@pytest.mark.parametrize(
    ("name", "content"),
    [("dataset_dict.json", "{}"), ("dataset_dict.json", '{"splits": [7]}'), ("state.json", "{"), ("state.json", "[]")],
)
def test_a_damaged_description_is_an_error(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match="save the dataset again|correct the value") as caught:
        FORMAT.splits(tmp_path)
    assert str(caught.value).startswith(str(tmp_path / name))


def test_a_missing_part_is_an_error(tmp_path: Path) -> None:
    FORMAT.write({"train": [BOB]}, tmp_path, OPTIONS, unwatched)
    (tmp_path / "train" / "data-00000-of-00001.arrow").unlink()
    assert "data-00000-of-00001.arrow: no such file" in failure(tmp_path)
    (tmp_path / "train" / "state.json").unlink()
    assert "state.json: no such file" in failure(tmp_path)


def test_rearranged_rows_of_old_versions_are_refused(tmp_path: Path) -> None:
    state = {"_data_files": [], "_indices_data_files": [{"filename": "indices.arrow"}]}
    (tmp_path / "state.json").write_text(json.dumps(state))
    with pytest.raises(InputError, match=r"reorders the rows; call flatten_indices\(\) before saving"):
        FORMAT.splits(tmp_path)


def test_files_outside_the_dataset_are_not_touched(tmp_path: Path) -> None:
    table(tmp_path / "outside.parquet", {"tokens": [["a"]], "tags": [["O"]]})
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "state.json").write_text('{"_data_files": [{"filename": "../outside.parquet"}]}')
    assert "outside.parquet: no such file" in failure(tmp_path / "d")


def test_an_empty_folder_has_no_splits(tmp_path: Path) -> None:
    assert FORMAT.splits(tmp_path) == []
    assert "no split 'train', no saved dataset and no Parquet file" in failure(tmp_path)


@pytest.mark.parametrize("names", [["../up"], ["a/b"], [""], ["dev", "validation"]])
def test_a_split_that_the_format_lacks_cannot_be_written(tmp_path: Path, names: list[str]) -> None:
    with pytest.raises(InputError, match="this format has no split"):
        FORMAT.write({name: [] for name in names}, tmp_path, OPTIONS, unwatched)


def test_a_label_that_is_not_among_the_tags_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the label 'B-X' is not among the 3 tags to be written"):
        FORMAT.write({"train": [Sentence(("a",), ("B-X",))]}, tmp_path, OPTIONS, unwatched)


def test_damaged_tables_are_read_or_refused(tmp_path: Path) -> None:
    with (tmp_path / "a.parquet").open("wb") as stream:
        parquet.FORMAT.write([BOB, ROME], stream, OPTIONS, unwatched)
    FORMAT.write({"train": [BOB, ROME]}, tmp_path, OPTIONS, unwatched)
    whole = [(tmp_path / "a.parquet").read_bytes(), (tmp_path / "train" / "data-00000-of-00001.arrow").read_bytes()]
    chance = random.Random(7)
    for _ in range(400):
        content = bytearray(chance.choice(whole))
        for _ in range(chance.randint(1, 4)):
            content[chance.randrange(len(content))] = chance.randrange(256)
        path = tmp_path / "x.arrow"
        path.write_bytes(content[: chance.choice([len(content), chance.randrange(len(content))])])
        try:
            read(path)
        except InputError as error:
            assert str(error).startswith(str(path))


@settings(max_examples=30)
@given(st.binary(max_size=100))
def test_any_bytes_are_refused(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "a.parquet"
        path.write_bytes(content)
        with pytest.raises(InputError):
            read(path)


def test_the_way_to_a_missing_library_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    message = r"pip install 'trustag\[hf\]'"
    with pytest.raises(MissingExtraError, match=message):
        FORMAT.write({"train": [BOB]}, tmp_path, OPTIONS, unwatched)
    with pytest.raises(MissingExtraError, match=message):
        parquet.FORMAT.write([BOB], io.BytesIO(), OPTIONS, unwatched)
    (tmp_path / "a.parquet").touch()
    with pytest.raises(MissingExtraError, match=message):
        read(tmp_path / "a.parquet")

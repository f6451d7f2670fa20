"""Formats told by the first bytes: each kind of record by its keys, folders by their files, doubt by an error."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.scratch import scratch_file
from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.files.sniffing import sniff

RECORDS: list[tuple[dict[str, object], str]] = [
    ({"tokenized_text": ["a"], "ner": []}, "gliner"),
    ({"str_words": ["a"], "tags": [0]}, "bond"),
    ({"data": {"text": "a"}}, "label-studio"),
    ({"text": "a", "label": [{"start": 0, "end": 1, "labels": ["X"]}]}, "label-studio"),
    ({"text": "a", "spans": [{"start": 0, "end": 1, "label": "X"}]}, "prodigy"),
    ({"text": "a", "label": [[0, 1, "X"]]}, "doccano"),
    ({"text": "a", "entities": [{"text": "a", "type": "X"}]}, "entities"),
    ({"tokens": ["a"], "ner_tags": ["O"]}, "jsonl"),
    ({"tokens": ["a"], "entities": []}, "spert"),
]


def sniffed(data: bytes, name: str) -> str:
    with scratch_file(data, name) as file:
        return sniff(file)


@pytest.mark.parametrize(("record", "expected"), RECORDS)
def test_a_record_is_told_by_its_keys_however_the_file_is_laid_out(record: dict[str, object], expected: str) -> None:
    line = json.dumps(record)
    for text in (f"{line}\n{line}\n", f"[{line}, {line}]", f"\ufeff {json.dumps(record, indent=2)}"):
        assert sniffed(text.encode(), "nameless") == expected
        assert sniffed(text.encode(), "x.json") == expected
    assert sniffed(gzip.compress(line.encode()), "x.jsonl.gz") == expected


@given(st.sampled_from(RECORDS), st.dictionaries(st.sampled_from(["id", "meta", "score"]), st.integers(), max_size=3))
def test_further_keys_change_nothing(known: tuple[dict[str, object], str], more: dict[str, int]) -> None:
    record, expected = known
    assert sniffed(json.dumps({**more, **record}).encode(), "x") == expected


@pytest.mark.parametrize(("data", "name"), [(b"PAR1", "parquet"), (b"ARROW1", "hf"), (b"x\x9cabc", "spacy")])
def test_magic_bytes_and_suffixes_tell_what_is_binary(data: bytes, name: str) -> None:
    assert sniffed(data, "nameless") == name
    suffix = {"parquet": ".parquet", "hf": ".arrow", "spacy": ".spacy"}[name]
    assert sniffed(b"", f"x{suffix}") == sniffed(b"", f"x{suffix}.gz") == name


def test_everything_else_is_conll_unless_it_claims_to_be_json() -> None:
    assert sniffed(b"a O\n", "x.txt") == "conll"
    assert sniffed(b"{ O\n", "x.conll") == "conll"
    with pytest.raises(InputError, match=r"x.json:1.*--from"):
        sniffed(b"{ O\n", "x.json")
    with pytest.raises(InputError, match=r"x:1.*strange"):
        sniffed(b'{"strange": 1}', "x")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["dataset_dict.json"], "hf"),
        (["data/train-00000-of-00001.parquet"], "hf"),
        (["tag_to_id.json", "train.json"], "bond"),
        (["train_text.txt"], "roster"),
        (["a.ann", "a.txt"], "brat"),
        (["train/a.ann"], "brat"),
        (["notes.md", "train.txt"], "conll"),
    ],
)
def test_a_folder_is_told_by_its_files(files: list[str], expected: str, tmp_path: Path) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a O\n")
    assert sniff(InputFile(tmp_path)) == expected


def test_a_folder_without_splits_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"{tmp_path.name}.*train"):
        sniff(InputFile(tmp_path))

"""A corpus is found by whatever name a user gives it, and a name that fits nothing says why."""

import gzip
import io
import sys
from pathlib import Path

import pytest

from trustag.corpora.conversion import Conversion, convert
from trustag.corpora.locating import CorpusOptions, locate, read_corpus, stream
from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.files.sniffing import sniff
from trustag.files.splits import split_of
from trustag.notes import Note

CONLL = "Ann B-PER\nslept O\n\n"


def test_a_folder_of_split_files_is_a_corpus(tmp_path: Path) -> None:
    for name in ("eng.train", "eng.testa", "eng.testb"):
        (tmp_path / name).write_text(CONLL)
    (tmp_path / "README.md").write_text("about this corpus")
    corpus = read_corpus(str(tmp_path))
    assert [len(part) for part in (corpus.train, corpus.dev, corpus.test)] == [1, 1, 1]
    (only,) = stream(f"{tmp_path}:dev")
    assert only.source is not None
    assert only.source.file.endswith("eng.testa")


def test_several_splits_must_be_chosen_from(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text(CONLL)
    (tmp_path / "test.txt").write_text(CONLL)
    with pytest.raises(InputError, match="has several splits \\(train, test\\); choose one, as in .*:train"):
        stream(str(tmp_path))
    with pytest.raises(InputError, match="has no dev split; choose one of: train, test"):
        locate(f"{tmp_path}:dev")


def test_two_files_for_one_split_are_not_guessed_between(tmp_path: Path) -> None:
    (tmp_path / "dev.txt").write_text(CONLL)
    (tmp_path / "valid.txt").write_text(CONLL)
    with pytest.raises(InputError, match="both dev.txt and valid.txt look like the dev split"):
        locate(str(tmp_path))


def test_a_name_with_a_colon_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "odd:train"
    path.write_text(CONLL)
    assert len(list(stream(str(path)))) == 1


@pytest.mark.parametrize("name", ["missing.conll", "missing:dev"])
def test_a_missing_corpus_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        locate(str(tmp_path / name))


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="contains no train, dev or test file"):
        locate(str(tmp_path))


def test_standard_input_can_be_read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = gzip.compress(CONLL.encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed)))
    located = locate("-")
    first, second = (list(located.only_stream()(lambda note: None)) for _ in range(2))
    assert first == second
    assert str(first[0].source) == "<stdin>:1"


def test_the_demo_corpus_is_a_corpus_like_any_other() -> None:
    located = locate("demo")
    assert list(located.streams) == ["train", "dev", "test"]
    sentence = next(stream("demo:train"))
    assert sentence.gold is not None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"tokens": ["a"], "ner_tags": ["O"]}', "jsonl"),
        ('{"text": "a", "label": [[0, 1, "X"]]}', "doccano"),
        ('{"data": "a", "label": [[0, 1, "X"]]}', "doccano"),
        ('{"text": "a", "entities": []}', "doccano"),
        ('{"text": "a", "entities": []}\n{"text": "a", "entities": [{"start_offset": 0}]}', "doccano"),
        ('{"text": "a", "entities": []}\n{"text": "a", "entities": [{"start": 0, "end": 1, "type": "X"}]}', "entities"),
        ('{"text": "a", "entities": {"X": ["a"]}}', "entities"),
        ('{"sentence": "a", "ner": [["a", "X"]]}', "entities"),
        ('{"text": "a", "spans": [[0, 1, "X"]]}', "entities"),
        ('{"text": "a", "spans": [{"start": 0, "end": 1, "label": "X"}]}', "prodigy"),
        ('{"text": "a", "spans": [{"token_start": 0, "token_end": 0, "label": "X"}]}', "prodigy"),
        ('{"text": "a", "spans": [], "answer": "accept"}', "prodigy"),
        ('[{"tokenized_text": ["a"], "ner": []}]', "gliner"),
        ('[{"tokens": ["a"], "entities": [], "relations": []}]', "spert"),
        ('{"tokens": ["a"], "entities": [], "ner_tags": ["O"]}', "jsonl"),
        ('[{"data": {"text": "a"}, "annotations": []}]', "label-studio"),
        ('[{"text": "a", "label": [{"start": 0, "end": 1, "labels": ["X"]}]}]', "label-studio"),
        ('[{"text": "a", "tokens": ["a"], "id": 1, "annotator": 1, "annotation_id": 1}]', "label-studio"),
        ('[{"str_words": ["a"], "tags": [0]}]', "bond"),
        ("a O\n", "conll"),
        ("{ O\n} O\n", "conll"),
        ("[ O\n", "conll"),
    ],
)
def test_formats_are_detected_by_their_content(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "data"
    path.write_text(text)
    assert sniff(InputFile(path)) == expected
    packed = tmp_path / "data.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert sniff(InputFile(packed)) == expected


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("data.json", '{"text": "a"', "no complete JSON record at the start"),
        ("data.json", '{"a": ' * 100_000, "no complete JSON record at the start"),
        ("data", '{"x": 1}', "JSON records of an unknown format \\(keys: x\\)"),
        ("data", "{}", "JSON records of an unknown format \\(keys: none\\)"),
    ],
)
def test_an_unclear_format_is_not_guessed(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        sniff(InputFile(path))


def test_a_declared_format_is_not_sniffed(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text(CONLL)
    assert locate(str(path), CorpusOptions(format="conll")).format == "conll"
    with pytest.raises(InputError, match="unknown format 'conl'"):
        locate(str(path), CorpusOptions(format="conl"))


@pytest.mark.parametrize("name", ["parquet", "spacy"])
def test_binary_formats_are_detected_without_a_name(tmp_path: Path, name: str) -> None:
    (tmp_path / "in.conll").write_text(CONLL)
    target = tmp_path / "nameless"
    convert(locate(str(tmp_path / "in.conll")), target, Conversion(format=name), lambda note: None)
    assert sniff(InputFile(target)) == name


def test_split_names() -> None:
    assert split_of("train_and_test.txt") is None
    assert split_of("contest.txt") is None
    assert split_of("ned.testb.gz") == "test"


def test_types_that_are_probably_one_are_told_when_a_corpus_is_read(tmp_path: Path) -> None:
    (tmp_path / "train.conll").write_text("Ann B-PERSON\n\nBob B-person\n\nRome B-LOC\n\n")
    notes: list[Note] = []
    read_corpus(str(tmp_path / "train.conll"), watch=notes.append)
    (reported,) = [note for note in notes if note.kind == "suspicious"]
    assert (reported.reason, reported.detail) == ("types that are probably one", "'PERSON' and 'person'")

"""Texts to tag are read in every format, labelled or not; what looks like a format is never taken for plain text."""

import gzip
import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.files.scratch import scratch_file
from trustag.corpora.locating import CorpusOptions
from trustag.corpora.texts import texts
from trustag.errors import InputError
from trustag.files.formats import FolderFormat, ReadOptions, WriteOptions
from trustag.files.registry import FORMATS
from trustag.notes import Note
from trustag.text.sentences import Sentence

SENTENCES = (
    Sentence(("Ann", "lives", "in", "New", "York", "."), ("B-PER", "O", "O", "B-LOC", "I-LOC", "O")),
    Sentence(("She", "works", "."), ("O", "O", "O")),
)
TAGS = ("O", "B-LOC", "I-LOC", "B-PER")
TOKENS = [sentence.tokens for sentence in SENTENCES]
UNLABELLED = {
    "one-column.txt": "Ann\nlives\nin\nNew\nYork\n.\n\nShe\nworks\n.\n",
    "tokens.jsonl": "".join(json.dumps({"tokens": tokens}) + "\n" for tokens in TOKENS),
    "tokens-and-ids": "".join(json.dumps({"id": 1, "tokens": tokens}) + "\n" for tokens in TOKENS),
    "array.json": json.dumps([{"tokens": tokens} for tokens in TOKENS], indent=1),
    "gliner.json": json.dumps([{"tokenized_text": tokens} for tokens in TOKENS]),
    "bond.json": json.dumps([{"str_words": tokens} for tokens in TOKENS]),
    "texts.jsonl": "".join(json.dumps({"text": " ".join(tokens), "meta": {}}) + "\n" for tokens in TOKENS),
    "content": "".join(json.dumps({"content": " ".join(tokens)}) + "\n" for tokens in TOKENS),
    "studio.json": json.dumps([{"id": 1, "data": {"text": " ".join(tokens)}} for tokens in TOKENS]),
    "plain.txt": "".join(" ".join(tokens) + "\n" for tokens in TOKENS),
}


def read(path: Path | str, form: str = "auto", columns: tuple[str, ...] | None = None) -> tuple[list[Sentence], str]:
    notes: list[Note] = []
    found = list(texts(str(path), CorpusOptions(form, options=ReadOptions(columns=columns)), notes.append))
    return found, "\n".join(map(str, notes))


def tokens_in(path: Path | str) -> list[tuple[str, ...]]:
    return [sentence.tokens for sentence in read(path)[0]]


@pytest.mark.parametrize("name", FORMATS)
def test_a_labelled_corpus_of_every_format_is_read_as_what_it_is(name: str, tmp_path: Path) -> None:
    known, options, path = FORMATS[name], WriteOptions(tags=TAGS), tmp_path / "nameless"
    if isinstance(known, FolderFormat):
        path.mkdir()
        known.write({"train": SENTENCES}, path, options, print)
    else:
        stream = io.BytesIO()
        known.write(SENTENCES, stream, options, print)
        path.write_bytes(stream.getvalue())
    assert tokens_in(path) == TOKENS


@pytest.mark.parametrize("name", UNLABELLED)
def test_a_file_without_labels_is_read_as_what_it_is(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(UNLABELLED[name])
    assert tokens_in(path) == TOKENS
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(UNLABELLED[name].encode()))
    assert tokens_in(packed) == TOKENS


def test_tables_documents_and_parallel_files_without_labels_are_read(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from spacy.tokens import Doc, DocBin
    from spacy.vocab import Vocab

    pq.write_table(pa.table({"tokens": [list(tokens) for tokens in TOKENS]}), tmp_path / "a.parquet")
    docs = [Doc(Vocab(), words=list(tokens)) for tokens in TOKENS]
    DocBin(attrs=["ORTH"], docs=docs).to_disk(tmp_path / "a.spacy")
    (tmp_path / "roster").mkdir()
    (tmp_path / "roster" / "test_text.txt").write_text(UNLABELLED["plain.txt"])
    for place in (tmp_path / "a.parquet", tmp_path / "a.spacy", tmp_path / "roster"):
        assert tokens_in(place) == TOKENS
    pq.write_table(pa.table({"id": [1, 2], "text": [" ".join(tokens) for tokens in TOKENS]}), tmp_path / "b.parquet")
    assert tokens_in(tmp_path / "b.parquet") == TOKENS
    pq.write_table(pa.table({"id": [1, 2]}), tmp_path / "c.parquet")
    with pytest.raises(InputError, match="no column of tokens or texts among 'id'"):
        read(tmp_path / "c.parquet")
    (tmp_path / "hub").mkdir()
    (tmp_path / "a.parquet").rename(tmp_path / "hub" / "test.parquet")
    assert tokens_in(tmp_path / "hub") == TOKENS


@given(
    st.lists(
        st.dictionaries(st.sampled_from(["tokens", "text", "label", "x"]), st.none() | st.integers() | st.text()),
        min_size=1,
        max_size=3,
    ),
    st.sampled_from(["lines", "array", "damaged"]),
)
def test_json_is_never_read_as_plain_text(records: list[dict[str, object]], layout: str) -> None:
    lines = "\n".join(map(json.dumps, records))
    content = {"lines": lines, "array": json.dumps(records, indent=2), "damaged": lines.replace('"', "", 1)}[layout]
    with scratch_file(content.encode()) as file:
        try:
            found = list(texts(str(file.path), CorpusOptions()))
        except InputError as error:
            assert "\n" not in str(error)
        else:
            assert not any("{" in sentence.tokens[:1] for sentence in found if layout != "damaged")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ('[{"tokens": ["Ann"', r"x:1: no complete JSON record at the start; .*--from text"),
        ('["Ann met Bob", "She slept"]', r"x:1: no complete JSON record"),
        ('{"words": ["Ann"]}', r"x:1: JSON records of an unknown format \(keys: words\); .*--from"),
        ("Paris\nRome\n", r"x:1: one word on every line: .*--from conll or --from text"),
        ("Ann NNP\n. .\n\nBob NNP\n", r"x:1: 2 columns .* no column contains tags; .*--columns token,_, .*--from text"),
    ],
)
def test_a_file_that_looks_like_a_format_and_does_not_fit_it_is_refused_until_from_decides(
    content: str, complaint: str, tmp_path: Path
) -> None:
    path = tmp_path / "x"
    path.write_text(content)
    with pytest.raises(InputError, match=complaint):
        read(path)
    lines = content.removesuffix("\n").split("\n")
    assert [sentence.text for sentence in read(path, "text")[0]] == lines
    assert [sentence.tokens for sentence in read(path, "tokens")[0]] == [tuple(line.split()) for line in lines]


def test_declared_columns_make_columns(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("Ann NNP\n. .\n\nBob NNP\n")
    found, _ = read(tmp_path / "x", columns=("token", "_"))
    assert [sentence.tokens for sentence in found] == [("Ann", "."), ("Bob",)]


@pytest.mark.parametrize(
    "content",
    [
        "Ann met Bob.\nShe slept.\n",
        "Paris\n",
        "Am I\nSo I\n",
        "{word} is in braces\nand more\n",
        "[1] a note\n[2] another note\n",
        "one two\nthree four\n",
        "安娜住在巴黎。\n她走了。\n\n他来了。\n",
        "Title\n\nAnn met Bob and slept.\n",
    ],
)
def test_plain_text_stays_plain_text_with_its_blank_lines(content: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(content)
    found, notes = read(tmp_path / "x")
    assert [sentence.text for sentence in found] == content.removesuffix("\n").split("\n")
    assert "format" not in notes


def test_a_few_damaged_lines_do_not_turn_columns_into_text(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("Ann B-PER\nmet O\nBob B-PER\n. O\n\nRome B-LOC\nis O\nbig\n")
    with pytest.raises(InputError, match=r"x:8: expected 2 columns"):
        read(tmp_path / "x")


def test_the_format_that_was_found_is_told(tmp_path: Path) -> None:
    (tmp_path / "x").write_text('{"tokens": ["a"]}\n')
    _, notes = read(tmp_path / "x")
    assert notes.endswith("x: info: format: read as jsonl; --from text reads every line as a text instead")


def test_several_words_that_are_no_file_are_a_text_themselves() -> None:
    (sentence,), notes = read("Ann Smith moved to Paris.")
    assert (sentence.text, sentence.tokens[-1], notes) == ("Ann Smith moved to Paris.", ".", "")
    (split,), _ = read("U.S. troops", "tokens")
    assert split.tokens == ("U.S.", "troops")
    (chinese,), _ = read("安娜住在巴黎。")
    assert chinese.text == "安娜住在巴黎。"
    (long,), _ = read("word " * 2000)
    assert len(long.tokens) == 2000


@pytest.mark.parametrize("name", ["missing", "my texts.txt", "new data.jsonl", "a b.conll.gz"])
def test_a_missing_file_is_not_a_text(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=rf"^{name}: no such file or folder; .*in quotes"):
        read(name)


@pytest.mark.parametrize("name", UNLABELLED)
@pytest.mark.parametrize("packed", [False, True])
def test_standard_input_is_read_like_a_file(name: str, packed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    content = UNLABELLED[name].encode()
    stream = io.BufferedReader(io.BytesIO(gzip.compress(content) if packed else content))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
    found = [replace(sentence, source=None) for sentence in read("-")[0]]
    assert [sentence.tokens for sentence in found] == TOKENS


def test_a_record_that_is_longer_than_what_has_arrived_is_still_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = ("word",) * 5_000
    stream = io.BufferedReader(io.BytesIO(json.dumps({"tokens": tokens}).encode()), buffer_size=100)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
    assert [sentence.tokens for sentence in read("-")[0]] == [tokens]

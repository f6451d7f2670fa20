"""A conversion changes what was requested, keeps the rest, and reports what the format cannot store."""

from pathlib import Path

import pytest

from trustag.corpora.conversion import Conversion, convert
from trustag.corpora.locating import CorpusOptions, locate
from trustag.errors import InputError
from trustag.files.formats import ReadOptions
from trustag.files.registry import FORMATS
from trustag.notes import Note
from trustag.text.schemes import Scheme
from trustag.text.spans import read_spans

LEGAL = "Ann B-PER O\nSmith I-PER O\nslept - O\n\nin O O\nNew B-LOC B-LOC\nYork I-LOC I-LOC\n\n"
ILLEGAL = "Ann I-PER\nSmith I-PER\nslept O\n\nParis B-LOC\nBerlin B-LOC\n\n"


def converted(text: str, tmp_path: Path, target: str, conversion: Conversion) -> tuple[Path, list[Note]]:
    source = tmp_path / "in.conll"
    source.write_text(text)
    notes: list[Note] = []
    convert(locate(str(source)), tmp_path / target, conversion, notes.append)
    return tmp_path / target, [note for note in notes if note.kind != "info"]


def test_without_wishes_the_text_is_the_same(tmp_path: Path) -> None:
    for text in (LEGAL, ILLEGAL):
        path, notes = converted(text, tmp_path, "out.conll", Conversion(overwrite=True))
        assert path.read_text() == text
        assert notes == []


def test_illegal_labels_are_kept_refused_or_repaired_and_listed(tmp_path: Path) -> None:
    for conversion in (Conversion(on_illegal="error"), Conversion(scheme=Scheme.IOBES), Conversion(format="gliner")):
        with pytest.raises(
            InputError, match=r"in.conll:1: I-PER is illegal here in IOB2 \(conlleval reads it as B-PER\)"
        ):
            converted(ILLEGAL, tmp_path, "out.conll", conversion)
    assert not (tmp_path / "out.conll").exists()
    path, notes = converted(ILLEGAL, tmp_path, "out.conll", Conversion(on_illegal="repair"))
    assert path.read_text() == ILLEGAL.replace("I-PER", "B-PER", 1)
    assert [(note.kind, note.detail, note.source and note.source.line) for note in notes] == [
        ("repaired", "I-PER -> B-PER at token 'Ann'", 1)
    ]


def test_io_merges_neighbours_and_says_so(tmp_path: Path) -> None:
    path, notes = converted(ILLEGAL, tmp_path, "out.conll", Conversion(scheme=Scheme.IO, on_illegal="repair"))
    assert path.read_text() == ILLEGAL.replace("B-", "I-")
    assert [note.detail for note in notes if note.kind == "left out"] == ["Paris Berlin"]


@pytest.mark.parametrize("scheme", [scheme for scheme in Scheme if scheme is not Scheme.IO])
def test_schemes_there_and_back(tmp_path: Path, scheme: Scheme) -> None:
    there, _ = converted(LEGAL, tmp_path, "there.conll", Conversion(scheme=scheme))
    convert(locate(str(there)), tmp_path / "back.conll", Conversion(scheme=Scheme.IOB2), lambda note: None)
    assert (tmp_path / "back.conll").read_text() == LEGAL


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_there_and_back_keeps_what_it_has_room_for(tmp_path: Path, name: str) -> None:
    target, notes = converted(LEGAL, tmp_path, "there", Conversion(format=name))
    reading = CorpusOptions(format=name, options=ReadOptions(tokenizer="whitespace" if name == "brat" else "auto"))
    before, after = list(locate(str(tmp_path / "in.conll")).only_stream()(print)), []
    for stream in locate(str(target), reading).streams.values():
        after += list(stream(lambda note: None))
    assert [sentence.tokens for sentence in after] == [sentence.tokens for sentence in before]
    assert [sentence.labels for sentence in after] == [sentence.labels for sentence in before]
    if "gold" in FORMATS[name].room:
        assert [sentence.gold for sentence in after] == [sentence.gold for sentence in before]
        assert notes == []
    else:
        assert [note.reason for note in notes] == ["gold labels"]


@pytest.mark.parametrize("name", FORMATS)
def test_several_splits_become_a_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for split in ("train", "dev", "test"):
        (folder / f"{split}.txt").write_text(f"{split} B-X\n\n")
    account = convert(locate(str(folder)), tmp_path / "out", Conversion(format=name), lambda note: None)
    assert {split: tally.entities for split, tally in account.splits.items()} == {"train": 1, "dev": 1, "test": 1}
    located = locate(str(tmp_path / "out"), CorpusOptions(options=ReadOptions(tokenizer="auto")))
    assert located.format == ("hf" if name == "parquet" else name)
    for split, stream in located.streams.items():
        (sentence,) = stream(lambda note: None)
        assert sentence.tokens == (split,)
        assert [span.type for span in read_spans(sentence.labels)] == ["X"]


def test_nothing_is_overwritten_or_left_half_written(tmp_path: Path) -> None:
    path, _ = converted(LEGAL, tmp_path, "out.conll", Conversion())
    with pytest.raises(InputError, match="already exists; choose another name or pass --overwrite"):
        converted(ILLEGAL, tmp_path, "out.conll", Conversion())
    with pytest.raises(InputError, match="unknown tag"):
        converted("a O\n\n" * 2000 + "b Q\n\n", tmp_path, "new.conll", Conversion())
    assert path.read_text() == LEGAL
    assert sorted(file.name for file in tmp_path.iterdir()) == ["in.conll", "out.conll"]


def test_names_that_do_not_determine_the_format_are_not_guessed(tmp_path: Path) -> None:
    for name in ("out.json", "out", "out.docx"):
        with pytest.raises(InputError, match="the file name does not determine the output format"):
            converted(LEGAL, tmp_path, name, Conversion())


def test_empty_sentences_are_left_out_only_with_a_note(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('{"tokens": [], "ner_tags": []}\n{"tokens": ["a"], "ner_tags": ["O"]}\n')
    notes: list[Note] = []
    convert(locate(str(source)), tmp_path / "out.conll", Conversion(), notes.append)
    assert (tmp_path / "out.conll").read_text() == "a O\n\n"
    assert [note.reason for note in notes if note.kind == "left out"] == ["sentence without tokens"]

"""The registry of formats: each has a name, a summary and a reader, and its own output is recognised."""

import io
from pathlib import Path

import pytest

from trustag.errors import InputError
from trustag.files import registry
from trustag.files.formats import FileFormat, FolderFormat, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.registry import FORMATS, MODULES, find_format
from trustag.files.sniffing import sniff
from trustag.text.sentences import Sentence

PACKAGE = Path(registry.__file__).parent
SENTENCES = (
    Sentence(("Ann", "lives", "in", "New", "York", "."), ("B-PER", "O", "O", "B-LOC", "I-LOC", "O")),
    Sentence(("She", "works", "."), ("O", "O", "O")),
)
TAGS = ("O", "B-LOC", "I-LOC", "B-PER")


def test_every_module_with_a_format_is_in_the_table() -> None:
    with_format = {path.stem for path in PACKAGE.glob("*.py") if "\nFORMAT: Final" in path.read_text()}
    assert {module.__name__.rpartition(".")[2] for module in MODULES} == with_format
    assert len(FORMATS) == len(MODULES), "no two formats share a name"


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_found_by_its_name_alone(name: str) -> None:
    found = find_format(name)
    assert found is FORMATS[name]
    assert found.summary
    assert isinstance(found, FileFormat | FolderFormat)
    with pytest.raises(InputError, match=name):
        find_format(f"{name}?")


@pytest.mark.parametrize("name", FORMATS)
def test_what_a_format_writes_is_recognised_as_its_own(name: str, tmp_path: Path) -> None:
    found, options = FORMATS[name], WriteOptions(tags=TAGS)
    if isinstance(found, FolderFormat):
        target = tmp_path / "corpus"
        target.mkdir()
        found.write({"train": SENTENCES}, target, options, lambda _: None)
    else:
        target = tmp_path / f"corpus{found.suffixes[0]}"
        stream = io.BytesIO()
        found.write(SENTENCES, stream, options, lambda _: None)
        target.write_bytes(stream.getvalue())
    assert sniff(InputFile(target)) == name


@pytest.mark.parametrize("name", [name for name, found in FORMATS.items() if isinstance(found, FileFormat)])
def test_a_file_is_recognised_without_its_name(name: str, tmp_path: Path) -> None:
    found = FORMATS[name]
    assert isinstance(found, FileFormat)
    stream = io.BytesIO()
    found.write(SENTENCES, stream, WriteOptions(tags=TAGS), lambda _: None)
    (tmp_path / "nameless").write_bytes(stream.getvalue())
    assert sniff(InputFile(tmp_path / "nameless")) == name

"""The fuzz targets: every reader, format detection, valid files with changes, and the functions on tagging schemes.

The first byte of an input selects the options for reading the rest.
"""

import atexit
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Final, get_args

from fuzz.folders import unpack_folder
from fuzz.rules import RuleBroken, check_line, check_reading
from fuzz.seeds import seeds_of
from fuzz.structures import structured
from trustag.corpora.locating import CorpusOptions, locate
from trustag.corpora.texts import texts
from trustag.errors import InputError
from trustag.files.formats import FileFormat, FolderFormat, LabelStudioLabels, ReadOptions
from trustag.files.inputs import InputFile
from trustag.files.registry import FORMATS
from trustag.files.sniffing import sniff
from trustag.text.labels import Label, parse_label
from trustag.text.schemes import Scheme, convert_labels, detect_scheme, illegal_labels, merged_by
from trustag.text.spans import read_spans

LONGEST_INPUT: Final = 1 << 16
_ENCODINGS: Final = ("utf-8", "utf-8", "latin-1", "utf-16")
_COLUMNS: Final = (None, None, ("token", "label"), ("token", "_", "label", "gold"))
_ZLIB_MAGIC: Final = b"x"
_NAMES: Final = ("data", "data.json", "train.jsonl", "data.txt", "data.parquet", "data.spacy", "data.conll.gz", "dev.x")


@dataclass(frozen=True, slots=True)
class Target:
    """One fuzz target: a check that all inputs must pass, and its seeds.

    The check returns whether the input was accepted; rejecting it with a proper error passes too.
    """

    name: str
    check: Callable[[bytes], bool]
    seeds: Callable[[], list[bytes]]


def targets() -> dict[str, Target]:
    """Return every target by name."""
    found = [_reader(known) for known in FORMATS.values()]
    found += [
        Target("texts", _check_texts, _text_seeds),
        Target("sniff", _check_sniffing, _sniffing_seeds),
        Target("structures", _check_structures, _structure_seeds),
        Target("schemes", _check_schemes, _scheme_seeds),
    ]
    return {target.name: target for target in found}


def _reader(known: FileFormat | FolderFormat) -> Target:
    check = partial(_check_file, known) if isinstance(known, FileFormat) else partial(_check_folder, known)
    return Target(known.name, check, partial(_with_options, known))


def _with_options(known: FileFormat | FolderFormat) -> list[bytes]:
    contents = [_bare(content) if known.name == "spacy" else content for content in seeds_of(known)]
    return [bytes([choice]) + content for content in contents for choice in (0, 0b11010100)]


def _bare(content: bytes) -> bytes:
    """Return a DocBin uncompressed, so that changes do not just break the compression."""
    return zlib.decompress(content) if content.startswith(_ZLIB_MAGIC) else content


def _choices(byte: int) -> tuple[str, ReadOptions]:
    """Return the encoding and the options that a byte selects; 0 means the defaults."""
    label_studio: tuple[LabelStudioLabels, ...] = get_args(LabelStudioLabels)
    options = ReadOptions(
        columns=_COLUMNS[byte >> 2 & 3],
        tokenizer="whitespace" if byte & 16 else "auto",
        split_lines=bool(byte & 32),
        label_studio=label_studio[byte >> 6 & 3] if byte >> 6 < 3 else "auto",
    )
    return _ENCODINGS[byte & 3], options


def _check_file(known: FileFormat, data: bytes) -> bool:
    encoding, options = _choices(data[0] if data else 0)
    content = data[1:]
    if known.name == "spacy" and not content.startswith(_ZLIB_MAGIC):
        content = zlib.compress(content, 1)
    path = _scratch() / "input"
    path.write_bytes(content)
    return check_reading(partial(known.read, InputFile(path, encoding), options), _scratch())


def _check_folder(known: FolderFormat, data: bytes) -> bool:
    _, options = _choices(data[0] if data else 0)
    folder = _scratch() / "folder"
    unpack_folder(data[1:], folder)
    try:
        splits = known.splits(folder)
    except InputError as error:
        check_line("error", str(error))
        return False
    accepted = [check_reading(partial(known.read, folder, split, options), _scratch()) for split in splits]
    return all(accepted)


def _named_input(data: bytes) -> Path:
    """Return the file or folder that the first byte names, with the rest as its content."""
    choice = data[0] if data else 0
    if choice & 8:
        path = _scratch() / "folder"
        unpack_folder(data[1:], path)
    else:
        path = _scratch() / _NAMES[choice & 7]
        path.write_bytes(data[1:])
    return path


def _check_texts(data: bytes) -> bool:
    """Check the reader of texts to tag, in whatever format they are."""
    path = _named_input(data)
    return check_reading(partial(texts, str(path), CorpusOptions()), _scratch())


def _text_seeds() -> list[bytes]:
    plain = (
        "Ann met Bob.\n\nShe slept.\n",
        "安娜住在巴黎。\n",
        "Ann\nmet\n.\n\nShe\n",
        '{"tokens": ["Ann"]}\n',
        '{"text": "a"}',
    )
    return [*_sniffing_seeds(), *(b"\0" + text.encode() for text in plain)]


def _check_sniffing(data: bytes) -> bool:
    path = _named_input(data)
    try:
        if sniff(InputFile(path)) not in FORMATS:
            raise RuleBroken("an unknown format was detected")
        streams = locate(str(path), CorpusOptions()).streams.values()
    except InputError as error:
        check_line("error", str(error))
        return False
    accepted = [check_reading(stream, _scratch()) for stream in streams]
    return all(accepted)


def _sniffing_seeds() -> list[bytes]:
    return [
        bytes([8 if isinstance(known, FolderFormat) else 0]) + content
        for known in FORMATS.values()
        for content in seeds_of(known)
    ]


def _check_structures(data: bytes) -> bool:
    """Check a valid file of any format with a few changes that keep its structure."""
    name, content = structured(data)
    known = FORMATS[name]
    return (_check_file if isinstance(known, FileFormat) else _check_folder)(known, b"\0" + content)  # type: ignore[arg-type] # of its kind


def _structure_seeds() -> list[bytes]:
    seeds = [bytes([number, 7 * number % 256]) * 12 for number in range(4 * len(FORMATS))]
    return sorted(seeds, key=_check_structures, reverse=True)  # the accepted ones first


def _check_schemes(data: bytes) -> bool:
    try:
        labels = [parse_label(word) for word in data.decode(errors="replace").split("\n")]
    except InputError as error:
        check_line("error", str(error))
        return False
    spans = read_spans(labels)
    best = detect_scheme([labels])
    for scheme in Scheme:
        written = convert_labels(labels, scheme)
        legal = not illegal_labels(labels, scheme)
        if legal is not (_parts(written) == _parts(labels)):
            raise RuleBroken(f"legal in {scheme} and unchanged by it must mean the same")
        if illegal_labels(written, scheme) or _parts(convert_labels(written, scheme)) != _parts(written):
            raise RuleBroken(f"what is written in {scheme} must be legal there")
        if read_spans(written) != spans and not merged_by(scheme, spans):
            raise RuleBroken(f"{scheme} must keep the entities")
        if scheme is best.scheme and legal is not (best.against == 0):
            raise RuleBroken(f"evidence against {scheme} and illegal labels must come together")
    return True


def _parts(labels: Iterable[Label]) -> list[str | None]:
    """Return labels so that two spellings of one label, B and B-_, are equal."""
    return [None if label is None else label.removesuffix("-_") for label in labels]


def _scheme_seeds() -> list[bytes]:
    rows = ("B-PER I-PER O B-PER", "I-PER I-PER B-PER", "S-A B-A E-A O", "U-A B-A L-A - O", "B M E S", "I E-_ I-a-b E")
    return [row.replace(" ", "\n").encode() for row in rows]


@cache
def _scratch() -> Path:
    """Return a folder of this process, gone when the process ends."""
    folder = tempfile.mkdtemp(prefix="trustag-fuzz-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)

"""RoSTER folders: texts and labels in parallel files, one sentence per line, tokens separated by whitespace.

``train_text.txt`` has its labels in ``train_label_dist.txt`` (labels to train on) and ``train_label_true.txt`` (gold
labels); the same goes for ``valid_*`` (the dev split) and ``test_*``. If only one of the label files exists, it has
the labels. ``UNK`` is an unknown label. ``types.txt`` lists the entity types; it is written for RoSTER but not read.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path
from typing import BinaryIO, Final

from trustag.errors import InputError
from trustag.files.formats import FolderFormat, ReadOptions, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.spelled_tags import SpelledTags
from trustag.notes import Note, Watch
from trustag.text.labels import Label, entity_types
from trustag.text.sentences import Sentence, Source

_UNKNOWN: Final = "UNK"
_MARK: Final = "\ufeff"
_STEMS: Final = {"train": ("train",), "dev": ("valid", "dev"), "test": ("test",)}


def _splits(folder: Path) -> list[str]:
    return [split for split in _STEMS if _stem(folder, split) is not None]


def _stem(folder: Path, split: str) -> str | None:
    found = [stem for stem in _STEMS.get(split, ()) if (folder / f"{stem}_text.txt").is_file()]
    if len(found) > 1:
        raise InputError(
            f"both {found[0]}_text.txt and {found[1]}_text.txt exist", where=folder, remedy="keep one of them"
        )
    return found[0] if found else None


def _read(folder: Path, split: str, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:
    stem = _stem(folder, split)
    if stem is None:
        raise InputError(
            f"no text file for the split {split!r}", where=folder, remedy="a RoSTER folder has train_text.txt"
        )
    text = InputFile(folder / f"{stem}_text.txt")
    files = [
        InputFile(path)
        for path in (folder / f"{stem}_label_dist.txt", folder / f"{stem}_label_true.txt")
        if path.is_file()
    ]
    if not files and not options.unlabelled:
        raise InputError(
            "the text has no labels", where=text.name, remedy=f"add {stem}_label_dist.txt or {stem}_label_true.txt"
        )
    known = [SpelledTags(file.name, watch) for file in files]
    for tags in known:
        tags[_UNKNOWN] = None
    rows = zip_longest(text.lines(), *(file.lines() for file in files), fillvalue="")
    for line, (words, *labellings) in enumerate(rows, start=1):
        tokens = tuple(words.split())
        where = Source(text.name, line)
        given = [
            _labels(labelling.split(), tags, tokens, Source(file.name, line), where)
            for labelling, tags, file in zip(labellings, known, files, strict=True)
        ]
        labels, *gold = given or [(None,) * len(tokens)]
        yield Sentence(tokens, labels, gold[0] if gold else None, source=where)


def _labels(
    words: list[str], known: SpelledTags, tokens: tuple[str, ...], where: Source, text: Source
) -> tuple[Label, ...]:
    if len(words) != len(tokens):
        raise InputError(
            f"{len(words)} labels, but {text} has {len(tokens)} tokens", where=where, remedy="give one label per token"
        )
    try:
        return tuple(map(known.__getitem__, words))
    except InputError as error:
        raise InputError(error.finding, where=where, remedy=error.remedy) from None


def _write(splits: Mapping[str, Iterable[Sentence]], folder: Path, options: WriteOptions, watch: Watch) -> None:
    tags: set[Label] = set(options.tags)
    for split, sentences in splits.items():
        if split not in _STEMS:
            raise InputError(f"this format has no split {split!r}", where=folder, remedy="use train, dev or test")
        tags |= _write_split(sentences, folder / _STEMS[split][0], watch)
    lines = [f"{kind}\n" for kind in entity_types(tags)]
    (folder / "types.txt").write_text("".join(lines), encoding="utf-8")


def _write_split(sentences: Iterable[Sentence], stem: Path, watch: Watch) -> set[Label]:
    """Write one split and return the labels in it."""
    tags: set[Label] = set()
    total = with_gold = 0
    paths = [stem.with_name(f"{stem.name}_{part}.txt") for part in ("text", "label_dist", "label_true")]
    with ExitStack() as stack:
        text, given, true = (stack.enter_context(path.open("wb")) for path in paths)
        for sentence in sentences:
            gold = sentence.gold if sentence.gold is not None else (None,) * len(sentence)
            _write_line(text, sentence.tokens, sentence, "token")
            _write_line(given, [label or _UNKNOWN for label in sentence.labels], sentence, "label")
            _write_line(true, [label or _UNKNOWN for label in gold], sentence, "label")
            tags.update(sentence.labels, gold)
            total += 1
            with_gold += sentence.gold is not None
    if with_gold == 0:
        # RoSTER trains on the distant labels, but expects true labels in the other splits.
        paths[2].unlink() if stem.name == "train" else paths[1].replace(paths[2])
    elif with_gold < total:
        detail = f"{total - with_gold} of {total} sentences of {stem.name}; their gold labels are written as unknown"
        watch(Note("info", "some sentences have no gold labels", detail))
    return tags


def _write_line(stream: BinaryIO, words: Iterable[str], sentence: Sentence, what: str) -> None:
    written = list(words)
    line = " ".join(written)
    if line.split() != written:
        culprit = next(word for word in written if word.split() != [word])
        raise InputError(
            f"the {what} {culprit!r} {'contains whitespace' if culprit else 'is empty'}; this format cannot store it",
            where=sentence.source or f"sentence {line!r}",
            remedy="write jsonl instead",
        )
    if line.startswith(_MARK) and stream.tell() == 0:
        # Readers remove one such character from the start of a file.
        line = _MARK + line
    try:
        stream.write(f"{line}\n".encode())
    except UnicodeEncodeError:
        raise InputError(
            "an unpaired surrogate cannot be written", where=sentence.source, remedy="repair the text first"
        ) from None


FORMAT: Final = FolderFormat(
    name="roster",
    summary="RoSTER folder: train_text.txt, train_label_dist.txt, train_label_true.txt, one sentence a line",
    room=frozenset({"gold", "unknown", "tags", "empty"}),
    splits=_splits,
    read=_read,
    write=_write,
)

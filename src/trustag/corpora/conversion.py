"""Write a corpus in another format or scheme, sentence by sentence and atomically, with notes on what is lost."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from trustag.corpora.legality import OnIllegal, SchemeChange, rewritten
from trustag.corpora.locating import LocatedCorpus
from trustag.corpora.survey import Survey
from trustag.errors import InputError
from trustag.files.formats import FileFormat, FolderFormat, Format, Room, WriteOptions
from trustag.files.inputs import STANDARD_STREAM
from trustag.files.outputs import new_file, new_folder
from trustag.files.registry import FORMATS, find_format
from trustag.notes import Note, Watch, unwatched
from trustag.text.label_sets import LabelSet
from trustag.text.labels import entity_types
from trustag.text.schemes import LETTERS, Scheme
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans

_AMBIGUOUS_SUFFIXES: Final = {".json"}


@dataclass(frozen=True, slots=True)
class Conversion:
    """How to write a corpus: the format (None: from the file name), the scheme (None: unchanged), and other options."""

    format: str | None = None
    scheme: Scheme | None = None
    on_illegal: OnIllegal = "keep"
    delimiter: str = " "
    overwrite: bool = False


@dataclass(slots=True)
class SplitCounts:
    """The sentences, tokens and entities of one split, counted before they are written."""

    sentences: int = 0
    tokens: int = 0
    entities: int = 0


@dataclass(frozen=True, slots=True)
class Converted:
    """The result of a finished conversion: formats, scheme, and the counts of each split."""

    format: str
    source_format: str
    source_scheme: Scheme | None
    splits: Mapping[str, SplitCounts] = field(default_factory=dict)


def convert(located: LocatedCorpus, target: Path, conversion: Conversion, watch: Watch) -> Converted:
    """Write the corpus ``located`` to ``target`` and return what was converted."""
    destination = choose_format(target, conversion.format)
    survey = _survey(located, destination, conversion)
    change = _change(survey, destination, conversion)
    options = WriteOptions(conversion.delimiter, _tags(survey, conversion) if survey is not None else ())
    tallies = {split: SplitCounts() for split in located.streams}
    room = RoomCheck(destination)
    sources = {
        split: room.admitted(_counted(_changed(stream(watch), change, watch), tallies[split]), watch)
        for split, stream in located.streams.items()
    }
    write_corpus(sources, target, destination, options, overwrite=conversion.overwrite, watch=watch)
    room.report(watch)
    return Converted(destination.name, located.format, survey.scheme.scheme if survey else None, tallies)


def choose_format(target: Path, name: str | None) -> Format:
    """Return the format called ``name``, or else the format with the suffix of ``target``."""
    if name is not None:
        return find_format(name)
    if target == STANDARD_STREAM:
        return find_format("conll")
    suffix = Path(target.name.removesuffix(".gz")).suffix
    if suffix not in _AMBIGUOUS_SUFFIXES:
        for known in FORMATS.values():
            if isinstance(known, FileFormat) and suffix in known.suffixes:
                return known
    raise InputError(
        "the file name does not determine the output format",
        where=target,
        remedy=f"choose one with --to ({', '.join(FORMATS)})",
    )


def write_corpus(
    splits: Mapping[str, Iterable[Sentence]],
    target: Path,
    destination: Format,
    options: WriteOptions,
    *,
    overwrite: bool,
    watch: Watch,
) -> None:
    """Write ``splits`` to ``target``: a folder if there are several splits or the format requires one, else a file."""
    if isinstance(destination, FolderFormat):
        _refuse_stream(target, destination.name)
        with new_folder(target, overwrite=overwrite) as folder:
            destination.write(splits, folder, options, watch)
    elif len(splits) == 1:
        with new_file(target, overwrite=overwrite) as stream:
            destination.write(next(iter(splits.values())), stream, options, watch)
    else:
        _refuse_stream(target, "a corpus with several splits")
        suffix = destination.suffixes[0]
        with new_folder(target, overwrite=overwrite) as folder:
            for split, sentences in splits.items():
                with new_file(folder / f"{split}{suffix}") as stream:
                    destination.write(sentences, stream, options, watch)


def _refuse_stream(target: Path, what: str) -> None:
    if target == STANDARD_STREAM:
        raise InputError(
            f"{what} requires a folder, not standard output",
            remedy="give a folder, or choose a split, as in NAME:train",
        )


def _survey(located: LocatedCorpus, destination: Format, conversion: Conversion) -> Survey | None:
    """Read the whole corpus once if its scheme or all its labels must be known before writing."""
    unchanged = conversion.scheme is None and conversion.on_illegal == "keep" and "tags" in destination.room
    if unchanged and not destination.needs_tags:
        return None
    survey = Survey()
    for stream in located.streams.values():
        survey.add(stream(unwatched))  # the notes are reported in the second pass
    return survey


def _change(survey: Survey | None, destination: Format, conversion: Conversion) -> SchemeChange | None:
    """Return the change that the labels need, or None if they stay as they are."""
    if survey is None:
        return None
    evidence = survey.scheme
    must_be_read = "tags" not in destination.room
    changes = conversion.scheme not in {None, evidence.scheme}
    if evidence.against == 0 and not changes:
        return None
    return SchemeChange(evidence.scheme, conversion.scheme, conversion.on_illegal, must_be_read)


def _tags(survey: Survey, conversion: Conversion) -> tuple[str, ...]:
    if conversion.scheme is None and conversion.on_illegal == "keep":
        return survey.tags
    scheme = conversion.scheme or survey.scheme.scheme
    return LabelSet(tuple(entity_types(survey.tags)), LETTERS[scheme]).labels


def _changed(sentences: Iterator[Sentence], change: SchemeChange | None, watch: Watch) -> Iterator[Sentence]:
    return sentences if change is None else rewritten(sentences, change, watch)


def _counted(sentences: Iterator[Sentence], tally: SplitCounts) -> Iterator[Sentence]:
    for sentence in sentences:
        tally.sentences += 1
        tally.tokens += len(sentence.tokens)
        tally.entities += len(read_spans(sentence.labels))
        yield sentence


class RoomCheck:
    """Counts, before writing, what sentences contain and the destination format cannot store."""

    def __init__(self, destination: Format) -> None:
        self.name = destination.name
        self.missing = [(room, what, has) for room, what, has in _OPTIONAL_PARTS if room not in destination.room]
        self.holds_empty = "empty" in destination.room
        self.left_out: Counter[str] = Counter()

    def admitted(self, sentences: Iterable[Sentence], watch: Watch) -> Iterator[Sentence]:
        """Yield the sentences that the format can store; unknown labels that it cannot store are an error."""
        for sentence in sentences:
            if not sentence.tokens and not self.holds_empty:
                watch(Note("left out", "sentence without tokens", f"{self.name} cannot store it", sentence.source))
                continue
            for room, what, has in self.missing:
                if has(sentence):
                    if room == "unknown":
                        raise InputError(
                            f"{self.name} cannot store unknown labels",
                            where=sentence.source,
                            remedy="write jsonl instead",
                        )
                    self.left_out[what] += 1
            yield sentence

    def report(self, watch: Watch) -> None:
        """Tell ``watch`` what was left out."""
        for what, count in self.left_out.items():
            watch(Note("left out", what, f"{self.name} cannot store them; {count} sentences had them"))


_OPTIONAL_PARTS: Final[list[tuple[Room, str, Callable[[Sentence], bool]]]] = [
    ("gold", "gold labels", lambda sentence: sentence.gold is not None),
    ("unknown", "unknown labels", lambda sentence: None in sentence.labels),
    ("token_sources", "sources of the labels", lambda sentence: sentence.token_sources is not None),
    ("columns", "additional columns", lambda sentence: bool(sentence.columns)),
    ("id", "ids", lambda sentence: sentence.id is not None),
    ("document", "document boundaries", lambda sentence: sentence.document is not None),
    ("comments", "comments", lambda sentence: bool(sentence.comments)),
    ("gaps", "exact spacing", lambda sentence: sentence.gaps is not None),
]

"""Write a corpus in a format, read it back, and say what is not the same."""

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trustag.corpora.conversion import Conversion, convert
from trustag.corpora.locating import CorpusOptions, LocatedCorpus, locate
from trustag.errors import InputError
from trustag.files.formats import FileFormat, Format, ReadOptions
from trustag.notes import Note, unwatched
from trustag.text.schemes import Scheme, illegal_labels
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """What came back: ``same`` lists what is identical, ``gold`` is None where the format has no room for it.

    Labels illegal in IOB2 have to be repaired for formats that hold entities; ``repaired`` counts them, and the
    labels of their sentences are then compared by the entities they spell.
    """

    corpus: str
    split: str
    format: str
    sentences: bool
    tokens: bool
    entities: bool
    labels: bool
    gold: bool | None
    repaired: int
    cpu_seconds: float
    refused: str = ""

    @property
    def passed(self) -> bool:
        """Whether nothing was lost."""
        return self.sentences and self.tokens and self.entities and self.labels and self.gold is not False


def round_trip(corpus: str, located: LocatedCorpus, before: Sequence[Sentence], known: Format) -> RoundTrip:
    """Write the one split of ``located``, whose sentences are ``before``, as ``known`` and compare what comes back."""
    (split,) = located.streams
    begin = time.process_time()
    repaired: list[Note] = []

    def watch(note: Note) -> None:
        if note.kind == "repaired":
            repaired.append(note)

    keeps_tags = "tags" in known.room
    conversion = Conversion(format=known.name, on_illegal="keep" if keeps_tags else "repair")
    try:
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / (f"written{known.suffixes[0]}" if isinstance(known, FileFormat) else "written")
            convert(located, target, conversion, watch)
            tokenizer = ReadOptions(tokenizer="whitespace") if known.name == "brat" else ReadOptions()
            written = locate(str(target), CorpusOptions(format=known.name, options=tokenizer))
            after = list(written.only_stream()(unwatched))
    except InputError as error:
        seconds = time.process_time() - begin
        return RoundTrip(corpus, split, known.name, False, False, False, False, None, 0, seconds, error.finding)
    pairs = list(zip(before, after, strict=False))
    return RoundTrip(
        corpus=corpus,
        split=split,
        format=known.name,
        sentences=len(before) == len(after),
        tokens=all(old.tokens == new.tokens for old, new in pairs),
        entities=all(read_spans(old.labels) == read_spans(new.labels) for old, new in pairs),
        labels=all(old.labels == new.labels or _had_to_change(old, keeps_tags) for old, new in pairs),
        gold=_same_gold(pairs, keeps_tags) if "gold" in known.room else None,
        repaired=len(repaired),
        cpu_seconds=round(time.process_time() - begin, 3),
    )


def _had_to_change(sentence: Sentence, keeps_tags: bool) -> bool:
    return not keeps_tags and bool(illegal_labels(sentence.labels, Scheme.IOB2))


def _same_gold(pairs: Sequence[tuple[Sentence, Sentence]], keeps_tags: bool) -> bool:
    return all(
        old.gold == new.gold
        or (
            old.gold is not None
            and new.gold is not None
            and not keeps_tags
            and bool(illegal_labels(old.gold, Scheme.IOB2))
            and read_spans(old.gold) == read_spans(new.gold)
        )
        for old, new in pairs
    )

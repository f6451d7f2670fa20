"""Small valid seeds: a hand-made corpus in every format, and a few variants of formats."""

import gzip
import io
import tempfile
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from fuzz.folders import packed_folder
from trustag.corpora.survey import Survey
from trustag.files.formats import FileFormat, FolderFormat, Format, WriteOptions
from trustag.notes import unwatched
from trustag.text.sentences import Sentence

CORPUS: Final = (
    Sentence(("Ada", "Lovelace", "met", "Babbage", "."), ("B-PER", "I-PER", "O", "B-PER", "O"), id="a", document="1"),
    Sentence(
        ("São", "Tomé", "in", "2026"),
        ("B-geo-loc", "I-geo-loc", "O", "O"),
        gold=("B-geo-loc", "O", "O", "B-DATE"),
        document="1",
        gaps=("", " ", " ", "\u00a0", ""),
    ),
    Sentence(("#1", "😀", "-DOCSTART"), ("O", None, "B-MISC"), token_sources=("rule", "none", "crowd"), document="2"),
    Sentence(("EU", "EU"), ("B-ORG", "B-ORG"), comments=("# twice",), columns={"pos": ("NNP", "NNP")}),
)

OTHER_SPELLINGS: Final[dict[str, tuple[str, ...]]] = {
    "conll": (
        "-DOCSTART- -X- -X- O\n\nEU NNP B-NP B-ORG\nrejects VBZ B-VP O\n\n# note\nBonn NNP B-NP B-LOC\n",
        "Ada\tI-PER\r\nLovelace\tI-PER\r\n\r\n",
        "1\tAda\tB-PER\tO\n2\tB\tO\tO\n",
        "Ada S-PER S-PER\n. O O",
    ),
    "csv": (
        "Sentence #,Word,POS,Tag\nSentence: 1,Ada,NNP,B-PER\n,met,VBD,O\nSentence: 2,Bob,NNP,B-PER\n",
        'sent_id;token;ner\r\n1;"a;b";B-X\r\n1;"say ""hi""\n";\r\n',
        'word\ttag\n"\tO\nAda\tPER\n\nBob\tO\n',
    ),
    "jsonl": (
        '{"names": ["O", "B-X", "I-X"]}\n{"tokens": ["a", "b"], "ner_tags": [1, 2], "id": 7}\n',
        '[{"tokens": ["a"], "tags": ["O"]}, {"tokens": ["b"], "labels": null}]',
    ),
    "doccano": (
        '{"id": 1, "text": "Ada met Bob", "label": [[0, 3, "PER"]]}\n',
        '[{"text": "Ada", "entities": [{"id": 1, "label": "PER", "start_offset": 0, "end_offset": 3}]}]',
        '{"data": "Ada", "annotations": [{"label": 1, "start_offset": 0, "end_offset": 3}]}',
    ),
    "label-studio": (
        """[{"id": 1, "data": {"text": "Ada met Bob"}, "annotations": [{"result": [
        {"type": "labels", "value": {"start": 0, "end": 3, "text": "Ada", "labels": ["PER"]}}]}]}]""",
        '[{"data": {"text": "Ada"}, "predictions": [{"result": [{"value": {"start": 0, "end": 3, "labels": []}}]}]}]',
        '[{"id": 2, "text": "Ada", "label": [{"start": 0, "end": 3, "text": "Ada", "labels": ["PER"]}]}]',
    ),
    "prodigy": (
        """[{"text": "Ada met", "answer": "accept", "spans": [{"start": 0, "end": 3, "label": "PER"}], "tokens": [
        {"text": "Ada", "start": 0, "end": 3, "ws": true}, {"text": "met", "start": 4, "end": 7, "id": 1}]}]""",
        '{"text": "Ada", "spans": [{"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "PER"}]}\n',
    ),
    "gliner": ('[{"tokenized_text": ["Ada", "met"], "ner": [[0, 0, "person"]]}]',),
    "spert": ('[{"tokens": ["Ada", "met"], "entities": [{"type": "PER", "start": 0, "end": 1}], "relations": [{}]}]',),
    "bond": ('train.json\n[{"str_words": ["Ada"], "tags": [1]}]\n//// tag_to_id.json\n{"O": 0, "B-PER": 1}',),
    "roster": ("train_text.txt\nAda met\n\n//// train_label_dist.txt\nB-PER O\n\n//// types.txt\nPER\n",),
    "brat": (
        "a.txt\nAda met\nBob\n\n//// a.ann\nT1\tPER 0 3\tAda\nT2\tPER 8 11\tBob\nR1\tmet Arg1:T1 Arg2:T2\n#1\tN T1\tx",
        "train/a.txt\nAda Bob\n//// train/a.ann\nT1\tPER 0 3;4 7\tAda Bob\n//// dev/b.txt\nx",
    ),
}


def seeds_of(known: Format) -> list[bytes]:
    """Return small valid inputs of a format: files, or folders as bytes."""
    fitting = [_fitting(sentence, known) for sentence in CORPUS]
    written = [_written(known, fitting), *(_written(known, [sentence]) for sentence in fitting)]
    packed = [gzip.compress(written[1], mtime=0)] if isinstance(known, FileFormat) else []
    return [*written, *packed, *(text.encode() for text in OTHER_SPELLINGS.get(known.name, ()))]


def _fitting(sentence: Sentence, known: Format) -> Sentence:
    """Return ``sentence`` without what the format cannot store."""
    room = known.room
    alike = known.name in {"conll", "csv"}  # these need the same columns in every sentence
    return replace(
        sentence,
        labels=sentence.labels if "unknown" in room else tuple(label or "O" for label in sentence.labels),
        gold=sentence.gold if "gold" in room and not alike else None,
        token_sources=sentence.token_sources if "token_sources" in room and not alike else None,
        columns=sentence.columns if "columns" in room and not alike else {},
    )


def _written(known: Format, sentences: list[Sentence]) -> bytes:
    tags = Survey().add(sentences).tags
    options = WriteOptions(tags=tags)
    if isinstance(known, FolderFormat):
        with tempfile.TemporaryDirectory() as folder:
            known.write({"train": sentences, "dev": sentences[:1]}, Path(folder), options, unwatched)
            return packed_folder(Path(folder))
    stream = io.BytesIO()
    known.write(sentences, stream, options, unwatched)
    return stream.getvalue()

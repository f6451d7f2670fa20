"""spaCy files: the real library reads what is written here, and what it writes is read here."""

import io
import random
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.files.rich import any_words, reported, rich_sentences, without_sources
from tests.files.scratch import scratch_file
from trustag.errors import InputError, MissingExtraError
from trustag.files.formats import ReadOptions, WriteOptions
from trustag.files.spacy_docbin import FORMAT
from trustag.notes import Note, unwatched
from trustag.text.labels import join_label
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.sentences import Sentence, Source

spacy = pytest.importorskip("spacy")
tokens = pytest.importorskip("spacy.tokens")

VOCAB = spacy.blank("xx").vocab
BOB = Sentence(
    ("Bob", "Ott", "ran", "."),
    ("B-PERSON", "I-PERSON", "O", None),
    ("B-PERSON", "O", "B-x y", None),
    gaps=("", " ", " ", "", ""),
    id="7",
)


def written(*sentences: Sentence) -> bytes:
    stream = io.BytesIO()
    FORMAT.write(iter(sentences), stream, WriteOptions(), unwatched)
    return stream.getvalue()


def read(content: bytes, notes: list[Note] | None = None) -> list[Sentence]:
    with scratch_file(content, "a.spacy") as file:
        return list(FORMAT.read(file, ReadOptions(), notes.append if notes is not None else unwatched))


def docs_of(content: bytes) -> list[Any]:
    return list(tokens.DocBin().from_bytes(content).get_docs(VOCAB))


def saved(*docs: Any, **options: Any) -> bytes:
    content: bytes = tokens.DocBin(docs=docs, **options).to_bytes()
    return content


def doc(words: str, **options: Any) -> Any:
    return tokens.Doc(VOCAB, words=words.split(), **options)


def failure(content: bytes) -> str:
    with pytest.raises(InputError) as caught:
        read(content)
    message = str(caught.value)
    assert "\n" not in message
    return message


# There and back again

storable = rich_sentences(words=any_words().filter(bool), any_tags=False)


@settings(max_examples=30)
@given(st.lists(storable, max_size=3))
def test_what_is_written_is_read_back_with_nothing_lost(sentences: list[Sentence]) -> None:
    notes: list[Note] = []
    assert without_sources(read(written(*sentences), notes)) == sentences
    assert notes == []


@settings(max_examples=30)
@given(rich_sentences(words=any_words().filter(bool)))
def test_of_labels_in_any_scheme_the_entities_survive(sentence: Sentence) -> None:
    (found,) = read(written(sentence))
    assert found.labels == convert_labels(sentence.labels, Scheme.IOB2)
    assert found.gold == (None if sentence.gold is None else convert_labels(sentence.gold, Scheme.IOB2))


def test_sources_are_documents() -> None:
    assert [sentence.source for sentence in read(written(BOB, BOB))] == [
        Source("a.spacy", n, is_record=True) for n in (1, 2)
    ]


def test_the_same_content_has_the_same_bytes() -> None:
    assert written(BOB) == written(BOB)


# The real library


def test_the_library_loads_what_is_written() -> None:
    (found,) = docs_of(written(BOB))
    assert found.text == "Bob Ott ran."
    assert [(entity.text, entity.label_) for entity in found.ents] == [("Bob Ott", "PERSON")]
    assert [token.ent_iob_ for token in found] == ["B", "I", "O", ""]
    assert [(span.text, span.label_, span.start_char, span.end_char) for span in found.spans["gold"]] == [
        ("Bob", "PERSON", 0, 3),
        ("ran", "x y", 8, 11),
    ]
    assert found.spans["gold"].attrs == {"unknown": [3]}
    assert [sentence.text for sentence in found.sents] == ["Bob Ott ran."]
    assert found.user_data == {"id": "7"}
    assert not found.has_unknown_spaces


@settings(max_examples=30)
@given(st.lists(storable, max_size=3))
def test_the_library_finds_the_same_tokens_and_labels(sentences: list[Sentence]) -> None:
    found = docs_of(written(*sentences))
    assert [tuple(token.text for token in each) for each in found] == [sentence.tokens for sentence in sentences]
    labels = [
        tuple(
            {"": None, "O": "O"}.get(token.ent_iob_)
            if token.ent_iob_ in {"", "O"}
            else join_label(token.ent_iob_, token.ent_type_)
            for token in each
        )
        for each in found
    ]
    assert labels == [sentence.labels for sentence in sentences]
    assert [each.has_unknown_spaces for each in found] == [sentence.gaps is None for sentence in sentences]


@settings(max_examples=25)
@given(st.lists(storable, max_size=2))
def test_what_the_library_saves_again_is_read_the_same(sentences: list[Sentence]) -> None:
    assert without_sources(read(saved(*docs_of(written(*sentences)), store_user_data=True))) == sentences


def test_entities_missing_and_blocked_tokens_are_distinguished() -> None:
    each = doc("a b c d")
    each.set_ents([tokens.Span(each, 0, 1, "X")], missing=[each[1:2]], blocked=[each[2:3]], default="outside")
    (found,) = read(saved(each))
    assert found.labels == ("B-X", None, "O", "O")


def test_a_document_without_entities_has_unknown_labels() -> None:
    assert read(saved(doc("a b")))[0].labels == (None, None)
    assert read(saved(doc("a b"), attrs=["ORTH"]))[0].labels == (None, None)


def test_spaces_are_gaps_where_they_are_known() -> None:
    assert read(saved(doc("a b", spaces=[False, True])))[0].gaps == ("", "", " ")
    assert read(saved(doc("a b")))[0].gaps is None


def test_a_document_with_sentence_starts_becomes_sentences_of_one_document() -> None:
    each = doc("a b c d", spaces=[True, True, False, True], ents=["O", "B-X", "O", "B-Y"])
    for token in each:
        token.is_sent_start = token.i in {0, 2}
    each.spans["gold"] = [tokens.Span(each, 2, 4, "Z")]
    each.user_data |= {"comments": ["# x"], "columns": {"pos": list("NVNV")}, "token_sources": list("pqrs")}
    first, second, third = read(saved(each, doc("e"), store_user_data=True))
    where = Source("a.spacy", 1, is_record=True)
    assert first == Sentence(
        ("a", "b"),
        ("O", "B-X"),
        ("O", "O"),
        ("p", "q"),
        where,
        None,
        "1",
        ("# x",),
        ("", " ", " "),
        {"pos": ("N", "V")},
    )
    assert second == Sentence(
        ("c", "d"), ("O", "B-Y"), ("B-Z", "I-Z"), ("r", "s"), where, None, "1", (), ("", "", " "), {"pos": ("N", "V")}
    )
    assert third.document is None


@pytest.mark.parametrize(("user_data", "name"), [({"document": "d", "id": 3}, "d"), ({"id": 3}, "3"), ({}, "2")])
def test_a_document_that_is_cut_keeps_its_name(user_data: dict[str, object], name: str) -> None:
    each = doc("a b", sent_starts=[True, True])
    each.user_data |= user_data
    found = read(saved(doc("x"), each, store_user_data=True))
    assert [(sentence.id, sentence.document) for sentence in found] == [(None, None), (None, name), (None, name)]


def test_a_parsed_document_is_cut_by_its_parse() -> None:
    each = doc("a b c", heads=[0, 2, 2], deps=["ROOT", "x", "ROOT"])
    assert [sentence.tokens for sentence in read(saved(each))] == [("a",), ("b", "c")]


def test_annotations_that_cannot_be_kept_are_counted() -> None:
    each = doc("a b", pos=["NOUN", "VERB"], lemmas=["a", "b"])
    each.cats = {"good": 1.0}
    each.spans["sc"] = [each[0:1]]
    each.user_data |= {"mood": "fine", ("._.", "seen", None, None): True, "id": [1]}
    notes: list[Note] = []
    (found,) = read(saved(each, store_user_data=True), notes)
    assert found.id is None
    assert reported(notes) == [
        "left out: extra annotation: 'LEMMA', once",
        "left out: extra annotation: 'POS', once",
        "left out: extra annotation: 'cats', once",
        "left out: extra annotation: 'user_data.mood', once",
        "left out: extra annotation: \"user_data.('._.', 'seen', None, None)\", once",
        "left out: extra annotation: 'user_data.id', once",
        "left out: extra annotation: 'spans.sc', once",
    ]


def test_words_that_are_names_of_attributes_survive() -> None:
    words = Sentence(("ORTH", "PERSON", "nsubj"), ("B-ORG", "O", "B-nsubj"))
    assert without_sources(read(written(words))) == [words]
    assert [token.text for token in docs_of(written(words))[0]] == ["ORTH", "PERSON", "nsubj"]


def test_a_file_of_the_first_version_is_read() -> None:
    fields = msgspec.msgpack.decode(zlib.decompress(saved(doc("a b", ents=["B-X", "O"]))))
    for key in ("flags", "span_groups", "version"):
        del fields[key]
    assert read(zlib.compress(msgspec.msgpack.encode(fields)))[0].labels == ("B-X", "O")


def test_span_groups_of_older_versions_are_read() -> None:
    each = doc("a b")
    each.spans["gold"] = [tokens.Span(each, 1, 2, "X")]

    def as_a_list(fields: dict[str, Any]) -> None:
        fields["span_groups"] = [msgspec.msgpack.encode([each.spans["gold"].to_bytes()])]

    assert read(changed(saved(each), as_a_list))[0].gold == ("O", "B-X")


# Everything that cannot be read or written


def changed(content: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    fields = msgspec.msgpack.decode(zlib.decompress(content))
    change(fields)
    return zlib.compress(msgspec.msgpack.encode(fields))


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (lambda fields: fields.pop("tokens"), "a.spacy: a damaged spaCy file: Object missing required field `tokens`"),
        (
            lambda fields: fields.update(tokens=b"123"),
            "a.spacy: a damaged spaCy file: its arrays have impossible sizes",
        ),
        (lambda fields: fields.update(attrs=[]), "a.spacy: a damaged spaCy file: its arrays have impossible sizes"),
        (lambda fields: fields.update(lengths=b"12345"), "a.spacy: a damaged spaCy file: its arrays have impossible"),
        (lambda fields: fields.update(lengths=b"\xff" * 8), "a.spacy: a damaged spaCy file: the lengths of its"),
        (
            lambda fields: fields.update(spaces=b""),
            "a.spacy: a damaged spaCy file: the lengths of its documents do not",
        ),
        (lambda fields: fields.update(user_data=[]), "a.spacy: a damaged spaCy file: some documents lack their data"),
        (
            lambda fields: fields.update(strings=[]),
            "a.spacy, record 1: the string of a word or type is missing; write it again",
        ),
        (lambda fields: fields.update(attrs=[74, 75, 80, 77]), "a.spacy: the spaCy file contains no words"),
        (lambda fields: fields.update(span_groups=[b"\xc1"] * 2), "a.spacy, record 1: a damaged spaCy file: "),
        (lambda fields: fields.update(user_data=[b"\xc1"] * 2), "a.spacy, record 1: a damaged spaCy file: "),
        (lambda fields: fields.update(tokens=bytes(len(fields["tokens"]))), "a.spacy, record 1: a token is empty"),
    ],
)
def test_fields_that_do_not_fit_are_an_error(change: Callable[[dict[str, Any]], object], finding: str) -> None:
    assert failure(changed(written(BOB, BOB), change)).startswith(finding)


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", zlib.compress(b""), zlib.compress(b"\x93"), zlib.compress(b"\xc0")]
)
def test_a_file_that_is_no_docbin_is_an_error(content: bytes) -> None:
    assert failure(content).startswith("a.spacy: ")


def test_a_type_without_a_position_is_an_error() -> None:
    each = doc("a", ents=["B-X"])
    assert failure(saved(each, attrs=["ENT_TYPE"])).startswith(
        "a.spacy, record 1: ENT_IOB 0 does not fit ENT_TYPE 'X'; store"
    )


def test_gold_spans_that_overlap_are_an_error() -> None:
    each = doc("a b c")
    each.spans["gold"] = [tokens.Span(each, 0, 2, "X"), tokens.Span(each, 1, 3, "X")]
    assert failure(saved(each)).startswith("a.spacy, record 1: gold spans overlap")


@pytest.mark.parametrize(("start", "end"), [(-1, 1), (0, 3), (1, 0), (1, 1), (5, 9)])
def test_gold_spans_outside_the_tokens_are_an_error(start: int, end: int) -> None:
    each = doc("a b")
    each.spans["gold"] = [tokens.Span(each, 0, 1, "X")]
    packed = each.spans["gold"].to_bytes()
    group = msgspec.msgpack.decode(packed)
    group["spans"] = [group["spans"][0][:24] + b"".join(n.to_bytes(4, "big", signed=True) for n in (start, end, 0, 1))]

    def misplaced(fields: dict[str, Any]) -> None:
        fields["span_groups"] = [msgspec.msgpack.encode({msgspec.msgpack.encode(group): ["gold"]})]

    assert failure(changed(saved(each), misplaced)).startswith(
        "a.spacy, record 1: gold spans overlap, are out of range"
    )


def test_an_empty_token_cannot_be_written() -> None:
    with pytest.raises(InputError, match=r"^a\.conll:8: spaCy cannot store an empty token; remove empty tokens"):
        written(Sentence(("a", ""), ("O", "O"), source=Source("a.conll", 7, token_lines=True)))


def test_an_unpaired_surrogate_cannot_be_written() -> None:
    with pytest.raises(InputError, match="an unpaired surrogate cannot be written"):
        written(Sentence(("\ud800",), ("O",)))
    with pytest.raises(InputError, match="an unpaired surrogate cannot be written"):
        written(Sentence(("a",), ("O",), id="\ud800"))


def test_damaged_files_are_read_or_refused() -> None:
    whole = zlib.decompress(written(BOB, Sentence((), ()), BOB))
    chance = random.Random(7)
    for _ in range(300):
        content = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            content[chance.randrange(len(content))] = chance.randrange(256)
        try:
            read(zlib.compress(content))
        except InputError as error:
            assert str(error).startswith("a.spacy")


@given(st.binary(max_size=60))
def test_any_bytes_are_refused(content: bytes) -> None:
    assert failure(content).startswith("a.spacy: ")
    assert failure(zlib.compress(content)).startswith("a.spacy: ")


def test_the_way_to_a_missing_library_is_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    content = written(BOB)
    monkeypatch.setitem(sys.modules, "spacy.strings", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'trustag\[spacy\]'"):
        written(BOB)
    with pytest.raises(MissingExtraError, match=r"pip install 'trustag\[spacy\]'"):
        read(content)

"""Corpora as indices: every label comes back, parts are parts, and what is unknown or reviewed is marked."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import TYPES, sentences
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus, decode_labels, encode, encode_gold, pad_labels
from trustag.errors import InputError
from trustag.text.label_sets import LabelSet
from trustag.text.labels import Label
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.sentences import GIVEN, REVIEWED, Sentence, Source
from trustag.text.soft_labels import PROBABILITIES

LABELS = LabelSet.of(TYPES)
CORPORA = st.lists(sentences(max_size=4), min_size=1, max_size=5)


@given(rows=CORPORA)
def test_every_label_has_its_index_and_comes_back(rows: list[Sentence]) -> None:
    corpus = encode(rows, LABELS)
    assert len(corpus) == len(rows)
    assert corpus.tokens == tuple(sentence.tokens for sentence in rows)
    expected = [tuple(convert_labels(sentence.labels, Scheme.IOBES)) for sentence in rows]
    assert corpus.label_names() == expected
    flat = [label for row in expected for label in row]
    assert corpus.label_ids.tolist() == [NO_LABEL if label is None else LABELS.labels.index(label) for label in flat]
    assert decode_labels(corpus.label_ids, corpus, Scheme.IOB2) == [sentence.labels for sentence in rows]


@given(rows=CORPORA)
def test_lengths_offsets_and_rows_agree(rows: list[Sentence]) -> None:
    corpus = encode(rows, LABELS)
    assert corpus.lengths == [len(sentence) for sentence in rows]
    assert corpus.offsets == [sum(corpus.lengths[:number]) for number in range(len(rows) + 1)]
    assert torch.equal(torch.cat(corpus.rows), corpus.label_ids)
    assert [len(row) for row in corpus.rows] == corpus.lengths


@given(rows=CORPORA, data=st.data())
def test_a_subset_is_the_corpus_of_these_sentences(rows: list[Sentence], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1), min_size=1, max_size=6))
    corpus = encode(rows, LABELS)
    part, expected = corpus.subset(chosen), encode([rows[number] for number in chosen], LABELS)
    assert part.tokens == expected.tokens
    assert torch.equal(part.label_ids, expected.label_ids)
    assert torch.equal(part.is_reviewed, expected.is_reviewed)
    indices = corpus.token_indices(chosen)
    assert indices.tolist() == [
        index for number in chosen for index in range(corpus.offsets[number], corpus.offsets[number + 1])
    ]
    if expected.gold_ids is not None:
        assert part.gold_ids is not None
        assert torch.equal(part.gold_ids, expected.gold_ids)
    else:
        assert part.gold_ids is None or (part.gold_ids == NO_LABEL).all()


def test_other_labels_leave_everything_else_and_what_was_worked_out_before() -> None:
    sentence = Sentence(("Ann", "Lee"), ("B-PER", "I-PER"), ("O", "O"), token_sources=(REVIEWED, GIVEN))
    corpus = encode([sentence], LabelSet.of(["PER"]))
    assert corpus.reviewed.tolist() == [True, False]
    other = corpus.with_labels(torch.tensor([NO_LABEL, 0]))
    assert other.label_ids.tolist() == [NO_LABEL, 0]
    assert other.label_names() == [(None, "O")]
    assert [row.tolist() for row in other.rows] == [[NO_LABEL, 0]]
    assert other.reviewed.tolist() == [False, False]  # an unknown label was never decided on
    assert other.gold_ids is corpus.gold_ids
    assert other.tokens is corpus.tokens
    assert corpus.label_names() == [("B-PER", "E-PER")]


def test_reviewed_labels_are_marked_unless_they_are_unknown() -> None:
    reviewed = Sentence(("a", "b", "c"), ("B-PER", None, "O"), token_sources=(REVIEWED, REVIEWED, GIVEN))
    corpus = encode([reviewed, Sentence(("d",), ("O",))], LabelSet.of(["PER"]))
    single = corpus.labels.index["S-PER"]
    assert corpus.reviewed.tolist() == [True, False, False, False]
    assert corpus.unreviewed_ids.tolist() == [NO_LABEL, NO_LABEL, 0, 0]
    assert corpus.label_ids.tolist() == [single, NO_LABEL, 0, 0]


def test_gold_is_there_if_any_sentence_has_it() -> None:
    labels = LabelSet.of(["PER"])
    plain = Sentence(("a",), ("O",))
    assert encode([plain], labels).gold_ids is None
    gold = encode([plain, Sentence(("b", "c"), ("O", "O"), ("B-PER", "I-LOC"))], labels).gold_ids
    assert gold is not None
    # A type that the labels lack has an index beyond all of them.
    assert gold.tolist() == [NO_LABEL, labels.index["S-PER"], len(labels)]
    assert [row.tolist() for row in encode_gold([("B-PER", None), ("B-ORG",)], labels)] == [
        [labels.index["S-PER"], NO_LABEL],
        [len(labels)],
    ]


def test_a_type_that_the_labels_lack_is_refused_by_sentence() -> None:
    sentence = Sentence(("a",), ("B-ORG",), source=Source("corpus.conll", 7))
    with pytest.raises(InputError, match=r"corpus.conll:7: the label 'S-ORG' is of a type"):
        encode([sentence], LabelSet.of(["PER"]))


def test_labels_as_a_model_wrote_them_stay_even_where_they_are_illegal() -> None:
    labels = LabelSet.of(["PER"])
    corpus = encode([Sentence(("Ann", "sings"), ("B-PER", "O"))], labels)
    assert corpus.label_names() == [("S-PER", "O")]
    stray = corpus.with_labels(torch.tensor([labels.index["B-PER"], 0]))
    assert stray.label_names() == [("B-PER", "O")]
    assert decode_labels(stray.label_ids, stray, Scheme.IOB2) == [("B-PER", "O")]


@given(st.lists(st.lists(st.integers(-1, 5), min_size=1, max_size=5), min_size=1, max_size=5))
def test_padded_labels_are_the_rows_and_the_mask_says_where(rows: list[list[int]]) -> None:
    table, mask = pad_labels([torch.tensor(row) for row in rows])
    assert table.shape == mask.shape == (len(rows), max(map(len, rows)))
    for row, padded, marks in zip(rows, table.tolist(), mask.tolist(), strict=True):
        assert padded == row + [NO_LABEL] * (len(padded) - len(row))
        assert marks == [True] * len(row) + [False] * (len(padded) - len(row))


def test_an_empty_corpus_is_one() -> None:
    corpus = encode([], LABELS)
    assert isinstance(corpus, EncodedCorpus)
    assert (len(corpus), corpus.offsets, len(corpus.label_ids), corpus.gold_ids) == (0, [0], 0, None)


def with_probabilities(labels: tuple[Label, ...], *texts: str, sources: tuple[str, ...] | None = None) -> Sentence:
    words = tuple("w" * (number + 1) for number in range(len(labels)))
    place = Source("file", 4, token_lines=True)
    return Sentence(words, labels, token_sources=sources, columns={PROBABILITIES: texts}, source=place)


def test_probabilities_of_labels_are_read_where_sources_left_them() -> None:
    labels = LabelSet.of(("PER",))
    merged = with_probabilities(("B-PER", "O", None), "S-PER=0.75|O=0.25", "-", "-")
    corpus = encode([merged, Sentence(("a",), ("O",))], labels)
    assert corpus.probabilities is not None
    assert corpus.probabilities.tolist() == [
        [0.25, 0, 0, 0, 0.75],
        [1, 0, 0, 0, 0],
        [pytest.approx(0.2)] * 5,
        [1, 0, 0, 0, 0],
    ]
    part = corpus.subset([1]).probabilities
    assert part is not None
    assert torch.equal(part, corpus.probabilities[3:])
    assert corpus.with_labels(corpus.label_ids).probabilities is None
    assert encode([Sentence(("a",), ("O",))], labels).probabilities is None


def test_a_reviewed_label_is_certain() -> None:
    reviewed = with_probabilities(("B-PER",), "O=1", sources=(REVIEWED,))
    corpus = encode([reviewed], LabelSet.of(("PER",)))
    assert corpus.probabilities is not None
    assert corpus.probabilities.tolist() == [[0, 0, 0, 0, 1]]


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("O=2", "file:5: 'O=2' are no probabilities"),
        ("S-LOC=1", "file:5: column 'label_probabilities' names .*'S-LOC'"),
    ],
)
def test_probabilities_that_fit_no_label_are_refused_with_their_line(text: str, finding: str) -> None:
    with pytest.raises(InputError, match=finding):
        encode([with_probabilities(("B-PER", "O"), "O=1", text)], LabelSet.of(("PER",)))

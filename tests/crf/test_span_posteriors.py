from itertools import combinations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crf.batches import batches
from tests.crf.checked import entity_posteriors, forward_backward_messages, sequence_posteriors
from tests.crf.enumeration import Batch, assert_near, each_sentence
from trustag.crf import Chain, EntitySpans, LabelledSpans, entity_grammar, entity_spans
from trustag.text.spans import Span, read_spans

many = settings(max_examples=25)

LABELLINGS = (
    ("O", "B-A", "I-A", "B-B", "I-B"),
    ("O", "B-A", "I-A", "E-A", "S-A"),
    ("I-A", "I-B", "O"),
    ("O", "B-A", "I-A", "L-A", "U-A"),
    ("E-A", "I-A", "S-B", "O", "B-B"),
    ("B", "I", "O"),
    ("O",),
)


@st.composite
def label_sequences(draw: st.DrawFn) -> tuple[Batch, LabelledSpans]:
    batch = draw(batches())
    label = st.integers(0, batch.label_count - 1)
    rows, offsets = [], []
    for _ in range(draw(st.integers(1, 4))):
        sentence = draw(st.integers(0, len(batch.emissions) - 1))
        start = draw(st.integers(0, batch.lengths[sentence] - 1))
        width = draw(st.integers(1, batch.lengths[sentence] - start))
        rows.append(torch.tensor(draw(st.lists(label, min_size=width, max_size=width))))
        offsets.append((sentence, start))
    sentences, starts = torch.tensor(offsets).unbind(1)
    labels = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=-1)
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**32)))
    sets = [torch.rand(len(rows), batch.label_count, generator=generator) < 0.5 for _ in range(2)]
    before, after = (found if draw(st.booleans()) else None for found in sets)
    return batch, LabelledSpans(sentences, starts, labels, before, after)


@many
@given(label_sequences(), st.booleans())
def test_posteriors_of_label_sequences_equal_enumeration(case: tuple[Batch, LabelledSpans], restricted: bool) -> None:
    batch, spans = case
    allowed = batch.allowed if restricted else None
    found = sequence_posteriors(forward_backward_messages(batch.emissions, batch.chain, batch.mask, allowed), spans)
    every_path = each_sentence(batch, allowed)
    for row, (sentence, start) in enumerate(zip(spans.sentence.tolist(), spans.start.tolist(), strict=True)):
        paths = every_path[sentence]
        wanted = spans.labels[row][spans.labels[row] >= 0]
        end = start + len(wanted)
        fits = (paths.labels[:, start:end] == wanted).all(1)
        if spans.before is not None and start > 0:
            fits &= spans.before[row][paths.labels[:, start - 1]]
        if spans.after is not None and end < batch.lengths[sentence]:
            fits &= spans.after[row][paths.labels[:, end]]
        assert_near(found[row], paths.probabilities()[fits].sum())


@st.composite
def labelled_batches(draw: st.DrawFn) -> tuple[Batch, tuple[str, ...]]:
    batch = draw(batches(labels=5))
    fitting = [labels for labels in LABELLINGS if len(labels) == batch.label_count]
    return batch, draw(st.sampled_from(fitting)) if fitting else LABELLINGS[0][: batch.label_count]


@many
@given(labelled_batches())
def test_posteriors_of_entities_equal_enumeration(case: tuple[Batch, tuple[str, ...]]) -> None:
    batch, labels = case
    grammar = entity_grammar(labels)
    every_span = [
        [Span(start, end, kind) for start, end in combinations(range(length + 1), 2) for kind in grammar.types]
        for length in batch.lengths
    ]
    messages = forward_backward_messages(batch.emissions, batch.chain, batch.mask)
    found = iter(entity_posteriors(messages, entity_spans(every_span, grammar), grammar).tolist())
    for paths, spans in zip(each_sentence(batch), every_span, strict=True):
        decoded = [read_spans([labels[label] for label in path]) for path in paths.labels.tolist()]
        for span in spans:
            contains = torch.tensor([span in entities for entities in decoded])
            assert_near(next(found), paths.probabilities()[contains].sum().item())


def test_no_spans_have_no_posteriors() -> None:
    grammar = entity_grammar(["O", "B-A"])
    emissions, mask = torch.zeros(1, 2, 2), torch.ones(1, 2, dtype=torch.bool)
    chain = torch.zeros(2, 2), torch.zeros(2), torch.zeros(2)
    messages = forward_backward_messages(emissions, Chain(*chain), mask)
    assert entity_posteriors(messages, entity_spans([[]], grammar), grammar).shape == (0,)


@pytest.mark.parametrize(("sentence", "start", "end"), [(0, 1, 3), (0, 1, 1), (0, -1, 1), (1, 0, 1), (-1, 0, 1)])
def test_spans_outside_their_sentence_are_refused(sentence: int, start: int, end: int) -> None:
    chain = Chain(torch.zeros(2, 2), torch.zeros(2), torch.zeros(2))
    mask = torch.tensor([[True, True, False]])
    messages = forward_backward_messages(torch.zeros(1, 3, 2), chain, mask)
    spans = EntitySpans(*(torch.tensor([value]) for value in (sentence, start, end, 0)))
    with pytest.raises(ValueError, match=f"tokens {start} up to {end} of sentence {sentence}"):
        entity_posteriors(messages, spans, entity_grammar(["O", "B-A"]))

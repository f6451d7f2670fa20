"""The head: what its scores are of, in and out of padding, and that its decoder says what its outputs say."""

import pytest
import torch

from tests.methods.autoner.enumeration import LABELS, random_outputs
from trustag.crf.crf_outputs import LabelSequence
from trustag.errors import InputError
from trustag.methods.autoner.head import PLACE, TIE_OR_BREAK, TieOrBreakHead
from trustag.methods.table import load_recipe
from trustag.models.heads import find_head
from trustag.text.label_sets import LabelSet
from trustag.text.spans import Span


def test_gaps_see_both_tokens_and_starts_and_ends_their_own() -> None:
    torch.manual_seed(1)
    head = TieOrBreakHead(LABELS, 3)
    features = torch.randn(1, 4, 3)
    changed = features.clone()
    changed[0, 2] += 1
    mask = torch.ones(1, 4, dtype=torch.bool)
    one, other = head.outputs(features, mask), head.outputs(changed, mask)
    assert (one.gaps != other.gaps).tolist() == [[False, False, True, True]]
    for part in ("starts", "ends"):
        differs = (getattr(one, part) != getattr(other, part)).any(-1)
        assert differs.tolist() == [[False, False, True, False]]
    assert one.gaps[0, 0] == 0
    padded = head.outputs(torch.cat([features, torch.randn(1, 2, 3)], 1), torch.ones(1, 6, dtype=torch.bool))
    assert torch.allclose(padded.gaps[:, :4], one.gaps)


def test_the_decoder_says_what_the_outputs_of_a_corpus_say() -> None:
    lengths = [4, 2]
    own = random_outputs(1, lengths)
    decoder = TieOrBreakHead(LABELS, 3).decoder(legal_only=True)
    padded = torch.nn.utils.rnn.pad_sequence(list(torch.split(own.scores, lengths)), batch_first=True)
    assert [label for row in decoder.best_labels(padded, lengths) for label in row] == own.best_labels().tolist()
    spans = [[Span(0, 1, "PER"), Span(1, 4, "LOC")], [Span(0, 2, "PER")]]
    index = LABELS.index
    asked = [
        LabelSequence(0, 0, (index["S-PER"],)),
        LabelSequence(0, 1, tuple(index[f"{place}-LOC"] for place in "BIE")),
        LabelSequence(1, 0, (index["B-PER"], index["E-PER"])),
    ]
    assert decoder.span_probabilities(padded, lengths, spans, 1.0) == pytest.approx(own.probabilities_of(asked))


def test_the_recipe_names_it_and_models_may_load_it() -> None:
    assert load_recipe(method="autoner").model.head == PLACE
    assert find_head(PLACE, imports=False) is TIE_OR_BREAK


def test_other_schemes_are_refused() -> None:
    with pytest.raises(InputError, match="use IOBES"):
        TieOrBreakHead(LabelSet(("PER",), "BI"), 3)

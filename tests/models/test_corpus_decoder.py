"""The decoder through corpus outputs, against the decoder of a CRF; what it says of a foreign head is tested there."""

import pytest
import torch
from torch.nn.utils.rnn import pad_sequence

from trustag.models.corpus_decoder import CorpusDecoder
from trustag.models.crf_head import CRFHead
from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme
from trustag.text.spans import Span

LABELS = LabelSet.of(["LOC", "PER"])
LENGTHS = [4, 1, 3]
SPANS = [[Span(0, 1, "PER"), Span(1, 4, "LOC")], [Span(0, 1, "LOC")], [Span(1, 3, "PER")]]


@pytest.mark.parametrize("legal_only", [True, False])
def test_it_says_what_the_own_decoder_of_a_crf_says(legal_only: bool) -> None:
    torch.manual_seed(4)
    head = CRFHead(LABELS, 3, random_init=True)
    scores = pad_sequence([2 * torch.randn(length, len(LABELS)) for length in LENGTHS], batch_first=True)
    mask = torch.arange(max(LENGTHS))[None, :] < torch.tensor(LENGTHS)[:, None]
    own, found = head.decoder(legal_only=legal_only), CorpusDecoder(head, legal_only=legal_only)
    with torch.no_grad():
        assert found.best_labels(scores, LENGTHS) == own.best_labels(scores, LENGTHS)
        for temperature in (1.0, 2.5):
            expected = own.marginals(scores, LENGTHS, temperature)
            torch.testing.assert_close(found.marginals(scores, LENGTHS, temperature)[mask], expected[mask])
    if legal_only:  # otherwise an entity may also be written in illegal ways, which only the CRF's decoder counts
        probabilities = own.span_probabilities(scores, LENGTHS, SPANS, 2.0)
        assert found.span_probabilities(scores, LENGTHS, SPANS, 2.0) == pytest.approx(probabilities, rel=1e-4)


def test_labels_that_do_not_tell_where_an_entity_ends_are_refused() -> None:
    with pytest.raises(ValueError, match="where an entity ends"):
        CorpusDecoder(CRFHead(LabelSet.of(["PER"], Scheme.IOB2), 3), legal_only=True)

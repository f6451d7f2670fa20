"""Noise rates that follow from what sources of the labels say of each other, where several were merged."""

from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.noise_rates.estimates import EstimatedRates
from trustag.noise_rates.expected import expected_rates


def stated_rates(corpus: EncodedCorpus) -> EstimatedRates | None:
    """Return the share of labels that are expected to be wrong by the probabilities stated for them; None without any.

    Reviewed labels do not count.
    """
    if corpus.probabilities is None:
        return None
    given = corpus.unreviewed_ids
    of_given = corpus.probabilities.gather(1, given.clamp(min=0)[:, None])[:, 0]
    confidence = of_given.masked_fill(given == NO_LABEL, 1.0)
    return expected_rates(given.numpy(), [confidence.double().numpy()], corpus.lengths, corpus.labels)

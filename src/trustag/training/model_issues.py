"""Issues that a given model finds in a labelled corpus it was not trained on."""

from collections.abc import Sequence

import torch

from trustag.corpora.survey import Survey
from trustag.crf.outputs import Judgement
from trustag.data.encoded_corpus import number_sentences
from trustag.issues.finding import Witness, find_issues
from trustag.issues.issue import Issue
from trustag.models.tagger import Tagger
from trustag.noise_rates.estimation import estimate_noise_rates
from trustag.text.sentences import Sentence
from trustag.training.relabelling import with_settled


def issues_by_model(tagger: Tagger, sentences: Sequence[Sentence]) -> list[Issue]:
    """Return the issues of ``sentences``, worst first, as ``tagger`` sees them; none of them may be empty.

    Noise rates are estimated from the same judgement. A model that learnt from these labels believes them too far.
    """
    if not sentences:
        return []
    numbered = number_sentences(sentences, tagger.labels)
    given = torch.cat(numbered.labels)
    emissions = torch.cat([torch.from_numpy(table) for table in tagger.emissions(numbered.tokens)])
    judgement = Judgement(numbered.lengths, emissions, tagger.chain).at(tagger.temperature)
    known = with_settled(None, numbered.settled, given, tagger.labels)
    probabilities = judgement.marginals(known)
    tables = [table.numpy() for table in torch.split(probabilities, numbered.lengths)]
    doubtable = [row.numpy() for row in torch.split(numbered.doubtable, numbered.lengths)]
    rates = estimate_noise_rates(doubtable, tables, tagger.labels)
    witness = Witness(
        given,
        probabilities,
        lambda allowed: judgement.best_labels(with_settled(allowed, numbered.settled, given, tagger.labels)),
        lambda readings: judgement.probabilities_of(readings, known),
    )
    scheme = Survey().add(sentences).scheme.scheme
    return find_issues(sentences, witness, tagger.labels, scheme, (rates.negative.estimate, rates.positive.estimate))

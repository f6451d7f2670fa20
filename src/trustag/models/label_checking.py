"""Issues that a given model finds in a labelled corpus it was not trained on."""

from collections.abc import Sequence

import torch

from trustag.corpora.survey import Survey
from trustag.crf import legal_transitions, one_hot_mask
from trustag.data.encoded_corpus import encode
from trustag.issues.evidence import evidence_from_outputs
from trustag.issues.finding import evidence_ranking, find_issues
from trustag.issues.issue import Issue
from trustag.models.tagger import Tagger
from trustag.noise_rates.estimation import estimate_noise_rates
from trustag.text.sentences import Sentence


def issues_by_model(tagger: Tagger, sentences: Sequence[Sentence]) -> list[Issue]:
    """Return the issues of ``sentences``, none of them empty, worst first, as ``tagger`` sees them.

    Noise rates are estimated from the same predictions. A model that was trained on these labels trusts them too far.
    """
    if not sentences:
        return []
    labels = tagger.labels
    corpus = encode(sentences, labels)
    outputs = tagger.corpus_outputs(corpus.tokens)
    if tagger.legal_only:
        outputs = outputs.legal(legal_transitions(labels.labels, labels.scheme))
    reviewed = corpus.reviewed
    known = one_hot_mask(corpus.label_ids, len(labels)) | ~reviewed[:, None] if reviewed.any() else None
    evidence = evidence_from_outputs(corpus, outputs.at(tagger.temperature), known)
    tables = [table.numpy() for table in torch.split(evidence.probabilities, corpus.lengths)]
    given = [row.numpy() for row in torch.split(corpus.unreviewed_ids, corpus.lengths)]
    rates = estimate_noise_rates(given, tables, labels)
    ranking = evidence_ranking(evidence, (rates.negative.estimate, rates.positive.estimate))
    return find_issues(sentences, evidence, labels, Survey().add(sentences).scheme.scheme, ranking)

"""What an analysis says of every label, column by column, against slow recomputation in plain numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from trustag.crf import Chain, legal_transitions
from trustag.crf.crf_outputs import CRFOutputs
from trustag.data.encoded_corpus import NO_LABEL, encode
from trustag.issues.evidence import evidence_from_outputs
from trustag.label_quality.analysis import LabelAnalysis, LabelFindings, NewLabels, analyse_labels
from trustag.noise_rates.rates import FoundRates, NoiseRates
from trustag.text.label_sets import LabelSet
from trustag.text.labels import split_label
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.sentences import REVIEWED, Sentence

SENTENCES = (
    Sentence(("Ann", "Lee", "saw", "Rome"), ("B-PER", "I-PER", "O", "B-LOC"), ("B-PER", "I-PER", "O", "B-LOC")),
    Sentence(
        ("Romeo", "saw", "Ann"), ("O", None, "B-PER"), ("B-PER", "O", "B-PER"), ("dictionary", "dictionary", REVIEWED)
    ),
    Sentence(("Rome", "saw", "ROMEO", "."), ("B-PER", "O", "O", "O"), ("B-LOC", "O", "B-PER", "O")),
)
CORPUS = encode(SENTENCES, LabelSet.of(["LOC", "PER"]))
NAMES = CORPUS.labels.labels
TOKENS = [(sentence, token) for sentence, own in enumerate(SENTENCES) for token in range(len(own))]
WORDS = [word for sentence in SENTENCES for word in sentence.tokens]
KNOWN_WRONG = torch.tensor([word == "Rome" for word in WORDS])


def random_outputs(generator: torch.Generator) -> CRFOutputs:
    def draw(*shape: int) -> Tensor:
        return 2 * torch.randn(shape, generator=generator)

    count = len(NAMES)
    free = CRFOutputs(CORPUS.lengths, draw(len(TOKENS), count), Chain(draw(count, count), draw(count), draw(count)))
    return free.legal(legal_transitions(NAMES, CORPUS.labels.scheme))


def random_findings(seed: int, rates: tuple[float, float] = (0.3, 0.2)) -> LabelFindings:
    generator = torch.Generator().manual_seed(seed)
    everyone, heldout = random_outputs(generator), random_outputs(generator)
    evidence = replace(
        evidence_from_outputs(CORPUS, everyone),
        training_confidence=torch.rand(len(TOKENS), generator=generator),
        known_wrong=KNOWN_WRONG,
    )
    rounds = [
        NewLabels(number, outputs.best_labels(), outputs.marginals())
        for number, outputs in ((1, everyone), (2, random_outputs(generator)))
    ]
    return LabelFindings(
        noise_rates=FoundRates("given", NoiseRates(*rates)),
        evidence=evidence,
        heldout=heldout.marginals(),
        suggested=heldout.best_labels(),
        trusted=torch.rand(len(TOKENS), generator=generator) < 0.5,
        new_labels=rounds,
        kept_round=2,
        spread=torch.rand(len(TOKENS), generator=generator),
    )


def analysed(found: LabelFindings) -> LabelAnalysis:
    return analyse_labels(SENTENCES, CORPUS, Scheme.IOB2, found)


def log_odds(probability: float) -> float:
    inside = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(inside / (1 - inside))


def from_odds(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def shift_to(odds: list[float], rate: float) -> float:
    """Return what makes the mean probability of log-odds equal to a rate, found step by ever smaller step."""
    if not odds or not 0 < rate < 1:
        return 0.0
    shift, step = 0.0, 32.0
    while step > 1e-10:
        mean = sum(from_odds(own + shift) for own in odds) / len(odds)
        shift += step if mean < rate else -step
        step /= 2
    return shift


def slow_wrong(found: LabelFindings, probabilities: Tensor) -> list[float]:
    """Return how likely each label is wrong: odds of both kinds of models, as they stand and shifted to the rates."""
    seen = found.evidence.training_confidence
    assert seen is not None
    given_ids = CORPUS.label_ids.tolist()
    own = [float(row[max(label, 0)]) for row, label in zip(probabilities, given_ids, strict=True)]
    odds = [-(log_odds(one) + log_odds(other)) / 2 for one, other in zip(own, seen.tolist(), strict=True)]
    rates = found.noise_rates.rates
    shifts = {
        False: shift_to([one for one, label in zip(odds, given_ids, strict=True) if label == 0], rates.negative),
        True: shift_to([one for one, label in zip(odds, given_ids, strict=True) if label > 0], rates.positive),
    }
    wrong = [
        0.4 * from_odds(one + shifts[label > 0]) + 0.6 * from_odds(one)
        for one, label in zip(odds, given_ids, strict=True)
    ]
    return [1 - 0.1 * (1 - one) if known else one for one, known in zip(wrong, KNOWN_WRONG.tolist(), strict=True)]


def slow_shared(wrong: list[float]) -> list[float]:
    """Return the same with half of the odds from all occurrences of a name, in any form, with the same label."""
    labels = CORPUS.label_ids.tolist()
    odds = [log_odds(one) for one in wrong]

    def key(index: int) -> tuple[str, int]:
        return WORDS[index].casefold()[:6], labels[index]

    shared = []
    for index, own in enumerate(odds):
        is_name = labels[index] > 0 or WORDS[index][0].isupper()
        others = [odds[other] for other in range(len(WORDS)) if key(other) == key(index)]
        shared.append(from_odds((own + sum(others) / len(others)) / 2 if is_name else own))
    return shared


def test_there_is_one_entry_a_token_in_every_column_but_the_names() -> None:
    columns = analysed(random_findings(1)).columns
    assert {name: len(column) for name, column in columns.items() if name != "names"} == dict.fromkeys(
        (
            *("sentence", "token", "label", "score", "position_score", "type_score"),
            *("trusted", "suggested", "suggested_score", "wrong", "mean", "spread"),
        ),
        len(TOKENS),
    )
    assert tuple(columns["names"]) == NAMES
    assert list(zip(columns["sentence"].tolist(), columns["token"].tolist(), strict=True)) == TOKENS


def test_labels_are_those_of_the_corpus_in_the_order_of_the_names() -> None:
    label = analysed(random_findings(1)).columns["label"]
    expected = [name for sentence in SENTENCES for name in convert_labels(sentence.labels, Scheme.IOBES)]
    assert [None if own == NO_LABEL else NAMES[own] for own in label.tolist()] == expected


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000))
def test_scores_are_probabilities_of_models_that_did_not_see_the_label(seed: int) -> None:
    found = random_findings(seed)
    columns = analysed(found).columns
    split = [("", "") if name == "O" else split_label(name) for name in NAMES]
    for index, row in enumerate(found.heldout.tolist()):
        label, suggested = max(int(columns["label"][index]), 0), int(columns["suggested"][index])
        assert suggested == int(found.suggested[index])
        assert columns["score"][index] == pytest.approx(row[label], abs=1e-6)
        assert columns["suggested_score"][index] == pytest.approx(row[suggested], abs=1e-6)
        for part, name in enumerate(("position_score", "type_score")):
            alike = [
                number for number, own in enumerate(split) if not label or not number or own[part] == split[label][part]
            ]
            assert columns[name][index] == pytest.approx(sum(row[number] for number in alike), abs=1e-5)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000), st.tuples(st.floats(0, 0.95), st.floats(0, 0.95)))
def test_labels_are_as_likely_wrong_as_odds_rates_and_other_occurrences_say(
    seed: int, rates: tuple[float, float]
) -> None:
    found = random_findings(seed, rates)
    expected = slow_shared(slow_wrong(found, found.evidence.probabilities))
    for index, (label, reviewed) in enumerate(zip(CORPUS.label_ids.tolist(), CORPUS.reviewed.tolist(), strict=True)):
        if label == NO_LABEL or reviewed:
            expected[index] = 0.0  # nothing was said that could be wrong, or a person has decided
    wrong = analysed(found).columns["wrong"]
    assert wrong.tolist() == pytest.approx(expected, abs=1e-4)
    assert ((wrong >= 0) & (wrong <= 1)).all()


def test_trust_and_the_record_of_training_are_as_the_method_found_them() -> None:
    found = random_findings(3)
    columns = analysed(found).columns
    assert found.evidence.training_confidence is not None
    assert found.spread is not None
    assert columns["trusted"].tolist() == found.trusted.tolist()
    assert columns["mean"].tolist() == found.evidence.training_confidence.tolist()
    assert columns["spread"].tolist() == found.spread.tolist()


def test_without_a_record_of_training_its_columns_are_not_there() -> None:
    found = random_findings(3)
    bare = replace(found, evidence=replace(found.evidence, training_confidence=None), spread=None)
    columns = analysed(bare).columns
    assert {"mean", "spread"}.isdisjoint(columns)
    assert columns.keys() < analysed(found).columns.keys()


@pytest.mark.parametrize("kept", [1, 2])
def test_changes_are_the_labels_that_differ_and_the_kept_round_relabels(kept: int) -> None:
    found = replace(random_findings(4), kept_round=kept)
    analysis = analysed(found)
    assert (analysis.round, analysis.rounds, analysis.labels) == (kept, 2, len(TOKENS))
    by_round = []
    for new in found.new_labels:
        changes = {
            (change.sentence, change.token): change for change in analysis.all_changes if change.round == new.round
        }
        rows = torch.split(new.label_ids, CORPUS.lengths)
        written = [convert_labels([NAMES[label] for label in row.tolist()], Scheme.IOB2) for row in rows]
        differing = {at for at in TOKENS if SENTENCES[at[0]].labels[at[1]] != written[at[0]][at[1]]}
        assert changes.keys() == differing
        by_round.append(len(differing))
        for index, (sentence, token) in enumerate(TOKENS):
            if (sentence, token) in changes:
                change, row = changes[sentence, token], new.probabilities[index].tolist()
                assert (change.text, change.before) == (WORDS[index], SENTENCES[sentence].labels[token])
                assert change.after == written[sentence][token]
                before = CORPUS.label_ids[index]
                assert change.score_before == (None if before == NO_LABEL else pytest.approx(row[before]))
                assert change.score_after == pytest.approx(row[new.label_ids[index]])
        if new.round == kept:
            assert [sentence.labels for sentence in analysis.relabelled] == [tuple(row) for row in written]
            assert analysis.changed == len(differing)
    assert analysis.changes_by_round() == by_round


def test_wrong_labels_are_detected_where_they_are_distrusted() -> None:
    found = random_findings(5)
    detection = analysed(found).detection
    assert detection is not None
    assert CORPUS.gold_ids is not None
    counts = {"negative": [0, 0, 0], "positive": [0, 0, 0]}
    for label, gold, trusted in zip(
        CORPUS.label_ids.tolist(), CORPUS.gold_ids.tolist(), found.trusted.tolist(), strict=True
    ):
        if label != NO_LABEL:
            own = counts["positive" if label else "negative"]
            own[0] += label != gold and not trusted
            own[1] += not trusted
            own[2] += label != gold
    for name, own in counts.items():
        facts = detection.summary()[name]
        assert [facts[key] for key in ("correct", "found", "support")] == own


def test_the_temperature_is_asked_for_with_the_doubt_of_models_that_did_not_see_the_labels() -> None:
    asked: list[Tensor] = []

    def temperature(wrong: Tensor) -> float:
        asked.append(wrong)
        return 1.5

    found = replace(random_findings(6), temperature=temperature)
    assert analysed(found).temperature == 1.5
    assert asked[0].tolist() == pytest.approx(slow_wrong(found, found.heldout), abs=1e-4)


def test_issues_come_worst_first_and_the_summary_is_what_was_found() -> None:
    found = random_findings(7)
    analysis = analysed(found)
    scores = np.array([issue.score for issue in analysis.issues])
    assert len(scores)
    assert (np.diff(scores) <= 0).all()
    summary = analysis.summary()
    assert (summary["round"], summary["labels"], summary["changed"]) == (2, len(TOKENS), len(analysis.changes))
    assert summary["rates"] == found.noise_rates.summary()

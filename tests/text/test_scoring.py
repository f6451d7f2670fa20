from collections.abc import Sequence
from typing import Any

import pytest
from seqeval import scheme as seqeval_schemes
from seqeval.metrics import accuracy_score, classification_report

from tests.oracles import conlleval
from tests.random_labels import Labelling, batches, random_pairs
from trustag.errors import InputError
from trustag.text.labels import Label
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.scoring import Average, Counts, EntityScores, EntityTally, score_labels

STRICT_SCHEMES = {
    "BI": [(Scheme.IOB1, seqeval_schemes.IOB1), (Scheme.IOB2, seqeval_schemes.IOB2)],
    "IE": [(Scheme.IOE1, seqeval_schemes.IOE1), (Scheme.IOE2, seqeval_schemes.IOE2)],
    "BIES": [(Scheme.IOBES, seqeval_schemes.IOBES)],
    "BILU": [(Scheme.BILOU, seqeval_schemes.BILOU)],
}


def seqeval_report(pairs: Sequence[tuple[Labelling, Labelling]], **options: Any) -> dict[str, dict[str, float]]:
    gold, predicted = ([list(pair[side]) for pair in pairs] for side in (0, 1))
    report: dict[str, dict[str, float]] = classification_report(
        gold, predicted, output_dict=True, zero_division=0, **options
    )
    return report


def our_report(scores: EntityScores) -> dict[str, dict[str, float]]:
    rows: dict[str, Counts | Average] = {**scores.by_type}
    rows |= {"micro avg": scores.micro, "macro avg": scores.macro, "weighted avg": scores.weighted}
    return {
        name: {"precision": row.precision, "recall": row.recall, "f1-score": row.f1, "support": row.support}
        for name, row in rows.items()
    }


def assert_same_report(ours: dict[str, dict[str, float]], theirs: dict[str, dict[str, float]]) -> None:
    assert list(ours) == list(theirs)
    for name, row in theirs.items():
        assert ours[name] == pytest.approx(row, rel=1e-12, abs=0), name


@pytest.mark.parametrize("letters", ["BI", "IE", "BIES"])
def test_scores_equal_seqeval_on_any_labels(letters: str) -> None:
    for pairs in batches(random_pairs(21, 2000, letters), 10):
        scores = score_labels(pairs)
        assert_same_report(our_report(scores), seqeval_report(pairs))
        assert scores.accuracy == accuracy_score([a for a, _ in pairs], [b for _, b in pairs])


@pytest.mark.parametrize("letters", STRICT_SCHEMES)
def test_strict_scores_equal_seqeval_on_any_labels(letters: str) -> None:
    for pairs in batches(random_pairs(22, 1000, letters), 10):
        for scheme, seqeval_scheme in STRICT_SCHEMES[letters]:
            theirs = seqeval_report(pairs, mode="strict", scheme=seqeval_scheme)
            assert_same_report(our_report(score_labels(pairs, strict=scheme)), theirs)


@pytest.mark.parametrize("letters", ["BI", "IE", "I"])
def test_counts_equal_conlleval_on_any_labels_it_knows(letters: str) -> None:
    for pairs in batches(random_pairs(23, 3000, letters), 5):
        scores, theirs = score_labels(pairs), conlleval(pairs)
        assert (scores.tokens, scores.alike) == (theirs.tokens, theirs.right_tags)
        kinds = {kind for kind, count in (theirs.in_corpus + theirs.found).items() if count}
        assert scores.by_type == {
            kind or "_": Counts(theirs.correct[kind], theirs.found[kind], theirs.in_corpus[kind]) for kind in kinds
        }


@pytest.mark.parametrize("scheme", Scheme)
def test_a_perfect_labelling_scores_one_in_every_scheme(scheme: Scheme) -> None:
    gold = ["B-PER", "I-PER", "O", "B-LOC", "O", "B-PER"]
    predicted = convert_labels(gold, scheme)
    scores = score_labels([(gold, predicted)])
    assert scores.micro == Counts(3, 3, 3)
    assert scores.macro == scores.weighted == Average(1.0, 1.0, 1.0, 3)


def test_swapping_the_sides_swaps_precision_and_recall() -> None:
    for pairs in batches(random_pairs(24, 500, "BIES"), 10):
        there, back = score_labels(pairs).micro, score_labels([(b, a) for a, b in pairs]).micro
        assert (there.precision, there.recall, there.f1) == (back.recall, back.precision, back.f1)


def test_sentences_added_one_by_one_sum_up() -> None:
    pairs = list(random_pairs(25, 300, "BIES"))
    tally = EntityTally()
    for number, (gold, predicted) in enumerate(pairs, start=1):
        tally.add(gold, predicted)
        if number % 100 == 0:
            assert tally.result() == score_labels(pairs[:number])
    assert tally.result().sentences == 300


@pytest.mark.parametrize("pairs", [[], [([], [])], [(["O", "O"], ["O", "O"])], [([None], [None])]])
def test_without_entities_every_share_is_zero(pairs: list[tuple[list[Label], list[Label]]]) -> None:
    scores = score_labels(pairs)
    assert scores.by_type == {}
    assert scores.micro == Counts(0, 0, 0)
    assert (scores.micro.precision, scores.micro.recall, scores.micro.f1) == (0.0, 0.0, 0.0)
    assert scores.macro == scores.weighted == Average(0.0, 0.0, 0.0, 0)


@pytest.mark.parametrize(
    ("gold", "predicted", "counts"),
    [("O", "B-PER", Counts(0, 1, 0)), ("B-PER", "O", Counts(0, 0, 1)), ("B-PER", "B-LOC", Counts(0, 1, 1))],
)
def test_where_nothing_is_right_every_share_is_zero(gold: str, predicted: str, counts: Counts) -> None:
    scores = score_labels([([gold], [predicted])])
    assert scores.micro == counts
    for rates in (scores.micro, scores.macro, scores.weighted):
        assert (rates.precision, rates.recall, rates.f1) == (0.0, 0.0, 0.0)


def test_accuracy_of_nothing_is_zero_and_of_outside_alone_is_one() -> None:
    assert score_labels([]).accuracy == 0.0
    assert score_labels([([None], ["O"])]).accuracy == 0.0
    assert score_labels([(["O", "O"], ["O", "O"])]).accuracy == 1.0


def test_unknown_labels_are_no_entity_and_counted() -> None:
    gold = ["B-PER", None, "I-PER", None, None, "O"]
    predicted = ["B-PER", "I-PER", None, "O", None, None]
    scores = score_labels([(gold, predicted)])
    assert scores.by_type == {"PER": Counts(correct=0, found=1, support=2)}
    assert (scores.unknown_gold, scores.unknown_predicted) == (3, 3)
    assert (scores.tokens, scores.compared, scores.alike) == (6, 1, 1)


@pytest.mark.parametrize("strict", [None, Scheme.IOBES])
def test_unknown_instead_of_outside_changes_no_entity_score(strict: Scheme | None) -> None:
    pairs = list(random_pairs(26, 500, "BIES"))
    unknown = [
        ([None if label == "O" else label for label in gold], [None if label == "O" else label for label in predicted])
        for gold, predicted in pairs
    ]
    assert score_labels(unknown, strict).by_type == score_labels(pairs, strict).by_type


def test_bare_positions_have_one_type_and_hyphens_belong_to_the_type() -> None:
    gold = ["B", "I", "O", "B-geo-loc", "I-geo-loc"]
    assert score_labels([(gold, gold)]).by_type == {"_": Counts(1, 1, 1), "geo-loc": Counts(1, 1, 1)}


def test_labellings_of_different_length_are_refused() -> None:
    with pytest.raises(InputError, match="1 predicted labels for 2 gold labels"):
        score_labels([(["O", "O"], ["O"])])

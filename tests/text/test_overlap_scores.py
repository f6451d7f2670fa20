import pytest
from nervaluate import Evaluator

from tests.random_labels import KINDS, Labelling, batches, random_pairs
from trustag.errors import InputError
from trustag.text.overlap_scores import SCHEMAS, OverlapCounts, OverlapTally
from trustag.text.schemes import Scheme
from trustag.text.scoring import score_labels
from trustag.text.spans import read_spans


def tally_of(pairs: list[tuple[Labelling, Labelling]], strict: Scheme | None = None) -> OverlapTally:
    tally = OverlapTally(strict)
    for gold, predicted in pairs:
        tally.add(gold, predicted)
    return tally


def nervaluate_entities(labels: Labelling) -> list[dict[str, object]]:
    return [{"label": span.type, "start": span.start, "end": span.end - 1} for span in read_spans(labels)]


@pytest.mark.parametrize(
    ("letters", "kinds"), [("BIES", KINDS), ("BIII", ["-X"]), ("BIIIII", ["-X"] * 4 + ["-Y"]), ("BII", ["-X", "-Y"])]
)
def test_counts_and_rates_equal_nervaluate_over_whole_sentences(letters: str, kinds: list[str]) -> None:
    for pairs in batches(random_pairs(31, 2000, letters, kinds), 10):
        gold, predicted = ([nervaluate_entities(pair[side]) for pair in pairs] for side in (0, 1))
        tags = sorted({str(entity["label"]) for side in (gold, predicted) for row in side for entity in row})
        theirs = Evaluator(gold, predicted, tags=tags, loader="dict").evaluate()["overall"]
        ours = tally_of(pairs).result()
        assert list(ours) == list(SCHEMAS)
        for schema, counts in ours.items():
            expected = theirs[schema]
            assert counts == OverlapCounts(
                expected.correct, expected.incorrect, expected.partial, expected.missed, expected.spurious
            )
            assert (counts.found, counts.support) == (expected.actual, expected.possible)
            rates = (counts.precision, counts.recall, counts.f1)
            assert rates == pytest.approx((expected.precision, expected.recall, expected.f1), rel=1e-12)


@pytest.mark.parametrize("strict", [None, Scheme.IOBES])
def test_the_strict_schema_equals_the_entity_scores(strict: Scheme | None) -> None:
    for pairs in batches(random_pairs(32, 1500, "BIES"), 10):
        counts = tally_of(pairs, strict).result()["strict"]
        micro = score_labels(pairs, strict).micro
        assert (counts.correct, counts.found, counts.support) == (micro.correct, micro.found, micro.support)
        assert (counts.precision, counts.recall, counts.f1) == (micro.precision, micro.recall, micro.f1)


def test_each_kind_of_error_is_counted_separately() -> None:
    gold = ["B-PER", "I-PER", "O", "B-LOC", "O", "B-ORG", "O", "O"]
    predicted = ["B-PER", "O", "O", "B-ORG", "O", "O", "O", "B-LOC"]
    result = tally_of([(gold, predicted)]).result()
    assert result["strict"] == OverlapCounts(correct=0, incorrect=2, missed=1, spurious=1)
    assert result["exact"] == OverlapCounts(correct=1, incorrect=1, missed=1, spurious=1)
    assert result["partial"] == OverlapCounts(correct=1, partial=1, missed=1, spurious=1)
    assert result["ent_type"] == OverlapCounts(correct=1, incorrect=1, missed=1, spurious=1)


@pytest.mark.parametrize("pairs", [[], [([], [])], [(["O"], ["O"])]])
def test_without_entities_every_count_and_share_is_zero(pairs: list[tuple[Labelling, Labelling]]) -> None:
    for counts in tally_of(pairs).result().values():
        assert counts == OverlapCounts()
        assert (counts.precision, counts.recall, counts.f1) == (0.0, 0.0, 0.0)


def test_one_very_long_sentence_is_no_burden() -> None:
    gold = ["B-PER", "I-PER", "O"] * 20_000
    predicted = ["B-PER", "O", "O"] * 20_000
    assert tally_of([(gold, predicted)]).result()["partial"] == OverlapCounts(partial=20_000)


def test_labellings_of_different_length_are_refused() -> None:
    with pytest.raises(InputError, match="1 predicted labels for 2 gold labels"):
        OverlapTally().add(["O", "O"], ["O"])

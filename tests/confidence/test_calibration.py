"""What distrusted labels still allow: by hand for every kind of token, and by law."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from trustag.confidence.calibration import allowed_labels, label_parts, part_scores
from trustag.text.label_sets import LabelSet
from trustag.text.labels import split_label

LABELS = LabelSet(("LOC", "PER"), "BIES")
PARTS = label_parts(LABELS)


def names(row: torch.Tensor) -> set[str]:
    return {label for label, is_allowed in zip(LABELS, row.tolist(), strict=True) if is_allowed}


def number(*labels: str) -> torch.Tensor:
    return torch.tensor([LABELS.index[label] for label in labels])


def spread(**shares: float) -> torch.Tensor:
    """Return the probabilities that put these shares on labels written with an underscore."""
    row = torch.zeros(len(LABELS))
    for label, share in shares.items():
        row[LABELS.index[label.replace("_", "-")]] = share
    return row


def test_every_kind_of_token_allows_what_it_should() -> None:
    labels = torch.cat([number("B-PER", "B-PER", "B-PER", "B-PER", "O", "O"), torch.tensor([-1])])
    trusted = torch.tensor([True, False, False, False, True, False, False])
    probabilities = torch.stack(
        [
            spread(O=1.0),
            spread(B_LOC=0.7, O=0.3),
            spread(I_PER=0.7, O=0.3),
            spread(I_LOC=0.7, O=0.3),
            spread(B_PER=1.0),
            spread(O=1.0),
            spread(B_PER=1.0),
        ]
    )
    allowed = allowed_labels(labels, trusted, PARTS, part_scores(probabilities, labels, PARTS))
    assert [names(row) for row in allowed] == [
        {"B-PER"},
        {"B-LOC", "B-PER", "O"},
        {"B-PER", "I-PER", "E-PER", "S-PER", "O"},
        set(LABELS),
        {"O"},
        set(LABELS),
        set(LABELS),
    ]


def test_without_calibration_distrusted_labels_allow_everything() -> None:
    allowed = allowed_labels(number("B-PER", "O"), torch.tensor([False, False]), PARTS, None)
    assert bool(allowed.all())


def test_mean_divides_by_the_size_of_the_set() -> None:
    labels = LabelSet(("A", "B", "C"), "BI")
    parts = label_parts(labels)
    probabilities = torch.full((1, len(labels)), 1 / len(labels))
    given = torch.tensor([labels.index["B-A"]])
    summed = part_scores(probabilities, given, parts)
    assert (summed.position > summed.type).all()
    meant = part_scores(probabilities, given, parts, by="mean")
    torch.testing.assert_close(meant.position, meant.type)


def test_leaving_o_out_of_the_scores_can_turn_the_decision() -> None:
    labels = LabelSet(("A", "B", "C", "D"), "BI")
    parts = label_parts(labels)
    probabilities = torch.zeros(1, len(labels))
    probabilities[0, labels.index["O"]] = 0.9
    probabilities[0, labels.index["B-B"]] = 0.1
    given = torch.tensor([labels.index["B-A"]])
    with_outside = part_scores(probabilities, given, parts, by="mean")
    without = part_scores(probabilities, given, parts, by="mean", count_outside=False)
    assert (with_outside.position < with_outside.type).all()
    assert (without.position > without.type).all()


@given(seed=st.integers(0, 10_000), types=st.integers(1, 5))
def test_a_distrusted_label_allows_itself_outside_and_one_shared_part(seed: int, types: int) -> None:
    labels = LabelSet(tuple(f"T{kind}" for kind in range(types)), "BIES")
    parts = label_parts(labels)
    generator = torch.Generator().manual_seed(seed)
    probabilities = torch.randn(30, len(labels), generator=generator).softmax(-1)
    given = torch.randint(1, len(labels), (30,), generator=generator)
    allowed = allowed_labels(given, torch.zeros(30, dtype=torch.bool), parts, part_scores(probabilities, given, parts))
    for row, label in zip(allowed, given.tolist(), strict=True):
        own = split_label(labels.labels[label])
        kept = {labels.labels[place] for place in row.nonzero().flatten().tolist()} - {"O"}
        assert bool(row[0])
        assert labels.labels[label] in kept
        shared = [{split_label(other)[part] for other in kept} == {own[part]} for part in (0, 1)]
        assert any(shared) or len(kept) == len(labels) - 1

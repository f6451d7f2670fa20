"""Issues from arrays: shapes that cleanlab's own functions take, and the order that the ranking gives."""

import numpy as np
import numpy.typing as npt
import pytest
from cleanlab.token_classification.summary import common_label_issues, display_issues

import trustag
from trustag.errors import InputError

NAMES = ["B-PER", "O", "I-PER"]
TOKENS = [["Ann", "Smith", "left"], ["Rome", "fell"]]
LABELS = [[0, 2, 1], [1, 1]]


def tables() -> list[npt.NDArray[np.float64]]:
    first = np.array([[0.9, 0.05, 0.05], [0.1, 0.2, 0.7], [0.02, 0.97, 0.01]])
    return [first, np.array([[0.96, 0.03, 0.01], [0.01, 0.98, 0.01]])]


def test_cleanlab_takes_what_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    issues = trustag.find_label_issues(LABELS, tables(), class_names=NAMES, noise_rates=(0.1, 0.1))
    assert issues == [(1, 0)]
    display_issues(issues, TOKENS, labels=LABELS, pred_probs=tables(), class_names=NAMES)
    assert "Rome" in capsys.readouterr().out
    table = common_label_issues(issues, TOKENS, labels=LABELS, pred_probs=tables(), class_names=NAMES, verbose=False)
    assert table[["token", "given_label", "predicted_label"]].to_numpy().tolist() == [["Rome", "O", "B-PER"]]


def test_scores_have_cleanlabs_shapes() -> None:
    overall, by_token = trustag.get_label_quality_scores(LABELS, tables(), tokens=TOKENS, class_names=NAMES)
    assert overall.shape == (2,)
    assert [list(row.index) for row in by_token] == TOKENS
    assert [float(row.min()) for row in by_token] == pytest.approx(overall.tolist())
    soft, _ = trustag.get_label_quality_scores(LABELS, tables(), class_names=NAMES, sentence_score_method="softmin")
    assert (soft >= overall).all()
    assert (soft <= [float(row.max()) for row in by_token]).all()


def test_unknown_labels_are_never_issues() -> None:
    everywhere = trustag.find_label_issues([[-1, -100, -1], [-1, -1]], tables(), class_names=NAMES)
    assert everywhere == []


def test_classes_without_names_have_o_first() -> None:
    swapped = [table[:, [1, 0, 2]] for table in tables()]
    labels = [[1, 2, 0], [0, 0]]
    one = trustag.get_label_quality_scores(labels, swapped, noise_rates=(0.1, 0.2))[0]
    named = trustag.get_label_quality_scores(LABELS, tables(), class_names=NAMES, noise_rates=(0.1, 0.2))[0]
    assert one == pytest.approx(named)


def test_names_that_are_no_tags_are_types() -> None:
    found = trustag.find_label_issues(LABELS, tables(), class_names=["person", "O", "more"], noise_rates=(0.1, 0.1))
    assert found == [(1, 0)]


@pytest.mark.parametrize(
    ("labels", "names", "finding"),
    [
        ([[0, 2], [1, 1]], NAMES, "for 2 tokens"),
        ([[0, 2, 7], [1, 1]], NAMES, "label number"),
        (LABELS, ["B-PER", "I-PER", "B-LOC"], "hold O once"),
        (LABELS, ["B-PER", "O"], "2 class names for 3 columns"),
        (LABELS[:1], NAMES, "1 sentences with labels"),
    ],
)
def test_what_does_not_fit_is_refused(labels: list[list[int]], names: list[str], finding: str) -> None:
    with pytest.raises(InputError, match=finding):
        trustag.find_label_issues(labels, tables(), class_names=names)

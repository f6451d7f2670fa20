import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import DawidSkene

from trustag.aggregation.dawid_skene import fit_tokens
from trustag.aggregation.source_labels import SourceLabels, encode_sources


def simulated() -> tuple[SourceLabels, list[str]]:
    """Return four sources of known accuracy that label single tokens, and the truth."""
    random, labels = np.random.default_rng(3), ["O", "B-PER", "B-LOC"]
    truth = random.choice(labels, 4000, p=[0.5, 0.3, 0.2]).tolist()
    given = [
        [label if random.uniform() < accuracy else str(random.choice(labels)) for accuracy in (0.9, 0.8, 0.6, 0.5)]
        for label in truth
    ]
    rows = [tuple((label,) for label in row) for row in given]
    return encode_sources(["a", "b", "c", "d"], ["LOC", "PER"], rows), truth


@pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning")
def test_a_well_kept_implementation_finds_the_same() -> None:
    sources, _ = simulated()
    parameters, estimate = fit_tokens(sources)
    rows = [
        (task, worker, sources.labels.labels[label])
        for task, row in enumerate(sources.indices.tolist())
        for worker, label in enumerate(row)
    ]
    theirs = DawidSkene(n_iter=50).fit(pd.DataFrame(rows, columns=["task", "worker", "label"]))
    assert theirs.probas_ is not None
    expected = theirs.probas_.sort_index()[["O", "B-LOC", "B-PER"]].to_numpy()
    assert estimate.probabilities[:, [0, 1, 3]] == pytest.approx(expected, abs=0.06)
    assert np.abs(estimate.probabilities[:, [0, 1, 3]] - expected).mean() < 0.01
    assert parameters.shares[[0, 1, 3]] == pytest.approx([0.5, 0.2, 0.3], abs=0.03)


def test_the_accuracy_of_every_source_is_found() -> None:
    sources, truth = simulated()
    parameters, estimate = fit_tokens(sources)
    for number, accuracy in enumerate((0.9, 0.8, 0.6, 0.5)):
        right = np.diagonal(parameters.confusion[number])[[0, 1, 3]]
        assert right == pytest.approx(accuracy + (1 - accuracy) / 3, abs=0.05)
    best = [sources.labels.labels[label] for label in estimate.probabilities.argmax(1)]
    first = [sources.labels.labels[label] for label in sources.indices[:, 0]]
    assert sum(a == b for a, b in zip(best, truth, strict=True)) > sum(
        a == b for a, b in zip(first, truth, strict=True)
    )


def test_the_likelihood_grows() -> None:
    history = fit_tokens(simulated()[0])[1].history
    assert len(history) > 2
    assert history[-1] > history[0]

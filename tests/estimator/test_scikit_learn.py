"""scikit-learn itself puts the estimator to its uses: clones, folds, grids; and it works where that is missing."""

import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from seqeval.metrics import f1_score
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_val_score, cross_validate
from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import check_is_fitted

from tests.estimator.small import noisy_sentences, sentences, tiny
from trustag import NoisyNER
from trustag.errors import InputError

X, Y = sentences()
FOLDS = KFold(2, shuffle=True, random_state=3)


def by_hand(estimator: NoisyNER) -> tuple[list[float], list[list[str]]]:
    """Return the F1 of each fold as seqeval has it, and the labels that each sentence gets from the other folds."""
    scores, labels = [], [[""]] * len(X)
    for train, test in FOLDS.split(X):
        fitted = NoisyNER(**estimator.get_params()).fit([X[i] for i in train], [Y[i] for i in train])
        predicted = fitted.predict([X[i] for i in test])
        scores.append(f1_score([Y[i] for i in test], [*predicted]))
        for place, row in zip(test, predicted, strict=True):
            labels[place] = row
    return scores, labels


def test_cross_validation_gives_what_folds_by_hand_give() -> None:
    scores, labels = by_hand(tiny())
    assert max(scores) > 0.5
    assert cross_val_score(tiny(), X, Y, cv=FOLDS) == pytest.approx(scores)
    assert cross_val_score(tiny(), X, Y, cv=FOLDS, scoring=make_scorer(f1_score)) == pytest.approx(scores)
    assert cross_val_predict(tiny(), X, Y, cv=FOLDS).tolist() == labels


def test_sentences_of_one_length_are_predicted_one_by_one_too() -> None:
    same = [(tokens, labels) for tokens, labels in zip(X, Y, strict=True) if len(tokens) == 6]
    tokens, labels = [row for row, _ in same], [row for _, row in same]
    predicted = cross_val_predict(tiny(), tokens, labels, cv=2)
    assert predicted.shape == (len(tokens),)
    assert {len(row) for row in predicted} == {6}


@pytest.mark.slow
def test_gold_labels_follow_their_sentences_into_folds_and_change_nothing() -> None:
    tokens, noisy, gold = noisy_sentences()
    doubting = tiny("confidence")
    with_gold = cross_val_score(doubting, tokens, noisy, cv=2, params={"gold": gold}, error_score="raise")
    assert with_gold == pytest.approx(cross_val_score(doubting, tokens, noisy, cv=2, error_score="raise"))


@pytest.mark.slow
def test_a_grid_reaches_parameters_and_settings() -> None:
    grid = {"training__epochs": np.array([1, 3]), "method": ["bilstm-crf"]}
    search = GridSearchCV(tiny(), grid, cv=FOLDS, error_score="raise").fit(X, Y)
    scores = search.cv_results_["mean_test_score"]
    for chosen, score in zip(search.cv_results_["params"], scores, strict=True):
        by_constructor = tiny("bilstm-crf", f"training.epochs={chosen['training__epochs']}")
        assert score == pytest.approx(cross_val_score(by_constructor, X, Y, cv=FOLDS).mean())
    assert search.best_score_ == max(scores) > min(scores)
    best = search.best_estimator_
    assert best.recipe_.training.epochs == search.best_params_["training__epochs"]
    assert search.score(X, Y) == best.score(X, Y)
    assert list(search.classes_) == ["O", "B-LOC", "I-LOC", "B-PER", "I-PER"]
    assert "NoisyNER" in estimator_html_repr(search)


@pytest.mark.slow
def test_fitted_estimators_come_back_from_other_processes() -> None:
    done = cross_validate(tiny(), X, Y, cv=FOLDS, n_jobs=2, return_estimator=True, error_score="raise")
    expected, labels = by_hand(tiny())
    assert done["test_score"] == pytest.approx(expected)
    for (_, test), estimator in zip(FOLDS.split(X), done["estimator"], strict=True):
        assert estimator.predict([X[i] for i in test]) == [labels[i] for i in test]


@pytest.mark.slow
def test_a_clone_has_the_parameters_and_nothing_learnt() -> None:
    fitted = tiny("self-training", seed=4).fit(X, Y)
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params()
    with pytest.raises(NotFittedError):
        check_is_fitted(copy)
    check_is_fitted(fitted)
    assert copy.fit(X, Y).predict(X) == fitted.predict(X)
    assert pickle.loads(pickle.dumps(fitted)).predict(X) == fitted.predict(X)
    assert not is_classifier(fitted)


@pytest.mark.parametrize("method", ["predict", "predict_marginals", "score", "save"])
def test_nothing_is_said_before_fit(method: str) -> None:
    arguments = {"score": (X, Y), "save": ("nowhere",)}.get(method, (X,))
    for error in (NotFittedError, InputError):
        with pytest.raises(error, match="^this NoisyNER is not fitted yet; call fit first$"):
            getattr(tiny(), method)(*arguments)


def test_parameters_are_set_by_name_and_shown() -> None:
    estimator = NoisyNER(settings=["training.epochs=2", "bilstm.hidden=9"])
    assert estimator.set_params(workers=2, training__epochs=5, bilstm__vectors='a "b".txt') is estimator
    assert estimator.settings == ("bilstm.hidden=9", "training.epochs=5", r'bilstm.vectors="a \"b\".txt"')
    assert repr(NoisyNER("bilstm-crf", workers=2)) == "NoisyNER(method='bilstm-crf', workers=2)"
    changed = estimator.get_params()
    assert NoisyNER().set_params(**changed).get_params() == changed


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"metod": "x"}, "NoisyNER has no parameter 'metod'; did you mean 'method'?"),
        ({"zzz": 1}, "NoisyNER has no parameter 'zzz'; known: method, recipe, settings"),
        ({"training__epoch": 3}, "fast: there is no setting 'training.epoch'; did you mean 'training.epochs'?"),
        ({"training__epochs": 0}, "fast: training.epochs = 0: input should be greater than or equal to 1"),
        ({"training__epochs": None}, "training__epochs=None is no value a setting can have"),
    ],
)
def test_misspelt_parameters_get_a_hint(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        NoisyNER().set_params(**parameters)
    assert str(caught.value).startswith(message)


WITHOUT = """
    import sys
    sys.modules["sklearn"] = None
    import trustag
    assert not {"torch", "numpy", "pydantic"} & set(sys.modules)
    from tests.estimator.small import sentences, tiny
    X, y = sentences()
    try:
        tiny().predict(X)
    except trustag.errors.InputError as error:
        print(error)
    print(len(tiny().fit(X, y).predict(X)))
"""


@pytest.mark.slow
def test_scikit_learn_is_not_needed() -> None:
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(WITHOUT)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["this NoisyNER is not fitted yet; call fit first", str(len(X))]


@pytest.mark.slow
def test_importing_it_does_not_load_scikit_learn() -> None:
    probe = "import sys; from trustag import NoisyNER; print([m for m in sys.modules if m.startswith('sklearn')])"
    assert subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True).stdout == "[]\n"

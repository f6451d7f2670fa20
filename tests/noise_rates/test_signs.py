"""Signs of the kind of noise: counted by hand, and what they say of clean and of spurious labels."""

import numpy as np

from trustag.noise_rates.signs import noise_signs


def test_tokens_that_models_are_unsure_of_are_counted_for_each_entity_label() -> None:
    signs = noise_signs(["Ann", "met", "Bob", "today"], np.array([1, 0, 2, 0]), np.array([0.99, 0.5, 0.03, 0.01]))
    assert signs.unsure == 2 / 2
    assert not signs.is_nearly_clean


def test_labels_that_models_predict_are_nearly_clean() -> None:
    given = np.array([1] * 10 + [0] * 90)
    entity = np.where(given > 0, 0.99, 0.01)
    entity[50] = 0.4
    words = ["Ann"] * 10 + ["met"] * 90
    signs = noise_signs(words, given, entity)
    assert signs.unsure == 0.1
    assert signs.is_nearly_clean
    assert not signs.is_mostly_spurious


def test_entity_labels_on_words_without_a_capital_are_spurious() -> None:
    words, given = ["Ann", "compensation", "view", "Met"], np.array([1, 2, 0, 0])
    signs = noise_signs(words, given, np.full(4, 0.5))
    assert signs.lower_case == 0.5
    assert signs.is_mostly_spurious


def test_a_script_without_capitals_shows_no_such_sign() -> None:
    signs = noise_signs(["\u5317", "\u4eac"], np.array([1, 0]), np.full(2, 0.5))
    assert signs.lower_case is None
    assert not signs.is_mostly_spurious


def test_unknown_labels_and_corpora_without_entities_count_for_nothing() -> None:
    assert noise_signs(["Ann", "ran"], np.array([-1, 0]), np.array([0.0, 0.0])).unsure == 0

"""Corpora of an experiment: noisy labels, perturbed ones, or the gold labels alone."""

from trustag.corpora.demo import demo_corpus
from trustag.experiments.corpora import ExperimentCorpus, label_noise, load_splits
from trustag.noise.perturbation import Perturbation

DEMO = ExperimentCorpus("demo")


def test_the_labels_are_those_of_the_corpus() -> None:
    assert load_splits(DEMO) == demo_corpus()


def test_gold_labels_replace_the_noisy_ones() -> None:
    corpus = load_splits(DEMO, gold_labels=True)
    assert [sentence.labels for sentence in corpus.train] == [sentence.gold for sentence in demo_corpus().train]
    assert all(sentence.gold is None for sentence in corpus.train)


def test_a_perturbation_touches_the_training_labels_alone() -> None:
    source = ExperimentCorpus("demo", perturbation=Perturbation(0.5, 0.9, seed=2))
    corpus, clean = load_splits(source), demo_corpus()
    assert (corpus.dev, corpus.test) == (clean.dev, clean.test)
    noise = label_noise(corpus.train)
    assert abs(noise["recall"] - 0.5) < 0.05
    assert abs(noise["precision"] - 0.9) < 0.05
    assert 0 < noise["negative"] < 1

"""Reviewed labels in a whole run: never counted as noise, never changed, whatever models say."""

import json
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace as changed

from tests.training.small import noisy_corpus, run_rounds
from trustag.corpora.locating import CorpusOptions, read_corpus
from trustag.notes import unwatched
from trustag.runs.folder import fingerprint
from trustag.text.sentences import GIVEN, REVIEWED, Corpus, Sentence

pytestmark = pytest.mark.slow


def contradicting() -> tuple[Corpus, int]:
    """Return a corpus with a full stop that a person calls a place, and the number of its sentence."""
    corpus = noisy_corpus()
    number, odd = next((n, s) for n, s in enumerate(corpus.train) if n % 2 and s.tokens[-1] == ".")
    labels = (*odd.labels[:-1], "B-LOC")
    sentences = [changed(sentence, token_sources=(GIVEN,) * len(sentence)) for sentence in corpus.train]
    sentences[number] = changed(odd, labels=labels, token_sources=(*(GIVEN,) * (len(odd) - 1), REVIEWED))
    return Corpus(tuple(sentences), corpus.dev), number


def test_a_label_that_contradicts_everything_stays_if_a_person_decided_on_it(tmp_path: Path) -> None:
    corpus, number = contradicting()
    last = len(corpus.train[number]) - 1
    run = run_rounds(tmp_path / "run", "method.rounds.reannotate=all", corpus=corpus).run
    changes = [json.loads(line) for line in run.changes.read_text().splitlines()]
    assert changes
    assert not [change for change in changes if (change["sentence"], change["token"]) == (number, last)]
    columns = np.load(run.confidence)
    index = int(np.flatnonzero((columns["sentence"] == number) & (columns["token"] == last))[0])
    assert columns["trusted"][index]
    assert columns["suggested"][index] == columns["label"][index] > 0
    relabelled = read_corpus(str(run.relabelled), CorpusOptions(), unwatched).train[number]
    assert relabelled.labels[last] == "B-LOC"
    assert relabelled.token_sources is not None
    assert relabelled.token_sources[last] == REVIEWED


def test_a_corpus_that_was_reviewed_as_a_whole_shows_no_noise(tmp_path: Path) -> None:
    corpus = noisy_corpus()
    everything = [changed(sentence, token_sources=(REVIEWED,) * len(sentence)) for sentence in corpus.train[:20]]
    trained = run_rounds(tmp_path / "run", "method.rounds.reannotate=all", corpus=Corpus(tuple(everything)))
    rates = json.loads(trained.run.rates.read_text())
    assert (rates["negative"], rates["positive"]) == (0.0, 0.0)
    assert trained.analysis is not None
    assert (trained.analysis.changed, trained.analysis.issues) == (0, ())


def test_other_reviews_are_other_data() -> None:
    sentence = Sentence(("a",), ("O",))
    given, reviewed = (changed(sentence, token_sources=(source,)) for source in (GIVEN, REVIEWED))
    assert fingerprint([sentence]) == fingerprint([given]) != fingerprint([reviewed])

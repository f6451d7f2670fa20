"""Labels that a person has decided on: never ranked, never counted as noise, never changed, whatever models say."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from msgspec.structs import replace as changed

from tests.training.confident_batches import B_LOC, OUTSIDE, batch_of, settled, sure_of
from tests.training.confident_batches import LABELS as BATCH_LABELS
from tests.training.test_relabelling import COUNT, LABELS, sentence_folds
from tests.training.test_rounds import noisy_corpus, run_to
from trustag.confidence.selection import NoiseRates
from trustag.corpora.locating import CorpusOptions, read_corpus
from trustag.crf import Chain
from trustag.crf.outputs import Judgement
from trustag.data.encoded_corpus import Numbered, number_sentences
from trustag.notes import unwatched
from trustag.recipes.settings import Recipe, TrainingSettings
from trustag.runs.folder import fingerprint
from trustag.text.label_sets import LabelSet
from trustag.text.sentences import GIVEN, REVIEWED, Corpus, Sentence

FLAT = Chain(torch.zeros(COUNT, COUNT), torch.zeros(COUNT), torch.zeros(COUNT))


@pytest.mark.parametrize("ranking", ["batch", "epoch"])
def test_the_least_confident_label_stays_trusted_and_takes_no_other_label_s_place(ranking: str) -> None:
    row = [OUTSIDE] * 5
    reviewed = (torch.tensor([True, False, False, False, False]),)
    numbered = Numbered((("word",) * 5,), (torch.tensor(row),), reviewed=reviewed)
    recipe = Recipe(confidence=settled(ranking=ranking, memory=0.0), training=TrainingSettings(epochs=2))
    objective = ConfidentLabels(numbered, BATCH_LABELS, NoiseRates(0.5, 0.5), recipe)
    batch = batch_of([0], [row], [sure_of(0.01, 0.9, 0.2, 0.8, 0.1)])
    for epoch in range(2):
        objective.begin_epoch(epoch)
        decision = objective.decide(batch)
    # Half of the four others go, and the first is none of them.
    assert decision.trusted.tolist() == [[True, True, False, True, False]]
    assert decision.allowed[0, 0].tolist() == [label == OUTSIDE for label in range(5)]
    assert B_LOC in decision.allowed[0, 4].nonzero().flatten().tolist()


@pytest.mark.parametrize("reannotate", ["outside", "untrusted", "all"])
def test_relabelling_goes_through_reviewed_labels(reannotate: Reannotate) -> None:
    single = LABELS.index["S-PER"]
    given = (torch.tensor([single, 0]), torch.tensor([0, single]))
    reviewed = (torch.tensor([True, False]), torch.tensor([True, False]))
    against = torch.tensor([[9.0, 0, 0, 0, 0], [0, 0, 0, 0, 9.0]])  # the model is sure of the very opposite
    numbered = Numbered((("a", "b"), ("c", "d")), given, reviewed=reviewed)
    outcomes = [
        Outcome((), Judgement([2], against, FLAT), None),
        Outcome((), Judgement([2], against.flip(0), FLAT), None),
    ]
    rejoined = Rejoined(numbered, sentence_folds([[0], [1]], numbered.lengths), outcomes, LABELS)
    found = relabel(rejoined, rejoined.view(0.5), NoiseRates(0.9, 0.9), reannotate)
    assert found.labels[[0, 2]].tolist() == found.suggested[[0, 2]].tolist() == [single, 0]
    assert found.pinned[[0, 2]].all()
    # The weights of the final training are exactly the given label.
    assert found.probabilities[[0, 2]].tolist() == torch.eye(COUNT)[[single, 0]].tolist()
    assert found.suggested[1].item() == single  # others are judged as ever


def test_reviewed_labels_are_no_measure_of_noise() -> None:
    labels = LabelSet(("PER",), "BIES")
    sentence = Sentence(
        ("a", "b", "c", "d"),
        ("B-PER", "O", "B-PER", "O"),
        gold=("O", "B-PER", "B-PER", "B-PER"),
        token_sources=(REVIEWED, REVIEWED, GIVEN, GIVEN),
    )
    rates = oracle_rates(number_sentences([sentence], labels), labels)
    assert (rates.negative, rates.positive) == (1.0, 0.0)


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
    run = run_to(tmp_path / "run", "rounds.reannotate=all", corpus=corpus).run
    changes = [json.loads(line) for line in run.changes.read_text().splitlines()]
    assert changes
    assert not [change for change in changes if (change["sentence"], change["token"]) == (number, last)]
    columns = np.load(run.confidence)
    place = int(np.flatnonzero((columns["sentence"] == number) & (columns["token"] == last))[0])
    assert columns["trusted"][place]
    assert columns["suggested"][place] == columns["label"][place] > 0
    relabelled = read_corpus(str(run.relabelled), CorpusOptions(), unwatched).train[number]
    assert relabelled.labels[last] == "B-LOC"
    assert relabelled.token_sources is not None
    assert relabelled.token_sources[last] == REVIEWED


def test_a_corpus_that_was_reviewed_as_a_whole_shows_no_noise(tmp_path: Path) -> None:
    corpus = noisy_corpus()
    everything = [changed(sentence, token_sources=(REVIEWED,) * len(sentence)) for sentence in corpus.train[:20]]
    trained = run_to(tmp_path / "run", "rounds.reannotate=all", corpus=Corpus(tuple(everything)))
    rates = json.loads(trained.run.rates.read_text())
    assert (rates["negative"], rates["positive"]) == (0.0, 0.0)
    assert trained.findings is not None
    assert (trained.findings.changed, trained.findings.issues) == (0, ())


def test_other_reviews_are_other_data() -> None:
    sentence = Sentence(("a",), ("O",))
    given, reviewed = (changed(sentence, token_sources=(source,)) for source in (GIVEN, REVIEWED))
    assert fingerprint([sentence]) == fingerprint([given]) != fingerprint([reviewed])

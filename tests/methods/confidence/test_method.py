"""Self-training as a whole: what it leaves, what it must not touch, and that only the seed decides the result."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.training.run_files import contents
from tests.training.small import ROUNDS, here, noisy_corpus, run_rounds, small_recipe
from trustag.corpora.locating import CorpusOptions, read_corpus
from trustag.engines.worker_processes import WorkerProcesses
from trustag.errors import InputError
from trustag.noise.measures import measure_noise
from trustag.notes import Note, unwatched
from trustag.pipeline import Destination, train_in
from trustag.text.schemes import Scheme
from trustag.text.sentences import Corpus, Sentence


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rounds") / "run"
    run_rounds(path)
    return path


def test_a_run_leaves_everything_it_found(unbroken: Path) -> None:
    names = {
        "model-best",
        "given.jsonl",
        "places.jsonl",
        "model-last",
        "relabelled.conll",
        "changes.jsonl",
        "confidence.npz",
        "issues.jsonl",
        "rates.json",
    }
    names |= {"metrics.jsonl", "rounds.jsonl", "manifest.json", "recipe.toml", "jobs"}
    assert {entry.name for entry in unbroken.iterdir()} == names
    manifest = json.loads((unbroken / "manifest.json").read_text())
    assert manifest["labels"]["rates"]["source"] == "auto"
    assert set(manifest["baseline"]) == {"dev", "test"}
    assert set(manifest["labels"]["detection"]) == {"negative", "positive"}


@pytest.mark.slow
def test_workers_give_what_one_process_gives(unbroken: Path, tmp_path: Path) -> None:
    with WorkerProcesses(2) as engine:
        run_rounds(tmp_path / "run", engine=engine)
    assert contents(tmp_path / "run") == contents(unbroken)


def test_changes_lead_from_the_given_to_the_new_labels(unbroken: Path) -> None:
    given = [list(sentence.labels) for sentence in noisy_corpus().train]
    manifest = json.loads((unbroken / "manifest.json").read_text())
    changes = [json.loads(line) for line in (unbroken / "changes.jsonl").read_text().splitlines()]
    own = [change for change in changes if change["round"] == manifest["labels"]["round"]]
    assert len(own) == manifest["labels"]["changed"] > 0
    for change in own:
        row = given[change["sentence"]]
        assert row[change["token"]] == change["before"] != change["after"]
        row[change["token"]] = change["after"]
    relabelled = read_corpus(str(unbroken / "relabelled.conll"), CorpusOptions(), unwatched).train
    assert [list(sentence.labels) for sentence in relabelled] == given
    assert [sentence.tokens for sentence in relabelled] == [sentence.tokens for sentence in noisy_corpus().train]


def test_tokens_that_conll_cannot_hold_are_written_as_json_lines(tmp_path: Path) -> None:
    ordinary = noisy_corpus().train[:6]
    odd = Sentence(("New York", "\n", ""), ("B-LOC", "O", "O"))
    run = run_rounds(tmp_path / "run", corpus=Corpus((odd, *ordinary))).run
    assert run.relabelled.name == "relabelled.jsonl"
    assert not (run.path / "relabelled.conll").exists()
    relabelled = read_corpus(str(run.relabelled), CorpusOptions(), unwatched).train
    assert [sentence.tokens for sentence in relabelled] == [odd.tokens, *(sentence.tokens for sentence in ordinary)]


def test_confidence_is_there_for_every_token(unbroken: Path) -> None:
    table = np.load(unbroken / "confidence.npz")
    tokens = sum(len(sentence) for sentence in noisy_corpus().train)
    columns = set(table.files) - {"names"}
    assert columns >= {"score", "mean", "spread", "position_score", "type_score", "trusted", "suggested"}
    assert {len(table[column]) for column in columns} == {tokens}
    for column in ("score", "mean", "position_score", "type_score", "suggested_score"):
        assert table[column].min() >= 0
        assert table[column].max() <= 1 + 1e-5


def test_entity_labels_stay_where_only_outside_is_free(tmp_path: Path) -> None:
    run_rounds(tmp_path / "run", "method.rounds.reannotate=outside", "method.rounds.relabel=hard")
    changes = [json.loads(line) for line in (tmp_path / "run" / "changes.jsonl").read_text().splitlines()]
    assert {change["before"] for change in changes} <= {"O"}


def test_measured_rates_are_those_of_the_noise_measures(tmp_path: Path) -> None:
    corpus = noisy_corpus()
    run_rounds(
        tmp_path / "run",
        "method.rates.source=oracle",
        "method.rounds.count=1",
        "method.rounds.baseline=false",
        corpus=corpus,
    )
    measured = measure_noise(corpus.train, Scheme.IOBES)
    rates = json.loads((tmp_path / "run" / "rates.json").read_text())
    assert (rates["negative"], rates["positive"]) == pytest.approx((measured.tau_n, measured.tau_p))


def test_searched_rates_are_the_best_of_their_curve(tmp_path: Path) -> None:
    search = (
        "method.rates.source=searched",
        "method.rates.grid={negative=[0.0, 0.2, 0.1], positive=[0.0, 0.2, 0.1]}",
        "method.rounds.count=1",
    )
    run_rounds(tmp_path / "run", *search, "method.rounds.fold_epochs=1", "method.rounds.baseline=false")
    points = [json.loads(line) for line in (tmp_path / "run" / "search.jsonl").read_text().splitlines()]
    first, second = points[:3], points[3:]
    assert [point["negative"] for point in first] == [0.0, 0.1, 0.2]
    assert {point["positive"] for point in first} == {0.0}
    best_negative = max(first, key=lambda point: point["dev_f1"])["negative"]
    assert {point["negative"] for point in second} == {best_negative}
    best = max(second, key=lambda point: point["dev_f1"])
    rates = json.loads((tmp_path / "run" / "rates.json").read_text())
    assert (rates["negative"], rates["positive"]) == (best["negative"], best["positive"])


def test_searching_without_dev_is_refused(tmp_path: Path) -> None:
    corpus = Corpus(noisy_corpus().train)
    with pytest.raises(InputError, match="needs a dev split"):
        run_rounds(tmp_path / "run", "method.rates.source=searched", corpus=corpus)


ODD = {
    "no dev, no test": Corpus(noisy_corpus().train[:20]),
    "one sentence": Corpus((Sentence(("Ann", "sings"), ("B-PER", "O")),)),
    "two sentences": Corpus((Sentence(("Ann", "sings"), ("B-PER", "O")), Sentence(("she",), ("O",)))),
    "one type, a label that occurs once, unknown labels": Corpus(
        (
            Sentence(("Ann", "Lee", "sings"), ("B-PER", "I-PER", None)),
            Sentence(("Bob",), ("B-PER",)),
            Sentence(("he", "runs"), (None, None)),
            Sentence(("Cy",), ("B-PER",)),
        )
    ),
}


@pytest.mark.parametrize("corpus", ODD.values(), ids=ODD.keys())
def test_odd_corpora_are_trained_on(corpus: Corpus, tmp_path: Path) -> None:
    trained = run_rounds(tmp_path / "run", corpus=corpus)
    assert (trained.run.best / "model.json").exists()


def test_sentence_initial_words_that_are_not_trusted_are_noted_and_change(tmp_path: Path) -> None:
    he = Sentence(("He", "sleeps"), ("B-PER", "O"), gold=("O", "O"))
    common = Sentence(("so", "he", "sleeps"), ("O", "O", "O"), gold=("O", "O", "O"))
    corpus = noisy_corpus()
    damaged = replace(corpus, train=(he, he, *(common,) * 8, *corpus.train))
    notes: list[Note] = []
    fresh = "method.parity.starts=fresh"  # hardly trained, so that models repeat what they were shown
    recipe = small_recipe(*ROUNDS, "method.rounds.count=1", fresh, method="confidence")
    trained = train_in(damaged, recipe, Destination(tmp_path / "run"), here(notes.append))
    assert [note.detail for note in notes if note.kind == "suspicious"] == ["2 are not trusted: He 2"]
    assert trained.analysis is not None
    rates = trained.analysis.rates.rates
    assert rates.positive >= 2 / sum(label != "O" for sentence in damaged.train for label in sentence.labels) * 0.99
    assert all(sentence.labels[0] != "B-PER" for sentence in trained.analysis.relabelled[:2])

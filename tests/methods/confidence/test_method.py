"""Self-training as a whole: what it leaves, what it must not touch, and that only the seed decides the result."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace as changed

from tests.training.small import small_corpus, small_recipe
from trustag.corpora.locating import CorpusOptions, read_corpus
from trustag.engines import Engine
from trustag.engines.in_process import InProcess
from trustag.engines.worker_processes import WorkerProcesses
from trustag.errors import InputError
from trustag.noise.measures import measure_noise
from trustag.notes import Note, unwatched
from trustag.text.schemes import Scheme
from trustag.text.sentences import Corpus, Sentence

ROUNDS = ("rounds.count=2", "rounds.fold_epochs=2", "training.epochs=2", "rates.estimate_epochs=1")


def noisy_corpus(train: int = 60) -> Corpus:
    """Return sentences of which half the entities are hidden and some words wrongly are ones; gold stands beside."""
    corpus = small_corpus(train)
    return replace(corpus, train=tuple(_half_hidden(corpus.train)))


def _half_hidden(sentences: Sequence[Sentence]) -> list[Sentence]:
    hidden = []
    for number, sentence in enumerate(sentences):
        clean = sentence.gold or sentence.labels
        labels = ("O",) * len(clean) if number % 2 else clean
        hidden.append(changed(sentence, labels=labels, gold=clean))
    return hidden


def run_to(
    path: Path, *changes: str, corpus: Corpus | None = None, engine: Engine | None = None, resume: bool = False
) -> Trained:
    surroundings = Surroundings(engine or InProcess(), unwatched, lambda _: None)
    recipe = small_recipe(*ROUNDS, *changes)
    return train(corpus or noisy_corpus(), recipe, None, Destination(path, resume=resume), surroundings)


def contents(path: Path) -> dict[str, str]:
    """Return a checksum of everything in a run that must not depend on when, where and how often it ran."""
    names = ["model-best/*", "model-last/*", "*.jsonl", "rates.json", "relabelled.conll", "confidence.npz"]
    files = [file for name in names for file in path.glob(name)]
    return {str(file.relative_to(path)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rounds") / "run"
    run_to(path)
    return path


@pytest.mark.parametrize("hide", ["sentences", "names"])
@pytest.mark.parametrize("source", ["auto", "dev"])
def test_the_models_behind_the_rates_go_on_to_be_heard(source: str, hide: str, tmp_path: Path) -> None:
    changes = [f"rates.source={source}", f"rounds.hide={hide}", "rounds.count=1"]
    corpus = noisy_corpus()
    if source == "auto":  # who has learnt too little doubts nothing
        changes += ["rates.estimate_epochs=10", "training.learning_rate=0.02", "bilstm.words=20", "bilstm.hidden=20"]
        corpus = noisy_corpus(train=200)
    run_to(tmp_path / "heard", *changes, "confidence.prior=1", corpus=corpus)
    run_to(tmp_path / "unheard", *changes, corpus=corpus)
    rates = [(tmp_path / name / "rates.json").read_bytes() for name in ("heard", "unheard")]
    assert rates[0] == rates[1]
    records = [np.load(tmp_path / name / "confidence.npz") for name in ("heard", "unheard")]
    assert not np.array_equal(records[0]["trusted"], records[1]["trusted"])


def test_a_run_leaves_everything_it_found(unbroken: Path) -> None:
    names = {
        "model-best",
        "given.jsonl",
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
    assert set(manifest["plain"]) == {"dev", "test"}
    assert set(manifest["labels"]["detection"]) == {"negative", "positive"}


def test_workers_give_what_one_process_gives(unbroken: Path, tmp_path: Path) -> None:
    with WorkerProcesses(2) as engine:
        run_to(tmp_path / "run", engine=engine)
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
    run = run_to(tmp_path / "run", corpus=Corpus((odd, *ordinary))).run
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
    run_to(tmp_path / "run", "rounds.reannotate=outside", "rounds.relabel=hard")
    changes = [json.loads(line) for line in (tmp_path / "run" / "changes.jsonl").read_text().splitlines()]
    assert {change["before"] for change in changes} <= {"O"}


def test_measured_rates_are_those_of_the_noise_measures(tmp_path: Path) -> None:
    corpus = noisy_corpus()
    run_to(tmp_path / "run", "rates.source=oracle", "rounds.count=1", "rounds.baseline=false", corpus=corpus)
    measured = measure_noise(corpus.train, Scheme.IOBES)
    rates = json.loads((tmp_path / "run" / "rates.json").read_text())
    assert (rates["negative"], rates["positive"]) == pytest.approx((measured.tau_n, measured.tau_p))


def test_searched_rates_are_the_best_of_their_curve(tmp_path: Path) -> None:
    search = ("rates.source=searched", "rates.search_to=0.2", "rates.search_step=0.1", "rounds.count=1")
    run_to(tmp_path / "run", *search, "rounds.fold_epochs=1", "rounds.baseline=false")
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
        run_to(tmp_path / "run", "rates.source=searched", "rates.search_step=0.2", corpus=corpus)


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
    trained = run_to(tmp_path / "run", corpus=corpus)
    assert (trained.run.best / "model.json").exists()


def test_common_words_that_are_not_believed_are_told_and_change(tmp_path: Path) -> None:
    he = Sentence(("He", "sleeps"), ("B-PER", "O"), gold=("O", "O"))
    common = Sentence(("so", "he", "sleeps"), ("O", "O", "O"), gold=("O", "O", "O"))
    corpus = noisy_corpus()
    damaged = replace(corpus, train=(he, he, *(common,) * 8, *corpus.train))
    notes: list[Note] = []
    surroundings = Surroundings(InProcess(), notes.append, lambda _: None)
    recipe = small_recipe(*ROUNDS, "rounds.count=1")
    trained = train(damaged, recipe, None, Destination(tmp_path / "run"), surroundings)
    assert [note.detail for note in notes if note.kind == "suspicious"] == ["2 of them are not believed: He 2"]
    assert trained.findings is not None
    rates = trained.findings.rates.rates
    assert rates.positive >= 2 / sum(label != "O" for sentence in damaged.train for label in sentence.labels) * 0.99
    assert all(sentence.labels[0] != "B-PER" for sentence in trained.findings.relabelled[:2])

"""Constrained binary learning: every step against slow loops, then whole runs on a small corpus."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as changed
from torch import Tensor

from trustag.cli.summary import in_words
from trustag.corpora.demo import demo_corpus
from trustag.corpora.locating import CorpusOptions, read_corpus
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus, encode
from trustag.errors import InputError
from trustag.export.model_loading import load
from trustag.methods.cbl import (
    CBLSettings,
    binary_task,
    constrained_weights,
    entity_ratio,
    initial_weights,
    known_entities,
    not_learned,
    round_shares,
    typed_weights,
)
from trustag.methods.table import choose_method, load_recipe
from trustag.models.network_spec import NetworkSpec
from trustag.notes import Note, unwatched
from trustag.pipeline import Destination, TrainResult, train
from trustag.recipes.settings import Recipe
from trustag.reports.run_report import write_report
from trustag.review.decisions import DecisionLog
from trustag.review.reviewed_run import open_reviewed_run
from trustag.review.session import ReviewSession
from trustag.runs.reading import open_runs
from trustag.text.label_sets import LabelSet
from trustag.text.labels import Label
from trustag.text.schemes import Scheme
from trustag.text.sentences import GIVEN, REVIEWED, Corpus, Sentence
from trustag.training.task import Task

LABELS = LabelSet.of(("LOC", "PER"), Scheme.IOBES)
QUICK = ("training.epochs=12", "training.learning_rate=0.03", "method.binary_epochs=8", "method.ratio_step=0.05")


def small_recipe(*changes: str) -> Recipe:
    sizes = ("bilstm.words=20", "bilstm.hidden=20", "bilstm.characters=10", "bilstm.character_hidden=10")
    return load_recipe("cbl", ["bilstm.random_vectors=true", *sizes, "training.batch_size=8", *QUICK, *changes])


def small_corpus(train: int = 60) -> Corpus:
    corpus = demo_corpus()
    return Corpus(corpus.train[:train], corpus.dev[:30], corpus.test[:30])


def run_to(path: Path, corpus: Corpus, *changes: str, notes: list[Note] | None = None) -> TrainResult:
    return train(corpus, small_recipe(*changes), Destination(path), watch=unwatched if notes is None else notes.append)


def task_of(corpus: Corpus) -> Task:
    recipe = small_recipe()
    network = NetworkSpec(recipe.network, None, None, finetune_vectors=True)
    encoded = encode(corpus.train, LabelSet.of(("LOC", "MISC", "ORG", "PER"), Scheme.IOBES))
    return Task(corpus.train, corpus.dev, encoded, Scheme.IOB2, network, recipe.training, 8)


def encoded(*rows: Sequence[Label], reviewed: Sequence[tuple[int, int]] = ()) -> EncodedCorpus:
    sentences = [
        Sentence(
            tuple(f"w{token}" for token in range(len(row))),
            tuple(row),
            token_sources=tuple(REVIEWED if (number, token) in reviewed else GIVEN for token in range(len(row))),
        )
        for number, row in enumerate(rows)
    ]
    return encode(sentences, LABELS)


def chosen(weights: Tensor) -> list[bool]:
    return (weights[:, 1] == 1).tolist()


def log_likelihood(choice: Sequence[int], entity: Sequence[float]) -> float:
    return sum(math.log(p if z else 1 - p) for z, p in zip(choice, entity, strict=True))


PROBABILITIES = st.integers(1, 99).map(lambda percent: percent / 100)
TOKENS = st.lists(st.tuples(PROBABILITIES, st.sampled_from([1, 0, NO_LABEL, NO_LABEL])), min_size=1, max_size=9)


@given(TOKENS, st.integers(0, 9))
def test_the_chosen_tokens_are_the_most_likely_of_their_number(rows: list[tuple[float, int]], wanted: int) -> None:
    entity, known = [row[0] for row in rows], [row[1] for row in rows]
    budget = min(max(wanted, known.count(1)), len(rows) - known.count(0))
    weights = constrained_weights(torch.tensor(entity), torch.tensor(known), budget / len(rows))
    choice = [int(value) for value in chosen(weights)]
    allowed = [(k,) if k != NO_LABEL else (0, 1) for k in known]
    best = max(log_likelihood(z, entity) for z in product(*allowed) if sum(z) == budget)
    assert all(value in options for value, options in zip(choice, allowed, strict=True))
    assert sum(choice) == budget
    assert log_likelihood(choice, entity) == pytest.approx(best)


@given(TOKENS, st.integers(0, 9))
def test_where_the_share_is_an_upper_bound_the_best_choice_is_a_part_of_ours(
    rows: list[tuple[float, int]], wanted: int
) -> None:
    entity, known = [row[0] for row in rows], [row[1] for row in rows]
    budget = min(max(wanted, known.count(1)), len(rows) - known.count(0))
    ours = chosen(constrained_weights(torch.tensor(entity), torch.tensor(known), budget / len(rows)))
    likely = [int(z and (k == 1 or p > 0.5)) for z, p, k in zip(ours, entity, known, strict=True)]
    allowed = [(k,) if k != NO_LABEL else (0, 1) for k in known]
    best = max(log_likelihood(z, entity) for z in product(*allowed) if sum(z) <= budget)
    assert log_likelihood(likely, entity) == pytest.approx(best)


def slow_weights(entity: Sequence[float], known: Sequence[int], budget: int) -> list[tuple[float, float]]:
    """The update rule word by word: sort, the first ``budget`` are entities, the others at most undecided."""
    rank = sorted(range(len(entity)), key=lambda t: (known[t] != 1, known[t] == 0, -entity[t]))
    found = []
    for token, probability in enumerate(entity):
        if known[token] == 1:
            weight = 1.0
        elif known[token] == 0:
            weight = 0.0
        elif token in rank[:budget]:
            weight = 1.0
        else:
            weight = min(probability, 0.5)
        found.append((1 - weight, weight))
    return found


@given(TOKENS, st.integers(0, 12))
def test_the_update_is_the_published_one(rows: list[tuple[float, int]], budget: int) -> None:
    entity, known = [row[0] for row in rows], [row[1] for row in rows]
    weights = constrained_weights(torch.tensor(entity), torch.tensor(known), budget / len(rows))
    assert torch.allclose(weights, torch.tensor(slow_weights(entity, known, budget)))


def test_ties_go_to_the_first_tokens_and_one_half_is_no_entity() -> None:
    entity, known = torch.tensor([0.5, 0.9, 0.5, 0.2, 0.7]), torch.tensor([-1, 1, -1, -1, 0])
    weights = constrained_weights(entity, known, 2 / 5)
    assert weights[:, 1].tolist() == pytest.approx([1.0, 1.0, 0.5, 0.2, 0.0])
    corpus = encoded(["O", "B-PER", "O", "O", "O"], reviewed=[(0, 4)])
    assert not_learned(weights, corpus).tolist() == [True, False, False, False, False]
    assert typed_weights(weights, corpus)[2].tolist() == pytest.approx([0.5, *[0.5 / 8] * 8])


def slow_typed(weights: Tensor, corpus: EncodedCorpus) -> list[list[float]]:
    count, found = len(corpus.labels), []
    for (outside, entity), label in zip(weights.tolist(), corpus.label_ids.tolist(), strict=True):
        if label > 0:
            found.append([float(number == label) for number in range(count)])
        elif label == NO_LABEL or entity > outside:
            found.append([1 / count] * count)
        else:
            found.append([outside, *[(1 - outside) / (count - 1)] * (count - 1)])
    return found


def test_typed_weights_are_the_published_ones() -> None:
    corpus = encoded(["O", "B-PER", "I-PER", None], ["O", "O", "B-LOC", "O", "O"], reviewed=[(1, 4)])
    entity = torch.tensor([0.9, 0.3, 0.8, 0.6, 0.5, 0.2, 0.0, 0.7, 0.99])
    for share in (0.0, 3 / 9, 4 / 9, 5 / 9, 6 / 9, 1.0):
        weights = constrained_weights(entity, known_entities(corpus), share)
        typed = typed_weights(weights, corpus)
        assert torch.allclose(typed, torch.tensor(slow_typed(weights, corpus)))
        assert torch.allclose(typed.sum(-1), torch.ones(9))
        assert typed[8].tolist() == [1.0, *[0.0] * 8], "a reviewed O stays"


def test_without_rounds_the_typed_tagger_learns_the_labels_as_given() -> None:
    corpus = encoded(["O", "B-PER", "I-PER", None], ["B-LOC", "O"])
    typed = typed_weights(initial_weights(corpus, "raw"), corpus)
    for weights, label in zip(typed, corpus.label_ids.tolist(), strict=True):
        expected = torch.full((9,), 1 / 9) if label == NO_LABEL else torch.eye(9)[label]
        assert torch.equal(weights, expected)


def slow_combined(sentences: Sequence[Sentence]) -> list[float]:
    """Section by section what is published: frequency, window, one over the number of tags."""
    words = [token.lower() for sentence in sentences for token in sentence.tokens]
    frequency = {word: math.log(words.count(word) / len(words)) for word in words}
    low, high = min(frequency.values()), max(frequency.values())
    found = []
    for sentence in sentences:
        for token, label in enumerate(sentence.labels):
            near = [sentence.labels[other] for other in (token - 1, token + 1) if 0 <= other < len(sentence)]
            if label is None:
                found.append(0.5)
            elif label != "O":
                found.append(0.0)
            elif any(other not in {None, "O"} for other in near):
                found.append(1.0)
            else:
                scaled = (frequency[sentence.tokens[token].lower()] - low) / (high - low)
                found.append(min(1.0, scaled + 1 / 2))
    return found


def test_combined_weights_are_the_published_ones() -> None:
    sentences = [
        Sentence(("The", "cat", "saw", "Ann", "."), ("O", "O", "O", "B-PER", "O")),
        Sentence(("the", "THE", "Rome", "cat", "."), ("O", "O", "B-LOC", None, "O")),
        Sentence(("the",), ("O",)),
        *small_corpus(20).train,
    ]
    corpus = encode(sentences, LabelSet.of(("LOC", "MISC", "ORG", "PER"), Scheme.IOBES))
    weights = initial_weights(corpus, "combined")
    assert weights[:, 0].tolist() == pytest.approx(slow_combined(sentences))
    assert torch.allclose(weights.sum(-1), torch.ones(len(weights)))


def test_combined_weights_leave_reviewed_labels_and_words_of_one_frequency_alone() -> None:
    corpus = encoded(["O", "O", "O"], reviewed=[(0, 1)])
    assert initial_weights(corpus, "combined")[:, 0].tolist() == [1.0, 1.0, 1.0]
    rows = [Sentence(("a", "b", "b"), ("O", "O", "O"), token_sources=(REVIEWED, GIVEN, GIVEN))]
    assert initial_weights(encode(rows, LABELS), "combined")[:, 0].tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("labelled", "ratio", "rounds"),
    [
        (19250 / 203621, 0.166, 7),  # English, counted in the published noisy file
        # Shares that follow from published noise rates: gold = labelled (1 - 0.884 tau_p) + (1 - labelled) tau_n
        ((0.1239 - 0.0678) / (1 - 0.884 * 0.103 - 0.0678), 0.123, 6),  # Spanish
        ((0.0810 - 0.0427) / (1 - 0.884 * 0.123 - 0.0427), 0.080, 5),  # German
        ((0.0954 - 0.0504) / (1 - 0.884 * 0.119 - 0.0504), 0.095, 5),  # Dutch
    ],
)
def test_there_are_as_many_rounds_as_published(labelled: float, ratio: float, rounds: int) -> None:
    assert len(round_shares(labelled, ratio, CBLSettings())) == rounds


@given(st.floats(0, 0.9), st.floats(0, 0.9), st.sampled_from([0.01, 0.02, 0.05, 0.3]))
def test_rounds_go_from_the_labelled_share_to_below_the_limit(labelled: float, ratio: float, step: float) -> None:
    settings = CBLSettings(ratio_step=step)
    shares = round_shares(labelled, ratio, settings)
    limit = min(ratio + settings.ratio_margin, 1.0)
    assert all(share < limit for share in shares)
    assert (shares[-1] if shares else labelled - step) + step >= limit - 1e-6 or not shares
    assert not shares or shares[0] == labelled
    assert bool(shares) == (limit - labelled > 1e-6 * step)


def test_the_first_round_adds_nothing_to_the_labelled_tokens() -> None:
    for tokens in range(1, 200):
        for labelled in range(0, tokens + 1, 5):
            known = torch.where(torch.arange(tokens) < labelled, 1, NO_LABEL)
            weights = constrained_weights(torch.full((tokens,), 0.7), known, labelled / tokens)
            assert int((weights[:, 1] == 1).sum()) == labelled


def test_the_ratio_comes_from_where_the_settings_say() -> None:
    whole = task_of(small_corpus())
    rows = {
        "dev": [label for sentence in whole.dev for label in sentence.labels],
        "gold": [label for sentence in whole.sentences for label in sentence.gold or ()],
    }
    share = {name: sum(label != "O" for label in own) / len(own) for name, own in rows.items()}
    assert share["dev"] != share["gold"]
    for name, value in share.items():
        assert entity_ratio(whole, CBLSettings(ratio_source=name)) == (value, name)  # type: ignore[arg-type]
    assert entity_ratio(whole, CBLSettings(entity_ratio=0.3, ratio_source="given")) == (0.3, "given")
    assert entity_ratio(whole, CBLSettings(entity_ratio=0.3)) == (0.3, "given")
    assert entity_ratio(whole, CBLSettings()) == (share["dev"], "dev")
    assert entity_ratio(replace(whole, dev=()), CBLSettings()) == (share["gold"], "gold")
    half = [changed(s, labels=tuple(None if label == "O" else label for label in s.labels)) for s in whole.dev]
    assert entity_ratio(replace(whole, dev=half), CBLSettings()).value == 1.0, "unknown labels do not count"


def test_a_ratio_that_nothing_tells_is_an_error(tmp_path: Path) -> None:
    corpus = small_corpus()
    bare = Corpus(tuple(changed(sentence, gold=None) for sentence in corpus.train))
    for source in ("auto", "given", "dev", "gold"):
        with pytest.raises(InputError, match=r"cbl: .*method\.entity_ratio"):
            run_to(tmp_path / "run", bare, f"method.ratio_source={source}")
    with pytest.raises(InputError, match="leave one of the two out"):
        run_to(tmp_path / "run", corpus, "method.ratio_source=dev", "method.entity_ratio=0.2")
    assert not (tmp_path / "run").exists()


def test_the_binary_task_knows_one_type_and_the_same_tokens() -> None:
    task = task_of(small_corpus())
    binary = binary_task(replace(task, training=task.training.model_copy(update={"evaluator": "published"})))
    assert binary.corpus.labels.labels == ("O", "I-ENTITY")
    assert binary.corpus.tokens == task.corpus.tokens
    assert torch.equal(binary.corpus.label_ids, (task.corpus.label_ids > 0).long())
    assert {label for sentence in binary.dev for label in sentence.labels} == {"O", "I-ENTITY"}
    for own, other in zip(binary.dev, task.dev, strict=True):
        assert [label == "O" for label in own.labels] == [label == "O" for label in other.labels]
    assert binary.training.evaluator == "conlleval"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> TrainResult:
    return run_to(tmp_path_factory.mktemp("cbl") / "run", small_corpus())


def test_a_run_leaves_a_model_that_predicts(finished: TrainResult) -> None:
    model = load(finished.run.path)
    assert {kind for label in model.tagger.labels.labels[1:] for kind in [label[2:]]} == {"LOC", "MISC", "ORG", "PER"}
    assert len(model.predict(["Ann Smith moved to Lisbon."])) == 1
    assert finished.scores.dev is not None
    assert finished.scores.test is not None


def test_the_stages_are_those_that_were_planned(finished: TrainResult) -> None:
    chosen_method = choose_method(small_recipe())
    plan = chosen_method.method.plan(task_of(small_corpus()), chosen_method.settings)
    names = [stage.name for stage in plan]
    assert names[-1] == "typed"
    assert sorted(names) == sorted(path.name for path in finished.run.jobs.iterdir())
    records = json.loads(finished.run.manifest.read_text())["binary_rounds"]
    assert [f"binary-{record['round']}" for record in records] == names[:-1]
    assert len(records) > 1
    tokens = sum(len(sentence) for sentence in small_corpus().train)
    for record in records:
        assert record["entity_tokens"] == int(record["share"] * tokens + 1e-6)


def test_findings_agree_with_the_files(finished: TrainResult) -> None:
    given_corpus, analysis = small_corpus().train, finished.analysis
    assert analysis is not None
    assert len(analysis.changes) > 0
    assert all(change.before == "O" for change in analysis.changes), "entity labels stay"
    outside = [label == "O" for sentence in given_corpus for label in sentence.labels]
    distrusted = ~analysis.columns["trusted"]
    assert distrusted.sum() == round(analysis.rates.rates.negative * sum(outside)) > 0
    assert not distrusted[~np.array(outside)].any()
    assert analysis.rates.rates.positive == 0
    assert analysis.detection is not None
    by_chance = analysis.detection.negative.support / sum(outside)
    assert analysis.detection.negative.precision > 2 * by_chance
    relabelled = read_corpus(str(finished.run.relabelled), CorpusOptions(), unwatched).train
    assert [sentence.tokens for sentence in relabelled] == [sentence.tokens for sentence in given_corpus]


def test_report_and_review_work(finished: TrainResult) -> None:
    page = write_report(finished.run.path, overwrite=True).read_text(encoding="utf-8")
    assert "method cbl" in page
    assert "baseline (labels as given)" not in page
    (run,) = open_runs([finished.run.path])
    assert run.method == "cbl"
    assert run.issues is not None
    reviewed = open_reviewed_run(finished.run.path)
    session = ReviewSession(reviewed, DecisionLog(reviewed.decisions, reviewed.fingerprint))
    assert session.progress().total == len(run.issues)
    session.close()


def test_a_second_run_is_the_same(finished: TrainResult, tmp_path: Path) -> None:
    again = run_to(tmp_path / "run", small_corpus())
    weights = [str(file.relative_to(again.run.path)) for file in again.run.best.iterdir()]
    for name in (*weights, "issues.jsonl", "changes.jsonl", "confidence.npz", "metrics.jsonl", "relabelled.conll"):
        assert (again.run.path / name).read_bytes() == (finished.run.path / name).read_bytes(), name


def test_reviewed_labels_stay_and_unknown_ones_are_filled_in(tmp_path: Path) -> None:
    corpus = small_corpus()
    rows = [
        changed(
            sentence,
            labels=tuple(None if number % 3 == 0 and label == "O" else label for label in sentence.labels),
            token_sources=(REVIEWED if number % 3 == 1 else GIVEN,) * len(sentence),
        )
        for number, sentence in enumerate(corpus.train)
    ]
    trained = run_to(tmp_path / "run", Corpus(tuple(rows), corpus.dev), "method.initial_weights=combined")
    analysis = trained.analysis
    assert analysis is not None
    assert {change.sentence % 3 for change in analysis.changes} <= {0, 2}
    reviewed = np.concatenate([[number % 3 == 1] * len(row) for number, row in enumerate(rows)])
    assert analysis.columns["trusted"][reviewed].all()
    assert all(label is not None for sentence in analysis.relabelled for label in sentence.labels)
    assert not any(issue.sentence % 3 == 1 for issue in analysis.issues)


@pytest.mark.parametrize("dev", [True, False])
def test_with_more_labels_than_the_ratio_there_is_no_binary_round(dev: bool, tmp_path: Path) -> None:
    notes: list[Note] = []
    corpus = small_corpus(20)
    own = corpus if dev else Corpus(corpus.train)
    trained = run_to(tmp_path / "run", own, "method.entity_ratio=0.001", "method.ratio_margin=0.001", notes=notes)
    assert [path.name for path in trained.run.jobs.iterdir()] == ["typed"]
    assert any("no binary round" in note.detail for note in notes)
    assert trained.analysis is not None
    assert trained.analysis.columns["trusted"].all()


def test_a_single_sentence_is_enough(tmp_path: Path) -> None:
    corpus = Corpus((Sentence(("Ann", "met", "Bob"), ("B-PER", "O", "O")),))
    assert run_to(tmp_path / "run", corpus, "method.entity_ratio=0.6").analysis is not None


def test_the_recipe_is_the_published_protocol() -> None:
    recipe = load_recipe(method="cbl")
    training = recipe.training
    assert (training.optimizer, training.learning_rate, training.batch_size) == ("adam", 0.001, 32)
    assert (training.epochs, training.patience, training.loss, training.least_steps) == (45, 10, "sum", 0)
    assert recipe.method == {
        "name": "cbl",
        "entity_ratio": 0.0,
        "ratio_source": "auto",
        "ratio_margin": 0.05,
        "ratio_step": 0.02,
        "binary_epochs": 25,
        "initial_weights": "raw",
    }


def test_a_ratio_from_the_gold_column_is_said_to_be_one(tmp_path: Path) -> None:
    corpus = Corpus(small_corpus(20).train)
    changes = ("training.epochs=1", "method.binary_epochs=1", "method.ratio_step=0.2")
    trained = run_to(tmp_path / "run", corpus, *changes)
    assert trained.facts["ratio_source"] == "gold"
    reported = "\n".join(in_words(trained, small_recipe(*changes)))
    assert "no clean labels were used, except the gold column for the entity ratio." in reported

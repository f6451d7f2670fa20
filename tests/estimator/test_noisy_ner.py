"""Fitting finds what a run finds, says it in the order of the given sentences, and leaves nothing else behind."""

import json
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from seqeval.metrics import f1_score

import trustag
from tests.estimator.small import noisy_sentences, sentences, tiny
from tests.oracles import split_tag
from trustag import NoisyNER
from trustag.corpora.locating import read_corpus
from trustag.errors import InputError
from trustag.text.labels import Label
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.spans import Span, read_spans

X, Y = sentences()
NOISY_X, NOISY_Y, GOLD = noisy_sentences()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("estimator") / "run"


@pytest.fixture(scope="module")
def doubting(run: Path) -> NoisyNER:
    """An estimator fitted on noisy labels, whose run is kept."""
    return tiny("confidence").fit(NOISY_X, NOISY_Y, dev=(X[:5], Y[:5]), gold=GOLD, folder=run)


def test_what_was_found_is_in_the_order_of_the_sentences(doubting: NoisyNER) -> None:
    lengths = [len(row) for row in NOISY_X]
    assert doubting.confidence_ is not None
    assert doubting.trusted_ is not None
    for rows in (doubting.relabelled_, doubting.confidence_, doubting.trusted_):
        assert [len(row) for row in rows] == lengths
    for given, scores in zip(NOISY_Y, doubting.confidence_, strict=True):
        assert np.isnan(scores).tolist() == [label is None for label in given]
    labels = [list(row) for row in NOISY_Y]
    for change in doubting.changes_:
        assert NOISY_X[change.sentence][change.token] == change.text
        assert labels[change.sentence][change.token] == change.before
        labels[change.sentence][change.token] = change.after
    assert doubting.changes_
    assert labels == doubting.relabelled_
    assert not any(label is None for row in doubting.relabelled_ for label in row)


def test_it_says_what_its_run_says(doubting: NoisyNER, run: Path) -> None:
    filled = [row for row in doubting.relabelled_ if row]
    assert [list(sentence.labels) for sentence in read_corpus(str(run / "relabelled.conll")).train] == filled
    columns = np.load(run / "confidence.npz")
    assert np.concatenate([*(doubting.trusted_ or [])]).tolist() == columns["trusted"].tolist()
    known = columns["label"] >= 0
    assert np.concatenate([*(doubting.confidence_ or [])])[known].tolist() == columns["score"][known].tolist()
    rates, manifest = (json.loads((run / name).read_text()) for name in ("rates.json", "manifest.json"))
    assert json.loads(json.dumps(doubting.noise_rates_ and doubting.noise_rates_.summary())) == rates
    assert manifest["labels"]["detection"] == (doubting.detection_ and doubting.detection_.summary())
    assert set(manifest["data"]) == {"train", "dev"}
    assert [tuple(row) for row in doubting.predict(X)] == trustag.load(run).predict_tokens(X)
    assert [note.reason for note in doubting.notes_] == ["sentences without tokens in train"]


@pytest.mark.slow
def test_one_seed_one_result_with_any_number_of_workers(doubting: NoisyNER) -> None:
    again = tiny("confidence", workers=2).fit(NOISY_X, NOISY_Y, dev=(X[:5], Y[:5]))
    assert again.changes_ == doubting.changes_
    for one, other in zip(again.predict_marginals(X), doubting.predict_marginals(X), strict=True):
        assert one.tolist() == other.tolist()


def test_another_seed_gives_another_result() -> None:
    one, other = (tiny(seed=seed).fit(X, Y).predict_marginals(X[:1])[0] for seed in (1, 2))
    assert one.tolist() != other.tolist()


def test_believing_every_label_finds_nothing() -> None:
    plain = tiny("bilstm-crf").fit(NOISY_X, NOISY_Y)
    assert (plain.changes_, plain.relabelled_) == ((), NOISY_Y)
    assert (plain.confidence_, plain.trusted_, plain.noise_rates_, plain.detection_) == (None,) * 4


def entities(rows: Iterable[Iterable[Label]]) -> list[list[Span]]:
    return [list(read_spans(tuple(row))) for row in rows]


@pytest.fixture(scope="module")
def plain() -> NoisyNER:
    return tiny().fit(X, Y)


@pytest.mark.parametrize("scheme", Scheme)
def test_labels_of_any_scheme_teach_the_same_and_come_back_in_it(plain: NoisyNER, scheme: Scheme) -> None:
    fitted = tiny().fit(X, [convert_labels(row, scheme) for row in Y])
    found = fitted.predict(X)
    assert entities(found) == entities(plain.predict(X))
    assert {label for row in found for label in row} <= set(fitted.labels_)
    if scheme not in {Scheme.IOB1, Scheme.IOE1}:
        assert found == [list(convert_labels(row, scheme)) for row in found]
    for table, row in zip(fitted.predict_marginals(X), X, strict=True):
        assert table.shape == (len(row), len(fitted.classes_))
        assert table.sum(axis=1) == pytest.approx(np.ones(len(row)), abs=1e-5)


def test_probabilities_of_a_label_are_those_of_the_models_labels_that_it_covers(plain: NoisyNER) -> None:
    covers = {"B": "BS", "I": "IE", "O": "O"}
    inside = plain.model_.labels
    for ours, theirs in zip(plain.predict_marginals(X), plain.model_.predict_marginals(X), strict=True):
        for column, label in enumerate(plain.labels_):
            position, kind = split_tag(label)
            own = [i for i, name in enumerate(inside) if split_tag(name) in [(p, kind) for p in covers[position]]]
            assert ours[:, column] == pytest.approx(theirs[:, own].sum(axis=1), abs=1e-6)


def test_the_score_is_that_of_seqeval(plain: NoisyNER) -> None:
    wrong = [row if place % 2 else ["B-PER"] * len(row) for place, row in enumerate(Y)]
    for truth in (Y, wrong):
        assert plain.score(X, truth) == pytest.approx(f1_score(truth, [*plain.predict(X)]))


def test_any_kind_of_rows_is_taken(plain: NoisyNER) -> None:
    tokens, labels = np.empty(len(X), dtype=object), np.empty(len(X), dtype=object)
    tokens[:] = [np.array(row) for row in X]
    labels[:] = [tuple(row) for row in Y]
    assert tiny().fit(tokens, labels).predict(iter(X)) == plain.predict(tokens)
    assert plain.score(tokens, labels) == plain.score(X, Y)
    assert plain.predict([]) == []
    assert plain.predict([[], ["Ann"]])[0] == []


def test_tables_of_pandas_are_taken_for_sentences_and_labels(plain: NoisyNER) -> None:
    rows = [(n, t, s) for n, (words, own) in enumerate(zip(X, Y, strict=True)) for t, s in zip(words, own, strict=True)]
    frame = pd.DataFrame(rows, columns=["Sentence #", "Word", "Tag"])
    fitted = tiny().fit(frame, dev=frame)
    assert fitted.predict(X) == tiny().fit(X, Y, dev=(X, Y)).predict(X)
    assert plain.predict(frame) == plain.predict(X)
    assert plain.score(frame) == plain.score(X, Y)
    assert plain.model_.predict(frame) == plain.model_.predict(X)
    with pytest.raises(InputError, match="y: labels are in the table and given too"):
        tiny().fit(frame, Y)


def test_the_estimator_and_its_model_take_the_same_texts(plain: NoisyNER) -> None:
    model, texts = plain.model_, ["Ann met Bob in Rome.", "", "Rome"]
    tokens = [list(model.sentence(text).tokens) for text in texts]
    assert plain.predict(texts) == plain.predict(tokens)
    assert plain.predict(texts[0]) == plain.predict(tokens[:1])
    assert [len(table) for table in plain.predict_marginals(texts)] == [len(row) for row in tokens]
    shown = [[(entity.text, entity.label) for entity in row] for row in model.predict(texts)]
    assert [[(entity.text, entity.label) for entity in row] for row in model.predict(texts[0])] == shown[:1]
    by_tokens = model.predict(tokens)
    assert [[entity.label for entity in row] for row in by_tokens] == [[label for _, label in row] for row in shown]
    for row, words in zip(by_tokens, tokens, strict=True):
        assert all(" ".join(words)[entity.start : entity.end] == entity.text for entity in row)
    sure = model.predict(X, min_score=0.5)
    assert sure == [[entity for entity in row if entity.score >= 0.5] for row in model.predict(X)]


@pytest.mark.parametrize("texts", [3, [3], [["a", 3]]])
def test_what_is_no_text_is_one_clear_line(plain: NoisyNER, texts: Any) -> None:
    with pytest.raises(InputError, match="give a text, a list of texts, a list of token lists, or a table of pandas"):
        plain.model_.predict(texts)


def test_measured_rates_come_from_gold() -> None:
    fitted = tiny("confidence", "method.rates.source=oracle").fit(NOISY_X, NOISY_Y, gold=GOLD)
    pairs = [pair for rows in zip(NOISY_Y, GOLD, strict=True) for pair in zip(*rows, strict=True)]
    outside = [given == right for given, right in pairs if given == "O"]
    assert fitted.noise_rates_ is not None
    assert fitted.noise_rates_.rates.negative == pytest.approx(outside.count(False) / len(outside))
    assert fitted.noise_rates_.rates.positive == 0.0


def test_vectors_come_from_a_file(tmp_path: Path) -> None:
    words = sorted({word for row in X for word in row})
    lines = (f"{word} {place} 1 {-place}\n" for place, word in enumerate(words))
    (tmp_path / "vectors.txt").write_text("".join(lines))
    fitted = tiny().set_params(vectors=tmp_path / "vectors.txt").fit(X, Y)
    assert [note.detail for note in fitted.notes_ if note.reason == "word vectors know"] == [
        "100.0% of the tokens, 100.0% of the distinct words"
    ]


def test_repairs_are_noted_with_their_place() -> None:
    labels = [list(row) for row in Y]
    labels[7][0] = "I-PER"
    (note,) = tiny().fit(X, labels).notes_
    assert (note.kind, str(note.source)) == ("repaired", "X[7]")


def test_nothing_is_left_behind_and_torch_is_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    threads, state = torch.get_num_threads(), torch.get_rng_state()
    torch.set_num_threads(2)
    try:
        tiny().fit(X, Y)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)
    assert torch.equal(torch.get_rng_state(), state)
    assert list(tmp_path.iterdir()) == []


BAD_CALLS = [
    (tiny(), (X, Y[1:]), {}, "y: 19 label lists for 20 sentences; give one for each"),
    (tiny(), (X, [["O"], *Y[1:]]), {}, "y[0]: 1 labels for 6 tokens; give exactly 6"),
    (tiny(), (X, [["PER"] * 6, *Y[1:]]), {}, "y[1]: the tag 'B-PER' does not match the style of 'PER'; write all"),
    (tiny(), (X, [[1.0] * 6, *Y[1:]]), {}, "y[0]: the label 1.0 is neither a string nor None; labels are O,"),
    (tiny(), (X, ["O O O", *Y[1:]]), {}, "y[0]: 'O O O' where labels are expected; give a list of labels"),
    (tiny(), (X,), {}, "y: no labels are given; give a list of label lists"),
    (tiny(), (["Ann lives in Rome", *X[1:]], Y), {}, "X[0]: 'Ann lives in Rome' where tokens are expected; give a"),
    (tiny(), ("Ann lives", Y), {}, "X: a string where sentences are expected; give a list of token lists"),
    (tiny(), ([[3, "x"]], [["O", "O"]]), {}, "X[0]: the token 3 is no string; give a list of strings"),
    (tiny(), ([["a"], ["b"]], [["O"], [None]]), {}, "y: no label is part of an entity; give labels such as"),
    (tiny(), ([], []), {}, "X: there is no sentence with tokens; give a list of token lists"),
    (tiny(), (X, Y), {"gold": Y[1:]}, "gold: 19 label lists for 20 sentences; give one for each"),
    (tiny(), (X, Y), {"dev": X}, "dev is no pair of sentences and labels; give dev=(X, y)"),
    (tiny(), (X, Y), {"dev": (X, Y[:3])}, "dev[1]: 3 label lists for 20 sentences; give one for each"),
    (tiny(), (X, Y), {"folder": "tests"}, "tests: already exists; name a new folder"),
    (NoisyNER(), (X, Y), {}, "no word vectors are given; name a file or stored vectors (trustag vectors list), or"),
    (NoisyNER("confident"), (X, Y), {}, "no method called 'confident'; did you mean 'confidence'?"),
    (NoisyNER(recipe="slow"), (X, Y), {}, "no recipe called 'slow' and no such file; shipped recipes: "),
    (NoisyNER(settings="training.epochs=3"), (X, Y), {}, "settings='training.epochs=3' is no list of strings; give"),
    (tiny().set_params(workers=0), (X, Y), {}, "workers=0 is no number of processes; give 1 or more"),
    (tiny().set_params(random_state="a"), (X, Y), {}, "random_state='a' is no whole number; give one, or None"),
    (tiny().set_params(vectors="nope.txt"), (X, Y), {}, "nope.txt: no such file, and no vectors"),
]


@pytest.mark.parametrize(
    ("estimator", "rows", "options", "message"), BAD_CALLS, ids=[call[3][:40] for call in BAD_CALLS]
)
def test_bad_calls_are_one_clear_line(
    estimator: NoisyNER, rows: tuple[list[list[str]], ...], options: dict[str, list[list[Label]]], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        estimator.fit(*rows, **options)  # type: ignore[arg-type] # wrong on purpose
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert not estimator.__sklearn_is_fitted__()


def test_trusted_sentences_replace_given_labels_and_what_was_found_keeps_its_order() -> None:
    known, places = 20, [4, 1]  # sentences of X that are trusted, in another order, beside some that X does not hold
    more = [["Zoe", *row] for row in X[:known]]
    trusted = ([NOISY_X[place] for place in places] + more, [GOLD[place] for place in places] + [["O", *y] for y in Y])
    found = tiny("confidence").fit(NOISY_X, NOISY_Y, trusted=trusted)
    assert found.confidence_ is not None
    assert found.trusted_ is not None
    for place in places:
        assert found.relabelled_[place] == GOLD[place]
        same = [old == new for old, new in zip(NOISY_Y[place], GOLD[place], strict=True)]
        assert found.trusted_[place].tolist() == same
        assert [bool(score > 0) for score in found.confidence_[place]] == same
    labels = [list(row) for row in NOISY_Y]
    for change in found.changes_:
        assert NOISY_X[change.sentence][change.token] == change.text
        assert labels[change.sentence][change.token] == change.before
        labels[change.sentence][change.token] = change.after
    assert labels == found.relabelled_
    assert [len(row) for row in found.confidence_] == [len(row) for row in NOISY_X]


def test_trusted_sentences_must_be_pairs() -> None:
    with pytest.raises(InputError, match="trusted is no pair"):
        tiny().fit(X, Y, trusted=X)

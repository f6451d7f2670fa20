"""Speed of tagging beside a feature-based CRF (sklearn-crfsuite), on one thread, in one run.

``python -m benchmarks.decoding --data FOLDER --vectors FOLDER --output results/decoding.json`` trains both on English
CoNLL, then lets them tag its test split: all sentences in one call, and one sentence a call. The features of the
feature-based tagger are part of its work. Times are processor time, the least of rounds in which the contenders take
turns. Ours is measured twice: freshly loaded, when every word is new to it, and once it has seen the words.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from sklearn_crfsuite import CRF

from benchmarks.machine import aligned, origin, write_result
from trustag.corpora.locating import CorpusOptions, read_corpus
from trustag.export.model_loading import load
from trustag.models.prediction import Predictor
from trustag.models.saving import load_model
from trustag.notes import unwatched
from trustag.text.sentences import Corpus

CORPUS: Final = "conll03_en"
VECTORS: Final = "english_100d.txt.gz"
EPOCHS: Final = 2
ROUNDS: Final = 7
OURS, OURS_FRESH, THEIRS = "trustag", "trustag, freshly loaded", "sklearn-crfsuite"
MILLISECOND: Final = 1.0

Tokens = tuple[str, ...]
Single = Callable[[Tokens], object]


class Times(NamedTuple):
    """Seconds for all sentences in one call, and for each sentence in a call of its own."""

    together: float
    alone: list[float]


def features(tokens: Sequence[str], place: int) -> dict[str, object]:
    """Return the usual features of a word: its lower form, endings and shape, and its neighbours."""
    word = tokens[place]
    found: dict[str, object] = {
        "bias": 1.0,
        "word.lower": word.lower(),
        "word[-3:]": word[-3:],
        "word[-2:]": word[-2:],
        "word.isupper": word.isupper(),
        "word.istitle": word.istitle(),
        "word.isdigit": word.isdigit(),
    }
    for offset, border in ((-1, "BOS"), (1, "EOS")):
        if 0 <= place + offset < len(tokens):
            neighbour = tokens[place + offset]
            found[f"{offset}:word.lower"] = neighbour.lower()
            found[f"{offset}:word.isupper"] = neighbour.isupper()
            found[f"{offset}:word.istitle"] = neighbour.istitle()
        else:
            found[border] = True
    return found


def all_features(tokens: Sequence[str]) -> list[dict[str, object]]:
    """Return the features of every word of a sentence."""
    return [features(tokens, place) for place in range(len(tokens))]


def train_ours(data: Path, vectors: Path, folder: Path) -> None:
    """Leave a run in ``folder``; two epochs suffice, since speed does not depend on the scores."""
    command = [sys.executable, "-m", "trustag", "train", str(data / CORPUS), "-o", str(folder)]
    command += ["--vectors", str(vectors / VECTORS), "--method", "bilstm-crf"]
    command += ["--set", f"training.epochs={EPOCHS}", "--quiet"]
    subprocess.run(command, check=True, capture_output=True)


def train_theirs(corpus: Corpus) -> Any:
    """Return the feature-based tagger with the settings of its tutorial."""
    tagger = CRF(algorithm="lbfgs", c1=0.1, c2=0.1, max_iterations=100, all_possible_transitions=True)
    return tagger.fit([all_features(s.tokens) for s in corpus.train], [s.labels for s in corpus.train])


def timed(together: Callable[[list[Tokens]], object], alone: Single, sentences: list[Tokens]) -> Times:
    """Return how long ``sentences`` take at once and one by one."""
    begin = time.process_time()
    together(sentences)
    seconds = time.process_time() - begin
    singles = []
    for tokens in sentences:
        begin = time.process_time()
        alone(tokens)
        singles.append(time.process_time() - begin)
    return Times(seconds, singles)


def ours(predictors: tuple[Predictor, Predictor], sentences: list[Tokens]) -> Times:
    """Return the times of our taggers: the first tags all at once, the second one by one."""
    first, second = predictors
    return timed(first.predict_tokens, lambda tokens: second.predict_tokens([tokens]), sentences)


def measure(run: Path, theirs: Any, sentences: list[Tokens]) -> dict[str, Times]:
    """Return the least times of every contender over all rounds."""
    warm = (load(run), load(run))
    ours(warm, sentences)
    contenders: dict[str, Callable[[], Times]] = {
        OURS: lambda: ours(warm, sentences),
        OURS_FRESH: lambda: ours((load(run), load(run)), sentences),
        THEIRS: lambda: timed(
            lambda every: theirs.predict([all_features(tokens) for tokens in every]),
            lambda tokens: theirs.predict_single(all_features(tokens)),
            sentences,
        ),
    }
    rounds: dict[str, list[Times]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, work in contenders.items():
            rounds[name].append(work())
    return {
        name: Times(min(t.together for t in found), [min(each) for each in zip(*(t.alone for t in found), strict=True)])
        for name, found in rounds.items()
    }


def product_floor(run: Path) -> float:
    """Return the seconds that the products of the sentence LSTM with its state take for one token, nothing else."""
    weights = load_model(run).network.get_parameter("encoder.sentence_lstm.recurrent_weights").detach().numpy()
    state, product = np.ones((2, 1, weights.shape[1]), np.float32), np.empty((2, 1, weights.shape[2]), np.float32)
    least, calls = float("inf"), 1000
    for _ in range(20):
        begin = time.process_time()
        for _ in range(calls):
            np.matmul(state, weights, product)
        least = min(least, (time.process_time() - begin) / calls)
    return least


def summary(name: str, times: Times, sentences: list[Tokens]) -> dict[str, Any]:
    """Return what is reported of one contender."""
    lengths = [len(tokens) for tokens in sentences]
    longest = lengths.index(max(lengths))
    return {
        "library": name,
        "together_seconds": round(times.together, 4),
        "together_microseconds_per_token": round(times.together * 1e6 / sum(lengths), 2),
        "alone_seconds": round(sum(times.alone), 4),
        "alone_mean_milliseconds": round(mean(times.alone) * 1e3, 4),
        "alone_median_milliseconds": round(median(times.alone) * 1e3, 4),
        "alone_longest_milliseconds": round(times.alone[longest] * 1e3, 4),
    }


def goals(found: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return each goal: what was found, what was wanted, whether it is reached."""
    mine, fresh, theirs = found[OURS], found[OURS_FRESH], found[THEIRS]
    wanted: dict[str, tuple[float, float, bool]] = {}
    for name, row in ((OURS, mine), (OURS_FRESH, fresh)):
        ratio = round(theirs["together_seconds"] / row["together_seconds"], 2)
        wanted[f"times as fast as {THEIRS}, in batches ({name})"] = (ratio, 1.0, ratio > 1)
        ratio = round(theirs["alone_seconds"] / row["alone_seconds"], 2)
        wanted[f"times as fast as {THEIRS}, one at a time ({name})"] = (ratio, 1.0, ratio > 1)
        for middle in ("mean", "median"):
            milliseconds = row[f"alone_{middle}_milliseconds"]
            wanted[f"{middle} milliseconds of one sentence ({name})"] = (milliseconds, 1.0, milliseconds < MILLISECOND)
    return {name: {"found": value, "goal": goal, "passed": passed} for name, (value, goal, passed) in wanted.items()}


def main() -> None:
    """Train, measure, print a table and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help=f"the folder that holds {CORPUS}")
    parser.add_argument("--vectors", type=Path, required=True, help=f"the folder that holds {VECTORS}")
    parser.add_argument("--output", type=Path, required=True, help="the result file to write")
    arguments = parser.parse_args()
    for needed in (arguments.data / CORPUS, arguments.vectors / VECTORS):
        if not needed.exists():
            print(f"{needed} is not there; the speed of tagging is not measured")
            return
    torch.set_num_threads(1)
    corpus = read_corpus(str(arguments.data / CORPUS), CorpusOptions(), unwatched)
    sentences = [sentence.tokens for sentence in corpus.test if sentence.tokens]
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        train_ours(arguments.data, arguments.vectors, run)
        times = measure(run, train_theirs(corpus), sentences)
        floor = product_floor(run)
    found = {name: summary(name, each, sentences) for name, each in times.items()}
    print(aligned([list(found[OURS]), *(list(row.values()) for row in found.values())]))
    lengths = [len(tokens) for tokens in sentences]
    write_result(
        arguments.output,
        {
            **origin(("torch", "numpy", "sklearn-crfsuite", "python-crfsuite")),
            "corpus": CORPUS,
            "sentences": len(lengths),
            "tokens": sum(lengths),
            "mean_tokens": round(mean(lengths), 1),
            "longest_tokens": max(lengths),
            "threads": 1,
            "floor_milliseconds": round(floor * mean(lengths) * 1e3, 4),
            "measurements": list(found.values()),
            "goals": goals(found),
        },
    )


if __name__ == "__main__":
    main()

"""Learn from the noisy labels of the built-in corpus with NoisyNER, and see which of them it does not trust.

``python examples/noisy_ner.py`` trains for two processor minutes; ``--sentences`` and ``--epochs`` make it shorter. It
shows how to call things, not what they gain: word vectors are random and there is one seed, so that on parts of the
corpus trusting every label may well win. Comparisons with real vectors and several seeds are in docs/results.md.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from trustag import NoisyNER
from trustag.corpora.locating import read_corpus
from trustag.text.sentences import Sentence


def tokens(sentences: Sequence[Sentence]) -> list[list[str]]:
    """Return the tokens of each sentence: X."""
    return [list(sentence.tokens) for sentence in sentences]


def labels(sentences: Sequence[Sentence]) -> list[list[str | None]]:
    """Return the labels of each sentence: y."""
    return [list(sentence.labels) for sentence in sentences]


def gold_labels(sentences: Sequence[Sentence]) -> list[list[str | None]]:
    """Return the right labels of each sentence, which the built-in corpus carries beside the noisy ones."""
    return [list(sentence.gold or sentence.labels) for sentence in sentences]


def show_findings(ner: NoisyNER, gold: Sequence[Sequence[str | None]]) -> None:
    """Print what was found of the labels, and the clearest changes with the right label beside them."""
    if ner.noise_rates_ is not None:
        rates = ner.noise_rates_.rates
        print(f"\nestimated noise: {rates.negative:.1%} of the O labels, {rates.positive:.1%} of the entity labels")
    if ner.detection_ is not None:
        for kind, found in (("O", ner.detection_.negative), ("entity", ner.detection_.positive)):
            print(f"distrusted {kind} labels: {found.found}, really wrong: {found.precision:.0%} of them")
    print(f"changed labels: {len(ner.changes_)}; the clearest of those that were O:")
    missed = [change for change in ner.changes_ if change.before == "O"]
    for change in sorted(missed, key=lambda change: change.score_after, reverse=True)[:8]:
        right = gold[change.sentence][change.token]
        print(f"  {change.text:<16} {change.before} -> {change.after} ({change.score_after:.2f}), gold {right}")


def main() -> None:
    """Fit a tagger that trusts every label and one that does not, and compare them."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sentences", type=int, help="of the training corpus; all by default")
    options.add_argument("--epochs", type=int, default=10, help="of the final model; the others get fewer")
    options.add_argument("--workers", type=int, default=2, help="trainings side by side")
    chosen = options.parse_args()

    corpus = read_corpus("demo")
    train = corpus.train[: chosen.sentences]
    gold = gold_labels(train)
    epochs = f"training.epochs={chosen.epochs}"
    settings = [
        epochs,
        f"method.rounds.fold_epochs={min(chosen.epochs, 8)}",
        f"method.rates.estimate_epochs={min(chosen.epochs, 4)}",
    ]
    # Random word vectors, so that nothing has to be fetched; real ones are better.
    plain = NoisyNER("bilstm-crf", settings=[epochs], vectors="random", random_state=1)
    doubting = NoisyNER("confidence", settings=settings, vectors="random", random_state=1, workers=chosen.workers)
    for ner in (plain, doubting):
        ner.fit(tokens(train), labels(train), dev=(tokens(corpus.dev), labels(corpus.dev)), gold=gold)
        print(f"{ner.method}: F1 {ner.score(tokens(corpus.test), labels(corpus.test)):.3f} on clean test sentences")
    show_findings(doubting, gold)

    with tempfile.TemporaryDirectory() as folder:
        doubting.save(Path(folder) / "ner")
        again = NoisyNER.load(Path(folder) / "ner")
    print("\nsaved, loaded, and asked about a new sentence:")
    sentence = ["Anna", "Keller", "moved", "from", "Lisbon", "to", "Geneva", "."]
    for token, label in zip(sentence, again.predict([sentence])[0], strict=True):
        print(f"{token:<16} {label}")


# Workers are new processes that import this file, so what begins them must stand behind this line.
if __name__ == "__main__":
    main()

"""Sentences of which a tiny tagger learns something within a second."""

from itertools import product

from trustag import NoisyNER

TINY = (
    "bilstm.words=12",
    "bilstm.hidden=12",
    "bilstm.characters=4",
    "bilstm.character_hidden=4",
    "bilstm.dropout=0.1",
    "training.epochs=3",
    "training.batch_size=2",
    "training.learning_rate=0.05",
    "training.average=0.0",
)
OF_METHODS = {
    "bilstm-crf": (),
    "self-training": ("method.rounds.fold_epochs=2",),
    "confidence": ("method.rounds.fold_epochs=2", "method.rates.estimate_epochs=1"),
}
PEOPLE = (("Ann", "Lee"), ("Bob",), ("Cleo", "van", "Dam"), ("Dora",))
PLACES = (("Rome",), ("New", "York"), ("Oslo",), ("Bern",), ("Rio",))


def tiny(method: str = "bilstm-crf", *settings: str, seed: int = 1, workers: int = 1) -> NoisyNER:
    """Return an estimator that is quick to fit."""
    chosen = [*TINY, *OF_METHODS[method], *settings]
    return NoisyNER(method, settings=chosen, vectors="random", random_state=seed, workers=workers)


def sentences() -> tuple[list[list[str]], list[list[str | None]]]:
    """Return twenty sentences and their right labels."""
    tokens, labels = [], []
    for person, place in product(PEOPLE, PLACES):
        tokens.append([*person, "lives", "in", *place, "."])
        labels.append([*spelled(person, "PER"), "O", "O", *spelled(place, "LOC"), "O"])
    return tokens, labels


def noisy_sentences() -> tuple[list[list[str]], list[list[str | None]], list[list[str | None]]]:
    """Return the same with a sentence without tokens, noisy labels (some hidden, some unknown), and the right ones."""
    tokens, gold = sentences()
    tokens.insert(2, [])
    gold.insert(2, [])
    noisy: list[list[str | None]] = [[*row] for row in gold]
    for place in range(1, len(noisy), 3):
        noisy[place] = ["O"] * len(noisy[place])
    noisy[3][-1] = None
    noisy[6] = [None] * len(noisy[6])
    return tokens, noisy, gold


def spelled(words: tuple[str, ...], kind: str) -> list[str | None]:
    """Return an entity in IOB2."""
    return [f"B-{kind}", *[f"I-{kind}"] * (len(words) - 1)]

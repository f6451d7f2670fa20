"""Systems that train in a second."""

from trustag.experiments.systems import System

SHORT = ("training.epochs=1", "bilstm.hidden=8", "bilstm.words=8")
ROUNDS = (*SHORT, "method.rounds.fold_epochs=1", "method.rounds.baseline=false")
GRID = "method.rates.grid={ negative = [0.0, 0.1, 0.1], positive = [0.0, 0.0, 0.1] }"
SYSTEMS = {
    "plain": System("bilstm-crf", SHORT),
    "gold labels": System("bilstm-crf", SHORT, gold_labels=True),
    "self-training": System("self-training", ROUNDS),
    "method": System("confidence", (*ROUNDS, "method.rates.estimate_epochs=1", "method.rounds.count=2")),
    "searched": System("confidence", (*ROUNDS, "method.rates.source=searched", GRID), shares_rates=True),
}
SIZES = {"train": 30, "dev": 10, "test": 10}

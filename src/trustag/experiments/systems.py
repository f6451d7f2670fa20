"""Systems of an experiment: a method with its settings, and the ones that the results compare."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from trustag.experiments.corpora import ExperimentCorpus
from trustag.methods.table import choose_method, load_recipe
from trustag.recipes.settings import Recipe


@dataclass(frozen=True, slots=True)
class System:
    """What is trained: a method, a recipe and changed settings, on the given labels or on the gold labels.

    With ``advised_vectors`` it starts from the word vectors that a user of the language is advised to download; with
    ``context`` the encoder of that name adds its frozen embeddings, which must suit the ``context_language``. With
    ``shares_rates`` noise rates are searched with the first seed, and the other seeds are given what that one found.
    """

    method: str
    settings: tuple[str, ...] = ()
    recipe: str = "fast"
    gold_labels: bool = False
    advised_vectors: bool = False
    context: str = ""
    shares_rates: bool = False
    context_language: str = "english"

    def suits(self, corpus: ExperimentCorpus) -> bool:
        """Tell whether it can be trained on a corpus."""
        return not self.context or corpus.language == self.context_language

    def vectors(self, corpus: ExperimentCorpus) -> str:
        """Return the word vectors that it starts from on a corpus, nothing for random ones."""
        return corpus.advised_vectors if self.advised_vectors else corpus.vectors

    def resolved(self, changes: Sequence[str] = ()) -> Recipe:
        """Return its recipe with every setting written out, after further ``section.key=value`` changes."""
        return load_recipe(self.recipe, [*self.settings, *changes], self.method)

    def checksum(self) -> str:
        """Return a checksum of all settings that differ from their defaults, so that a changed recipe shows.

        A new setting that changes nothing by default leaves the checksum as it is, and repeats no training.
        """
        recipe = self.resolved()
        chosen = choose_method(recipe)
        values = recipe.model_dump(mode="json", exclude={"method"}, exclude_defaults=True)
        values["method"] = {"name": chosen.name, **chosen.settings.model_dump(mode="json", exclude_defaults=True)}
        return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:12]


# Five points for each rate, nine pairs; the paper's 21 cost five times as much, and for the entity labels of distant
# supervision its highest rate of 0.2 is too low.
_COARSE_GRID: Final = "method.rates.grid={ negative = [0.0, 0.2, 0.05], positive = [0.0, 0.6, 0.15] }"
# The baseline is a system of its own, so that no other has to train it once more.
_NO_BASELINE: Final = "method.rounds.baseline=false"


def _confidence(*settings: str, advised_vectors: bool = False, context: str = "") -> System:
    return System("confidence", (_NO_BASELINE, *settings), advised_vectors=advised_vectors, context=context)


SYSTEMS: Final[Mapping[str, System]] = {
    "gold labels": System("bilstm-crf", gold_labels=True),
    "plain": System("bilstm-crf"),
    "self-training": System("self-training", (_NO_BASELINE,)),
    "method": _confidence(),
    "method, local": _confidence("method.scoring=local"),
    "method, no calibration": _confidence("method.calibration=false"),
    "method, oracle rates": _confidence("method.rates.source=oracle"),
    "method, dev rates": _confidence("method.rates.source=dev"),
    "method, searched rates": System(
        "confidence", (_NO_BASELINE, "method.rates.source=searched", _COARSE_GRID), shares_rates=True
    ),
    "gold labels, recipe paper": System("bilstm-crf", recipe="paper", gold_labels=True),
    "gold labels, fetched vectors": System("bilstm-crf", gold_labels=True, advised_vectors=True),
    "method, fetched vectors": _confidence(advised_vectors=True),
    "method, dev rates, fetched vectors": _confidence("method.rates.source=dev", advised_vectors=True),
    "gold labels, context": System("bilstm-crf", gold_labels=True, context="minilm"),
    "plain, context": System("bilstm-crf", context="minilm"),
    "method, context": _confidence(context="minilm"),
    "gold labels, mpnet-base": System("bilstm-crf", gold_labels=True, context="mpnet-base"),
    "plain, mpnet-base": System("bilstm-crf", context="mpnet-base"),
    "method, mpnet-base": _confidence(context="mpnet-base"),
}
"""The systems of the results table, under the names that result files know them by."""

_CHANGES: Final = {
    "common words believed": "method.sentence_initial_words=visible",
    "words of longer names believed": "method.truncated_entities=visible",
    "names told each time": "method.negatives_per_name=0",
    "one rate for all entity labels": "method.rates.rates_per=none",
    "ranked in batches": "method.parity.ranking=batch",
    "the last pass alone": "method.ema_decay=0.0",
    "fold vectors learn": "method.rounds.fold_finetune_vectors=true",
    "final vectors frozen": "bilstm.finetune_vectors=false",
    "weights not averaged": "training.average=0.0",
    "hard relabelling": "method.rounds.relabel=hard",
    "soft relabelling": "method.rounds.relabel=soft",
    "entity labels pinned": "method.rounds.reannotate=outside",
    "confidence in the final model": "method.parity.final_confidence=true",
    "legal paths not enforced": "model.constraints=none",
    "four folds": "method.rounds.folds=4",
    "two rounds": "method.rounds.count=2",
}

ABLATIONS: Final[Mapping[str, System]] = {name: _confidence(change) for name, change in _CHANGES.items()}
"""What each choice of the default recipe is worth: the method with one setting changed."""

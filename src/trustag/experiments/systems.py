"""Systems of an experiment: a method with its settings."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from trustag.experiments.corpora import ExperimentCorpus
from trustag.methods.table import choose_method, load_recipe
from trustag.recipes.settings import Recipe


@dataclass(frozen=True, slots=True)
class System:
    """What is trained: a method, a recipe and changed settings, on the given labels or on the gold labels.

    With ``advised_vectors`` it starts from the word vectors that a user of the language is advised to download; with
    ``context`` the encoder of that name adds its frozen embeddings, which must suit the ``context_language``. With
    ``shares_rates`` noise rates are searched with the first seed, and the other seeds are given what that one found.
    Where ``corpora`` are named, it is trained on these alone.
    """

    method: str
    settings: tuple[str, ...] = ()
    recipe: str = "fast"
    gold_labels: bool = False
    advised_vectors: bool = False
    context: str = ""
    shares_rates: bool = False
    context_language: str = "english"
    corpora: tuple[str, ...] = ()

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

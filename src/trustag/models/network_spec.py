"""What networks of a run are made from."""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from trustag.models.context import Context
from trustag.recipes.network_settings import NetworkSettings


@dataclass(frozen=True, slots=True)
class GivenVectors:
    """Word vectors to start from: the words and a row for each."""

    words: Sequence[str]
    rows: Tensor


@dataclass(frozen=True, slots=True)
class NetworkSpec:
    """What networks of a run are made from: settings, word vectors to start from, frozen embeddings beside them.

    ``finetune_vectors`` says whether the word vectors of this network learn, whatever the settings say of others.
    """

    settings: NetworkSettings
    vectors: GivenVectors | None
    context: Context | None
    finetune_vectors: bool

    @property
    def legal_only(self) -> bool:
        """Whether predictions are kept to legal label sequences."""
        return self.settings.model.constraints != "none"

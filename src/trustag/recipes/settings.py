"""Every setting that all methods share, checked once: what it may be, its default, and what it does.

The defaults are the recipe ``fast``.
"""

from typing import Any, Literal

from pydantic import Field

from trustag.recipes.network_settings import BiLSTMSettings, ModelSettings, NetworkSettings, TransformerSettings
from trustag.recipes.sections import (
    LARGEST_SEED,
    Count,
    CountOrNone,
    Positive,
    PositiveOrNone,
    Section,
    Share,
    advanced,
)

DEFAULT_METHOD = "confidence"


class DataSettings(Section):
    """How corpora are read."""

    on_illegal: Literal["repair", "error"] = Field(
        default="repair", description="labels that their scheme forbids: read as conlleval does and listed, or refused"
    )


class TrainingSettings(Section):
    """The training loop."""

    seed: int = Field(
        default=1, ge=0, le=LARGEST_SEED, description="seed of all random draws; the same seed gives the same result"
    )
    epochs: Count = Field(default=16, description="passes over the training sentences, at most")
    least_steps: CountOrNone = Field(
        default=1000,
        description="a small corpus gets more epochs, up to 200, until there are this many steps; 0: exactly epochs",
    )
    batch_size: Count = Field(default=32, description="sentences per step, at most")
    batch_tokens: CountOrNone = advanced(2048, "tokens per step on average, at most, in bucketed batches; 0: no limit")
    batches: Literal["bucketed", "shuffled", "fixed"] = advanced(
        "bucketed", "by similar length; at random; or drawn once and kept, as the published code does"
    )
    loss: Literal["mean", "sum"] = advanced("mean", "mean or sum of the losses of the sentences of a batch")
    optimizer: Literal["adamw", "adam", "sgd"] = Field(default="adamw", description="optimizer")
    learning_rate: Positive = Field(default=6e-3, description="peak learning rate")
    weight_decay: PositiveOrNone = Field(default=0.01, description="weight decay")
    warmup: Share = Field(default=0.1, description="share of all steps in which the learning rate rises")
    schedule: Literal["linear", "constant"] = advanced("linear", "the learning rate after warm-up")
    clip: PositiveOrNone = advanced(5.0, "largest norm of the gradient; 0: no clipping")
    average: Share = advanced(0.998, "decay of the weight EMA used for evaluation (0: off)")
    stopping: Literal["dev", "plateau", "none"] = Field(
        default="dev",
        description="keep the epoch with the best dev F1 (the last without dev); stop when the loss stalls; or never",
    )
    evaluator: Literal["conlleval", "published"] = advanced(
        "conlleval", "how entities are counted on dev and test; published repeats a bug of the published code"
    )
    patience: Count = Field(default=8, description="epochs without improvement before stopping")
    snapshot_seconds: PositiveOrNone = advanced(
        20.0, "least seconds between two snapshots, which are written at the end of an epoch"
    )
    device: str = Field(default="auto", description="auto, cpu, cuda, cuda:1, mps")


class Recipe(Section):
    """All settings of a run; those of the method are checked by the method that ``method`` names."""

    data: DataSettings = DataSettings()
    model: ModelSettings = ModelSettings()
    bilstm: BiLSTMSettings = BiLSTMSettings()
    transformer: TransformerSettings = TransformerSettings()
    training: TrainingSettings = TrainingSettings()
    method: dict[str, Any] = Field(default={"name": DEFAULT_METHOD}, description="the method and its own settings")

    @property
    def network(self) -> NetworkSettings:
        """What the network is made of."""
        return NetworkSettings(model=self.model, bilstm=self.bilstm, transformer=self.transformer)

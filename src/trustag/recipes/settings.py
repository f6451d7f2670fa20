"""Every setting of a run, checked once: what it may be, what it is by default, and what it does."""

from typing import Literal

from pydantic import Field

from trustag.recipes.doubt_settings import ConfidenceSettings, RateSettings, RoundSettings
from trustag.recipes.network_settings import BiLSTMSettings, ModelSettings, TransformerSettings
from trustag.recipes.sections import Count, Positive, Section, Share


class DataSettings(Section):
    """How corpora are taken in."""

    on_illegal: Literal["repair", "error"] = Field(
        default="repair", description="labels their scheme forbids: read as conlleval does and listed, or refused"
    )


class TrainingSettings(Section):
    """The training loop."""

    seed: int = Field(default=1, ge=0, description="one seed, one result")
    epochs: Count = Field(default=8, description="passes over the training sentences, at most")
    least_steps: int = Field(
        default=0,
        ge=0,
        description="a small corpus is passed over more often, until there are so many steps or 200 passes; 0 with set "
        "epochs",
    )
    batch_size: Count = Field(default=32, description="sentences a step, at most")
    batch_tokens: int = Field(
        default=2048, ge=0, description="tokens a step on average, at most, in bucketed batches; 0 for any number"
    )
    batches: Literal["bucketed", "shuffled", "fixed"] = Field(
        default="bucketed", description="by similar length; at random; or drawn once and kept, as the paper's code does"
    )
    loss: Literal["mean", "sum"] = Field(default="mean", description="over the sentences of a batch")
    optimizer: Literal["adamw", "adam", "sgd"] = Field(
        default="adamw", description="how parameters follow the gradient"
    )
    learning_rate: Positive = Field(default=6e-3, description="at its height")
    momentum: Share = Field(default=0.0, description="of sgd")
    weight_decay: float = Field(default=0.01, ge=0, description="pull towards zero")
    warmup: Share = Field(default=0.1, description="share of all steps in which the learning rate rises")
    schedule: Literal["linear", "constant"] = Field(
        default="linear", description="what the learning rate does afterwards"
    )
    clip: float = Field(default=5.0, ge=0, description="largest norm of the gradient; 0 leaves it alone")
    average: Share = Field(
        default=0.0, description="decay of the moving average of the weights that is used; 0 uses the weights"
    )
    stopping: Literal["dev", "plateau", "none"] = Field(
        default="dev",
        description="keep the epoch with the best dev F1 (the last without dev); stop when the loss stalls; or never",
    )
    evaluator: Literal["conlleval", "published"] = Field(
        default="conlleval",
        description="how entities are counted on dev and test; published repeats a fault of the code",
    )
    patience: Count = Field(default=5, description="epochs without improvement before stopping")
    snapshot_seconds: float = Field(
        default=20.0, ge=0, description="models and snapshots are written at the end of an epoch, not oftener than this"
    )
    device: str = Field(default="auto", description="auto, cpu, cuda, cuda:1, mps")


class Recipe(Section):
    """All settings of a run."""

    data: DataSettings = DataSettings()
    model: ModelSettings = ModelSettings()
    bilstm: BiLSTMSettings = BiLSTMSettings()
    transformer: TransformerSettings = TransformerSettings()
    training: TrainingSettings = TrainingSettings()
    confidence: ConfidenceSettings = ConfidenceSettings()
    rates: RateSettings = RateSettings()
    rounds: RoundSettings = RoundSettings()

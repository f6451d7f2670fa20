"""Every setting of a run, checked once: what it may be, what it is by default, and what it does."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0, lt=1)]
Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0)]


class Section(BaseModel):
    """A group of settings; unknown names and wrong types are errors."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class DataSettings(Section):
    """How corpora are taken in."""

    on_illegal: Literal["repair", "error"] = Field(
        default="repair", description="labels their scheme forbids: read as conlleval does and listed, or refused"
    )


class ModelSettings(Section):
    """The network: an encoder, a projection, and a chain over the labels."""

    encoder: Literal["bilstm", "transformer"] = Field(default="bilstm", description="what turns tokens into features")
    chain: bool = Field(default=True, description="a CRF over the labels; without it every token is decided by itself")
    constraints: Literal["none", "decoding", "training"] = Field(
        default="decoding", description="where illegal label sequences are ruled out; training includes decoding"
    )


class BiLSTMSettings(Section):
    """The BiLSTM encoder: word vectors, characters, sentence."""

    vectors: str = Field(default="", description="file of word vectors, or the name of a source (trustag vectors list)")
    random_vectors: bool = Field(default=False, description="train on random word vectors when no file is given")
    vectors_learn: bool = Field(
        default=False, description="let the word vectors learn; frozen ones cannot memorise noise"
    )
    vectors_rate: Positive = Field(default=1.0, description="learning rate of the word vectors relative to the rest")
    kept_vectors: int = Field(
        default=100_000, ge=0, description="vectors kept for words outside the corpus, so that prediction knows them"
    )
    words: Count = Field(default=100, description="width of random word vectors")
    characters: Count = Field(default=25, description="width of character embeddings")
    character_hidden: Count = Field(default=25, description="hidden units a direction over the characters of a word")
    hidden: Count = Field(default=100, description="hidden units a direction over the sentence")
    dropout: Share = Field(default=0.5, description="on characters, on the sentence's inputs and on its outputs")
    word_dropout: Share = Field(default=0.0, description="share of words made unknown while training")
    min_count: Count = Field(default=2, description="a word without a vector gets its own when it occurs this often")
    case_fallback: bool = Field(
        default=True, description="look a word up in lower case when its own spelling has no vector"
    )
    fold_digits: bool = Field(default=True, description="look a word up with every digit read as 0")


class TransformerSettings(Section):
    """The transformer encoder: a Hugging Face model, pooled to words."""

    name: str = Field(default="", description="folder or name of a Hugging Face encoder")
    pooling: Literal["first", "last", "mean"] = Field(
        default="first", description="how the pieces of a word become one"
    )
    layer: int = Field(default=-1, description="which hidden layer gives the features; -1 is the last")
    character_hidden: int = Field(
        default=0, ge=0, description="units a direction that read the characters of each word beside the transformer"
    )
    window: Count = Field(default=512, description="pieces read at once; longer sentences are read in windows")
    dropout: Share = Field(default=0.2, description="on the features")
    stride: Count = Field(default=64, description="pieces of context shared by the windows of a long sentence")
    rate: Positive = Field(default=0.01, description="learning rate of the transformer relative to the rest")


class TrainingSettings(Section):
    """The training loop."""

    seed: int = Field(default=1, ge=0, description="one seed, one result")
    epochs: Count = Field(default=8, description="passes over the training sentences, at most")
    batch_size: Count = Field(default=32, description="sentences a step")
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
    patience: Count = Field(default=5, description="epochs without improvement before stopping")
    device: str = Field(default="auto", description="auto, cpu, cuda, cuda:1, mps")


class Recipe(Section):
    """All settings of a run."""

    data: DataSettings = DataSettings()
    model: ModelSettings = ModelSettings()
    bilstm: BiLSTMSettings = BiLSTMSettings()
    transformer: TransformerSettings = TransformerSettings()
    training: TrainingSettings = TrainingSettings()

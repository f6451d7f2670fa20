"""Every setting of a run, checked once: what it may be, what it is by default, and what it does."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Share = Annotated[float, Field(ge=0, lt=1)]
Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0)]


def _numbers(value: Any) -> Any:
    """Return what is written as ``3,5``, as a single ``3`` or as a list in the one form that is checked."""
    if isinstance(value, str):
        parts = [part.strip() for part in value.split(",") if part.strip()]
        return tuple(int(part) for part in parts) if all(_is_whole(part) for part in parts) else value
    if isinstance(value, list):
        return tuple(value)
    return (value,) if isinstance(value, int) else value


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


Numbers = Annotated[tuple[int, ...], BeforeValidator(_numbers)]


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
    chain_start: Literal["zero", "drawn"] = Field(
        default="zero", description="scores of label moves before training: all alike, or drawn as in the paper's code"
    )
    constraints: Literal["none", "decoding", "training"] = Field(
        default="decoding", description="where illegal label sequences are ruled out; training includes decoding"
    )


class BiLSTMSettings(Section):
    """The BiLSTM encoder: word vectors, frozen features of a transformer if wanted, characters, sentence."""

    vectors: str = Field(default="", description="file of word vectors, or the name of a source (trustag vectors list)")
    random_vectors: bool = Field(default=False, description="train on random word vectors when no file is given")
    vectors_learn: bool = Field(
        default=False, description="let the word vectors learn; frozen ones cannot memorise noise"
    )
    vectors_rate: Positive = Field(default=1.0, description="learning rate of the word vectors relative to the rest")
    kept_vectors: int = Field(
        default=100_000, ge=0, description="vectors kept for words outside the corpus, so that prediction knows them"
    )
    context: str = Field(
        default="",
        description="folder or name of a Hugging Face encoder whose features, which never learn, stand beside the word "
        "vectors",
    )
    context_layers: Numbers = Field(
        default=(), description="hidden layers taken of it, such as 3,5; by default the middle and the last but one"
    )
    words: Count = Field(default=100, description="width of random word vectors")
    characters: Count = Field(default=25, description="width of character embeddings")
    character_hidden: Count = Field(default=25, description="hidden units a direction over the characters of a word")
    hidden: Count = Field(default=100, description="hidden units a direction over the sentence")
    dropout: Share = Field(default=0.5, description="on characters, on the sentence's inputs and on its outputs")
    word_dropout: Share = Field(default=0.0, description="share of words made unknown while training")
    singletons: Share = Field(
        default=0.0, description="share of words seen once in training that are made unknown while training"
    )
    min_count: Count = Field(default=2, description="a word without a vector gets its own when it occurs this often")
    case_fallback: bool = Field(
        default=True, description="look a word up in lower case when its own spelling has no vector"
    )
    fold_digits: bool = Field(default=True, description="look a word up with every digit read as 0")
    zero_digits: bool = Field(
        default=False, description="read every digit as 0, in words and in their characters, as the paper's code does"
    )


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


class ConfidenceSettings(Section):
    """Which labels the fold models trust while they train, and what a distrusted one still allows."""

    scoring: Literal["local", "global"] = Field(
        default="global", description="confidence from a token's own scores (eq. 4) or from all label paths (eq. 3)"
    )
    passes: Literal["training", "clean"] = Field(
        default="training", description="the pass that scores: the one trained on, or a second one without dropout"
    )
    idle_labels: bool = Field(
        default=False,
        description="local confidence competes with three untrained labels (padding, start, end), as in the code",
    )
    memory: Share = Field(
        default=0.5,
        description="weight of earlier epochs in the running mean of confidence; 0 takes the last pass alone",
    )
    prior: float = Field(
        default=0.0,
        ge=0,
        description="weight, beside that mean, of what the models believed from which noise rates were estimated",
    )
    ranking: Literal["epoch", "batch"] = Field(
        default="epoch",
        description="labels are ranked over the corpus when an epoch begins, or inside each batch as the paper does",
    )
    schedule: Literal["stepped", "smooth"] = Field(
        default="stepped", description="distrust grows from nothing in the first epoch (code) or from a step (text)"
    )
    ramp: Count = Field(default=5, description="epochs until the whole noise rate is distrusted")
    rounding: Literal["floor", "nearest", "stochastic"] = Field(
        default="nearest", description="of the number of labels that stay trusted; the paper's code rounds down"
    )
    calibration: bool = Field(
        default=True, description="a distrusted entity label keeps its position or its type; else it allows everything"
    )
    part_score: Literal["sum", "mean"] = Field(
        default="sum", description="how the evidence for position and type is added up: code, or text (eq. 6, 7)"
    )
    part_outside: bool = Field(default=True, description="whether O counts as evidence for both parts, as in the code")
    common_words: Literal["believed", "doubted"] = Field(
        default="believed",
        description="an entity label of a common word that begins a sentence (The, He): believed as others are, or "
        "told to fold models as O",
    )
    cut_names: Literal["believed", "doubted", "judged"] = Field(
        default="believed",
        description="an entity label of one word inside a longer run of capitalised words (Bill [Clinton]): believed "
        "as others are; told to no fold model; or as models say to which none of these was told",
    )
    tellings: int = Field(
        default=0,
        ge=0,
        description="how often in an epoch fold models are told that the same name is no entity; 0 tells each time",
    )
    token_loss: float = Field(
        default=0.0, ge=0, description="weight of a softmax loss on trusted tokens, which trains what local reads"
    )


class RateSettings(Section):
    """How much of the labels is wrong."""

    source: Literal["auto", "dev", "searched", "oracle", "given"] = Field(
        default="auto",
        description="estimated from the noisy labels alone; from what models of them get wrong on a clean dev split; "
        "searched on dev F1; measured on a gold column; or as given",
    )
    negative: Share = Field(default=0.0, description="given share of wrong O labels")
    positive: Share = Field(default=0.0, description="given share of wrong entity labels")
    apart: Literal["none", "type", "label"] = Field(
        default="none",
        description="entity labels with a rate of their own, where rates are estimated or known: each type, each label",
    )
    margin: Positive = Field(default=1.0, description="estimated and known rates are multiplied by this")
    estimate_epochs: Count = Field(default=4, description="epochs of the fold models that the estimate rests on")
    later: Literal["same", "fixed", "measured"] = Field(
        default="same",
        description="rates after the first round: the same; later_negative and later_positive; or measured each time",
    )
    later_negative: Share = Field(default=0.005, description="share of wrong O labels in later rounds")
    later_positive: Share = Field(default=0.15, description="share of wrong entity labels in later rounds")
    search: Literal["separate", "full"] = Field(
        default="separate", description="one rate after the other, or every pair of rates"
    )
    search_from: Share = Field(default=0.0, description="lowest rate searched")
    search_to: Share = Field(default=0.2, description="highest rate searched; distant labels may need 0.6")
    search_step: Positive = Field(default=0.01, description="distance of the rates searched")


class RoundSettings(Section):
    """Self-training: parts of the corpus relabelled by models that have not seen them."""

    count: int = Field(default=1, ge=0, description="rounds of relabelling; 0 trains on the labels as they are")
    folds: int = Field(
        default=2, ge=2, description="models that share the judging; each is not told a part of the labels"
    )
    hide: Literal["sentences", "names"] = Field(
        default="sentences",
        description="what a fold model is not told and judges: whole sentences (paper); or the labels of names, "
        "wherever they stand",
    )
    fold_epochs: int = Field(default=0, ge=0, description="epochs of the fold models; 0 is training.epochs")
    fold_vectors_learn: bool = Field(
        default=False, description="let the word vectors of fold models learn; frozen ones cannot memorise noise"
    )
    members: Count = Field(
        default=1, description="fold models a part, differing in their seed; their scores are averaged"
    )
    reannotate: Literal["outside", "untrusted", "all"] = Field(
        default="untrusted",
        description="labels that may change: those that were O (paper); also the least trusted entity labels; or all",
    )
    relabel: Literal["hard", "soft", "weighted"] = Field(
        default="soft",
        description="the final model learns the best labels; the probability of each (soft); or what it believes, "
        "weighted by that probability",
    )
    reshuffle: Count = Field(default=2, description="parts are drawn anew every so many rounds")
    baseline: bool = Field(
        default=True, description="also train on the labels as given, to show what the method changes"
    )
    final_confidence: bool = Field(default=False, description="distrust labels in the final model too")
    report: Literal["best", "last"] = Field(
        default="best", description="the round whose final model is kept: the best on dev, or the last"
    )


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

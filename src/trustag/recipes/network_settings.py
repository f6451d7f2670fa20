"""Settings of the network: encoder, chain, and what each encoder is made of."""

from typing import Literal

from pydantic import Field

from trustag.recipes.sections import Count, Numbers, Positive, Section, Share


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

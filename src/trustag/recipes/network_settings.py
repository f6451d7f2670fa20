"""Settings of the network: the encoder, the head on top of it, and what each encoder is made of."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from trustag.recipes.named_parts import OWN, known_name
from trustag.recipes.sections import MOST, Count, CountOrNone, Layer, Numbers, Positive, Section, Share, advanced

ENCODERS: Final[Mapping[str, str]] = {
    "bilstm": "trustag.models.bilstm_building:BILSTM",
    "transformer": "trustag.models.transformer_building:TRANSFORMER",
}
"""Where the encoder of each name is found."""

HEADS: Final[Mapping[str, str]] = {
    "crf": "trustag.models.crf_head:CRF",
    "softmax": "trustag.models.crf_head:SOFTMAX",
}
"""Where the head of each name is found."""

EncoderName = Annotated[
    str, AfterValidator(partial(known_name, places=ENCODERS)), WithJsonSchema({"enum": [*ENCODERS, OWN]})
]
HeadName = Annotated[str, AfterValidator(partial(known_name, places=HEADS)), WithJsonSchema({"enum": [*HEADS, OWN]})]


class ModelSettings(Section):
    """The network: an encoder and a head that turns its features into labels."""

    encoder: EncoderName = Field(default="bilstm", description="what turns tokens into features")
    head: HeadName = Field(
        default="crf", description="a CRF over label sequences, or a softmax over the labels of each token by itself"
    )
    constraints: Literal["none", "decoding", "training"] = Field(
        default="decoding", description="where illegal label sequences are ruled out; training includes decoding"
    )
    transition_init: Literal["zero", "random"] = advanced(
        "zero", "transition scores before training: zero, or random as in the published code"
    )


class BiLSTMSettings(Section):
    """The BiLSTM encoder: word vectors, frozen transformer embeddings if wanted, characters, sentence."""

    vectors: str = Field(default="", description="file of word vectors, or the name of a source (trustag vectors list)")
    random_vectors: bool = Field(default=False, description="train on random word vectors when no file is given")
    finetune_vectors: bool = Field(
        default=True, description="fine-tune the word vectors; frozen ones cannot memorise noise"
    )
    vectors_rate: Positive = advanced(0.1, "learning rate of the word vectors relative to the rest")
    kept_vectors: int = advanced(
        100_000, "vectors kept for words outside the corpus, so that prediction knows them", ge=0, le=100 * MOST
    )
    context: str = Field(
        default="",
        description="encoder by name (trustag vectors list) or folder; adds its frozen embeddings to the word vectors",
    )
    context_layers: Numbers = Field(
        default=(), description="hidden layers of it to use, such as 3,5; default: the middle and the last but one"
    )
    context_mix: Literal["concatenate", "mean"] = Field(
        default="concatenate", description="use these layers side by side, or their mean"
    )
    words: Count = advanced(100, "width of random word vectors")
    characters: Count = advanced(25, "width of character embeddings")
    character_hidden: Count = advanced(25, "hidden units per direction over the characters of a word")
    hidden: Count = Field(default=100, description="hidden units per direction over the sentence")
    dropout: Share = Field(
        default=0.5, description="dropout rate on characters, and on inputs and outputs of the sentence LSTM"
    )
    singletons: Share = advanced(0.0, "share of words seen once in training that are replaced by the unknown word")
    min_count: Count = advanced(2, "a word without a vector gets a row of its own when it occurs this often")
    zero_digits: bool = advanced(
        default=False, description="read every digit as 0, in words and in their characters, as the published code does"
    )


class TransformerSettings(Section):
    """The transformer encoder: a Hugging Face model, pooled to words."""

    name: str = Field(default="", description="folder or name of a Hugging Face encoder")
    pooling: Literal["first", "last", "mean"] = advanced("first", "how the subwords of a word become one vector")
    layer: Layer = Field(default=-1, description="which hidden layer gives the features; -1 is the last")
    character_hidden: CountOrNone = Field(
        default=0, description="units per direction of a character BiLSTM beside the transformer; 0: none"
    )
    window: Count = advanced(512, "subwords read at once; longer sentences are read in overlapping windows")
    dropout: Share = Field(default=0.2, description="dropout rate on the features")
    stride: Count = advanced(64, "subwords of context shared by the windows of a long sentence")
    rate: Positive = Field(default=0.01, description="learning rate of the transformer relative to the rest")


class NetworkSettings(Section):
    """Everything that decides what a network is made of: the part of a recipe that a saved model keeps."""

    model: ModelSettings = ModelSettings()
    bilstm: BiLSTMSettings = BiLSTMSettings()
    transformer: TransformerSettings = TransformerSettings()

"""Tiny untrained transformers on disk, as Hugging Face saves them: real tokenizers and models, made in a moment."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import AutoModel, BertConfig, PreTrainedTokenizerFast, RobertaConfig
from transformers.utils import logging

from trustag.models.transformer import TransformerEncoder

logging.disable_progress_bar()  # type: ignore[no-untyped-call]

TEXT: Final = (
    "Ada Lovelace wrote the first program for Babbage 's engine .",
    "The engine was never built , said the U.S. company in New York on 10 December 1815 .",
    "Zürich und Köln liegen nicht am Meer ; São Paulo auch nicht .",
    "email to ada@example.org or see http://example.org/a_b?c=d",
)
SIZES: Final[dict[str, Any]] = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 24,
}


def word_piece(*, lowercase: bool = False) -> PreTrainedTokenizerFast:
    """Return a WordPiece tokenizer as BERT has it: control characters are dropped, capitals only if asked for."""
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    text = [word.lower() if lowercase else word for sentence in TEXT for word in sentence.split()]
    letters = sorted({letter for word in text for letter in word})
    # Every letter alone and within a word, and every other word whole, so that some are cut and some are not.
    known = dict.fromkeys([*specials, *letters, *(f"##{letter}" for letter in letters), *sorted(set(text))[::2]])
    vocabulary = {piece: number for number, piece in enumerate(known)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )


def byte_level() -> PreTrainedTokenizerFast:
    """Return a byte-level BPE tokenizer as RoBERTa has it, with no space before the first word."""
    specials = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=330, special_tokens=specials, initial_alphabet=alphabet)
    tokenizer.train_from_iterator(TEXT, trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer,
        unk_token="<unk>",
        pad_token="<pad>",
        cls_token="<s>",
        sep_token="</s>",
        mask_token="<mask>",
    )


def save_bert(folder: Path, positions: int = 40) -> Path:
    """Save a tiny BERT with WordPiece."""
    tokenizer = word_piece()
    config = BertConfig(vocab_size=len(tokenizer), max_position_embeddings=positions, **SIZES)
    return save(folder, tokenizer, config)


def save_roberta(folder: Path, positions: int = 40) -> Path:
    """Save a tiny RoBERTa with byte-level BPE that reads ``positions`` pieces."""
    tokenizer = byte_level()
    config = RobertaConfig(
        vocab_size=len(tokenizer), max_position_embeddings=positions + 2, pad_token_id=1, type_vocab_size=1, **SIZES
    )
    return save(folder, tokenizer, config)


def save(folder: Path, tokenizer: PreTrainedTokenizerFast, config: Any) -> Path:
    """Save a tokenizer and a model with random weights, large enough to tell every piece and place apart."""
    torch.manual_seed(7)
    config.initializer_range = 0.4
    with warnings.catch_warnings():
        # Some model files of transformers use parts of torch that are on their way out.
        warnings.simplefilter("ignore", DeprecationWarning)
        AutoModel.from_config(config).save_pretrained(folder)  # type: ignore[no-untyped-call]
    tokenizer.save_pretrained(folder)
    return folder


def loss_before_and_after_learning(
    encoder: TransformerEncoder, sentences: Sequence[Sequence[str]], gold: torch.Tensor, rate: float, steps: int = 20
) -> tuple[float, float]:
    """Return what a few steps of training, dropout included, make of the loss, measured without dropout."""
    torch.manual_seed(1)
    head = torch.nn.Linear(encoder.width, int(gold.max()) + 1)
    optimizer = torch.optim.AdamW([*encoder.parameters(), *head.parameters()], lr=rate)

    def loss() -> torch.Tensor:
        scores = head(encoder(encoder.collate(sentences)))
        return torch.nn.functional.cross_entropy(scores.flatten(0, 1), gold.flatten())

    encoder.eval()
    before = loss().item()
    encoder.train()
    for _ in range(steps):
        optimizer.zero_grad()
        torch.autograd.backward(loss())
        optimizer.step()
    encoder.eval()
    return before, loss().item()

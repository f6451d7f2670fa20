"""Read the files in packages as tables: GloVe in JSON, subword tables of encoders, spaCy and navec vectors."""

import gzip
import io
import re
import struct
import tarfile
from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from trustag.errors import InputError
from trustag.vectors.hashing import string_keys
from trustag.vectors.sentence_pieces import read_sentence_pieces
from trustag.vectors.subword_tokenizers import BytePairTokenizer, UnigramTokenizer, WordPieceTokenizer
from trustag.vectors.tables import VectorTable, numbered
from trustag.vectors.word_vectors import Matrix

_UNUSED = re.compile(r"\[unused\d+\]")
_BATCH: Final = 4096
_SPECIAL_ENTRIES: Final = frozenset({"<unk>", "<pad>"})
_TENSOR_TYPES: Final = {"F16": "<f2", "F32": "<f4"}


class _WinkFile(msgspec.Struct):
    dimensions: int
    vectors: dict[str, msgspec.Raw]


def from_wink(name: str, data: bytes) -> VectorTable:
    """Return the table in winkNLP's JSON: an object that maps words to values, followed by additional numbers."""
    file = msgspec.json.decode(data, type=_WinkFile)
    entries, rows = numbered(file.vectors)
    raw = list(file.vectors.values())
    matrix = np.empty((len(entries), file.dimensions), np.float32)
    decoder = msgspec.json.Decoder(list[list[float]])
    for start in range(0, len(raw), _BATCH):
        values = decoder.decode(b"[" + b",".join(bytes(row) for row in raw[start : start + _BATCH]) + b"]")
        with np.errstate(over="ignore"):  # infinite values are rejected later, for all tables
            matrix[start : start + _BATCH] = [row[: file.dimensions] for row in values]
    return VectorTable(name, entries, rows, matrix)


class _Added(msgspec.Struct):
    content: str


class _Pieces(msgspec.Struct):
    type: str
    vocab: dict[str, int]
    merges: list[str] = []


class _TokenizerFile(msgspec.Struct):
    model: _Pieces
    added_tokens: list[_Added] = []


def from_transformer(name: str, tokenizer: bytes, weights: bytes, tensor: str) -> VectorTable:
    """Return the subword table of a transformer, from its ``tokenizer.json`` and one tensor of its safetensors file."""
    file = msgspec.json.decode(tokenizer, type=_TokenizerFile)
    special = {added.content for added in file.added_tokens}
    vocabulary = {
        piece: row for piece, row in file.model.vocab.items() if piece not in special and not _UNUSED.fullmatch(piece)
    }
    entries = tuple(sorted(vocabulary, key=vocabulary.__getitem__))
    # Only the rows of these entries, so that special pieces have no effect when the table is reduced.
    matrix = read_tensor(weights, tensor)[[vocabulary[piece] for piece in entries]]
    pieces = frozenset(entries)
    if file.model.type == "WordPiece":
        subwords: BytePairTokenizer | WordPieceTokenizer = WordPieceTokenizer(pieces)
    elif file.model.type == "BPE":
        subwords = BytePairTokenizer(tuple(file.model.merges), pieces)
    else:
        finding = f"the tokenizer type {file.model.type!r} is not supported"
        raise InputError(finding, where=name, remedy="use a model with BPE or WordPiece")
    return VectorTable(name, *numbered(entries), matrix, subwords)


class _Tensor(msgspec.Struct):
    dtype: str
    shape: tuple[int, int]
    data_offsets: tuple[int, int]


def read_tensor(weights: bytes, tensor: str) -> Matrix:
    """Return one two-dimensional tensor of a safetensors file as a float32 matrix."""
    (length,) = struct.unpack_from("<Q", weights)
    header = msgspec.json.decode(weights[8 : 8 + length], type=dict[str, msgspec.Raw])
    found = msgspec.json.decode(header[tensor], type=_Tensor)
    start, end = found.data_offsets
    values = np.frombuffer(weights[8 + length + start : 8 + length + end], _TENSOR_TYPES[found.dtype])
    return values.astype(np.float32).reshape(found.shape)


def from_spacy(name: str, vectors: bytes, keys: bytes, strings: bytes) -> VectorTable:
    """Return the table in a spaCy pipeline, from an array, the row of each word's key, and the words."""
    matrix = np.load(io.BytesIO(vectors), allow_pickle=False).astype(np.float32)
    words = msgspec.json.decode(strings, type=list[str])
    word_of = dict(zip(string_keys(words), words, strict=True))
    # The keys are in order of frequency, the words are not.
    known = [
        (word_of[key], row)
        for key, row in msgspec.msgpack.decode(keys, type=dict[int, int]).items()
        if key in word_of and row >= 0
    ]
    return _of_rows(name, known, matrix)


def from_use(name: str, weights: bytes, sentence_pieces: bytes) -> VectorTable:
    """Return the subword table of the Universal Sentence Encoder, from quantized blocks and a SentencePiece model.

    The blocks take turns: the first rows of all blocks come first. The values of a block are bytes between its lowest
    value ``lo`` and its highest, in steps of ``scale``.
    """
    model = read_sentence_pieces(sentence_pieces)
    with np.load(io.BytesIO(weights), allow_pickle=False) as arrays:
        lowest, steps = arrays["lo"], arrays["scale"]
        blocks = np.stack([arrays[f"q{number + 1}"] for number in range(len(lowest))], axis=1)
    rows = np.array(list(model.pieces.values()))
    turn, block = np.divmod(rows, len(lowest))
    matrix = blocks[turn, block].astype(np.float32)
    matrix *= steps[block, None]
    matrix += lowest[block, None]
    tokenizer = UnigramTokenizer(dict(zip(model.pieces, model.scores, strict=True)), model.replacements)
    return VectorTable(name, *numbered(model.pieces), matrix, tokenizer)


def from_navec(name: str, archive: bytes) -> VectorTable:
    """Return the table in a navec archive: words, and the product-quantization codes of their vectors."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        words, codes = (_bytes_of(files, member) for member in ("vocab.bin", "pq.bin"))
    unpacked = gzip.decompress(words)
    (count,) = struct.unpack_from("<I", unpacked)
    frequencies = np.frombuffer(unpacked, "<u4", count, offset=4).astype(np.int64)
    entries = unpacked[4 + 4 * count :].decode().split("\n")
    rows, width, parts, centroids = struct.unpack_from("<IIII", codes)
    indexes = np.frombuffer(codes, np.uint8, rows * parts, offset=16).reshape(rows, parts)
    codebook = np.frombuffer(codes, "<f4", centroids * width, offset=16 + rows * parts)
    subvectors = codebook.reshape(parts, centroids, width // parts)
    matrix = subvectors[np.arange(parts), indexes].reshape(rows, width).astype(np.float32)
    by_frequency = np.argsort(-frequencies, kind="stable").tolist()
    return _of_rows(name, [(entries[row], row) for row in by_frequency if entries[row] not in _SPECIAL_ENTRIES], matrix)


def _of_rows(name: str, known: Sequence[tuple[str, int]], matrix: Matrix) -> VectorTable:
    rows = np.array([row for _, row in known], np.int32)
    return VectorTable(name, tuple(entry for entry, _ in known), rows, matrix)


def _bytes_of(files: tarfile.TarFile, member: str) -> bytes:
    stream = files.extractfile(member)
    if stream is None:
        raise KeyError(member)
    return stream.read()

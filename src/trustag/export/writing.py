"""Export a model: its network as one ONNX graph, its words and their vectors beside it."""

from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt
from safetensors.numpy import save_file

from trustag._version import __version__
from trustag.crf import constrain, legal_transitions
from trustag.errors import InputError, MissingExtraError
from trustag.export.crf_graph import ChainScores
from trustag.export.exported_folder import FORMAT, GRAPH, TABLES, TOKENIZER, Description, Weights
from trustag.export.lstm_graph import LSTMWeights
from trustag.export.network_graph import NetworkWeights, build_model
from trustag.export.piece_rows import ContextFacts
from trustag.files.outputs import new_folder
from trustag.models.bilstm import BiLSTMEncoder
from trustag.models.context import FrozenContext
from trustag.models.crf_head import CRFHead
from trustag.models.inference_lstm import inference_lstm
from trustag.models.lstm import PackedBiLSTM
from trustag.models.model_place import EXPORT_FILE as DESCRIPTION
from trustag.models.tagger import Tagger
from trustag.models.word_table import WordTable

_LARGEST_INT8: Final = 127.0


def export_model(tagger: Tagger, folder: Path, weights: Weights = "float32", *, overwrite: bool = False) -> None:
    """Write the model of ``tagger`` to ``folder`` as an ONNX graph, all or nothing.

    With ``int8`` weights the file is a quarter as large, and the labels of some tokens may change.
    """
    network = _network_weights(tagger)
    onnx = _onnx()
    encoder = tagger.network.encoder
    assert isinstance(encoder, BiLSTMEncoder)  # noqa: S101 - checked when its weights were taken
    vocabulary = encoder.vocabulary
    context = encoder.context if isinstance(encoder.context, FrozenContext) else None
    description = Description(
        format=FORMAT,
        trustag=__version__,
        types=tagger.labels.types,
        positions=tagger.labels.positions,
        legal_only=tagger.legal_only,
        temperature=tagger.temperature,
        weight_count=tagger.weight_count,
        weights=weights,
        case_fallback=vocabulary.lookup.case_fallback,
        fold_digits=vocabulary.lookup.fold_digits,
        zero_digits=vocabulary.lookup.zero_digits,
        learned=vocabulary.learned,
        pretrained=vocabulary.pretrained,
        characters=vocabulary.characters,
        context=_context_facts(context),
    )
    with new_folder(folder, overwrite=overwrite) as draft:
        onnx.save(build_model(network, context, whole_numbers=weights == "int8"), draft / GRAPH)
        save_file(_tables(_word_rows(encoder.table), network.chain, weights), draft / TABLES)
        (draft / DESCRIPTION).write_bytes(msgspec.json.encode(description))
        if context is not None:
            (draft / TOKENIZER).write_text(context.cutter.tokenizer.to_str(), encoding="utf-8")
        for name in (GRAPH, TABLES):
            (draft / name).chmod((draft / DESCRIPTION).stat().st_mode)


def _network_weights(tagger: Tagger) -> NetworkWeights:
    """Return the weights of a network that can be exported; any other is an error."""
    encoder, head = tagger.network.encoder, tagger.network.head
    if not isinstance(encoder, BiLSTMEncoder) or type(encoder).forward is not BiLSTMEncoder.forward:
        raise InputError("only models with the BiLSTM encoder can be exported", remedy="train with encoder = bilstm")
    if encoder.context is not None and not isinstance(encoder.context, FrozenContext):
        raise InputError("the context of this model cannot be exported", remedy="export it from its run")
    if not isinstance(head, CRFHead) or type(head).scores is not CRFHead.scores:
        raise InputError("only models with a CRF or a softmax can be exported", remedy="train with head = crf")
    chain = head.chain
    if tagger.legal_only:
        chain = constrain(chain, legal_transitions(head.labels.labels, head.labels.scheme))
    scores = ChainScores(*(_array(part).astype(np.float64) for part in (chain.transitions, chain.start, chain.end)))
    reads = _lstm(encoder.sentence_lstm)
    before = encoder.context_width
    return NetworkWeights(
        letters=_array(encoder.characters.letters.weight),
        letter_lstm=_lstm(encoder.characters.lstm),
        sentence_lstm=LSTMWeights(reads.inputs[:, before:], reads.bias, reads.recurrent),
        projection=_array(head.projection.weight).T.copy(),
        bias=_array(head.projection.bias),
        chain=scores,
        temperature=tagger.temperature,
        vector_width=encoder.sizes.words,
        context_inputs=reads.inputs[:, :before] if before else None,
    )


def _context_facts(context: FrozenContext | None) -> ContextFacts | None:
    if context is None:
        return None
    specials, config = context.config.specials, context.config
    padding = specials.padding or 0
    return ContextFacts(specials.before, specials.after, specials.unknown, padding, config.positions, config.stride)


def _lstm(lstm: PackedBiLSTM) -> LSTMWeights:
    found = inference_lstm(lstm)
    return LSTMWeights(_array(found.input_weights), _array(found.bias), _array(found.recurrent))


def _array(tensor: Any) -> npt.NDArray[np.float32]:
    array: npt.NDArray[np.float32] = tensor.detach().float().numpy(force=True)
    return array


def _word_rows(table: WordTable) -> npt.NDArray[np.float32]:
    """Return the vectors of all words: unknown, learned, given."""
    if table.training_of_vectors == "trained":
        return _array(table.rows)
    return np.concatenate([_array(table.fresh), _array(table.given)])


def _tables(words: npt.NDArray[np.float32], chain: ChainScores, weights: Weights) -> dict[str, npt.NDArray[Any]]:
    tables: dict[str, npt.NDArray[Any]] = {"transitions": chain.transitions, "start": chain.start, "end": chain.end}
    if weights == "float32":
        return {**tables, "words": words}
    scales = np.maximum(np.abs(words).max(1), np.finfo(np.float32).tiny) / _LARGEST_INT8
    return {**tables, "words": np.rint(words / scales[:, None]).astype(np.int8), "scales": scales.astype(np.float32)}


def _onnx() -> Any:
    try:
        import onnx  # noqa: PLC0415 - only exporting needs it
    except ImportError:
        raise MissingExtraError("exporting a model", "onnx") from None
    return onnx

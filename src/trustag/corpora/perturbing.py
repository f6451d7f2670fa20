"""Perturb a corpus: only its training split, so that scores on the other splits stay valid."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from trustag.corpora.conversion import Conversion, choose_format, convert
from trustag.corpora.locating import LocatedCorpus, Stream
from trustag.errors import InputError
from trustag.files.formats import FolderFormat
from trustag.files.inputs import STANDARD_STREAM
from trustag.noise.perturbation import Perturbation, Perturbed, perturb
from trustag.notes import Note, Watch

_PLAIN_FORMAT: Final = "conll"


def perturb_corpus(
    located: LocatedCorpus, target: Path, recipe: Perturbation, conversion: Conversion, watch: Watch
) -> Perturbed:
    """Write the corpus with noisy and gold labels to ``target``, and return what was changed.

    If the corpus has several splits, only the training split is perturbed. If ``target`` is a folder, the other splits
    are copied to it unchanged; if it is a file, they are not written. The format is CoNLL unless ``conversion`` or the
    suffix of ``target`` determines another one.
    """
    split = _split_to_perturb(located)
    into_folder = _means_folder(target, conversion)
    others = {name: stream for name, stream in located.streams.items() if name != split}
    if others and not into_folder:
        detail = f"{', '.join(others)}: {target} is a file for the {split} split only; give a folder to copy all splits"
        watch(Note("left out", "other splits", detail))
        others = {}
    perturbed = perturb(tuple(located.streams[split](watch)), recipe, watch=watch)
    streams: dict[str, Stream] = {split: lambda _: iter(perturbed.sentences), **others}
    if not target.suffix and conversion.format is None:
        conversion = replace(conversion, format=_PLAIN_FORMAT)
    convert(replace(located, streams=streams), target, conversion, watch)
    return perturbed


def _split_to_perturb(located: LocatedCorpus) -> str:
    if len(located.streams) == 1:
        return next(iter(located.streams))
    if "train" not in located.streams:
        raise InputError(
            f"has no train split to perturb, only {', '.join(located.streams)}",
            where=located.name,
            remedy="choose another split explicitly, as in NAME:dev",
        )
    return "train"


def _means_folder(target: Path, conversion: Conversion) -> bool:
    if target == STANDARD_STREAM:
        return False
    if conversion.format is not None and isinstance(choose_format(target, conversion.format), FolderFormat):
        return True
    return target.is_dir() or not target.suffix

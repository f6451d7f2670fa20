"""Frozen features kept between runs, by content and encoder; when there are too many, the least recently used go."""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from trustag.errors import InputError, TrustagError
from trustag.files.outputs import draft_folder, link_or_copy, new_file, remove_drafts
from trustag.notes import Note, Watch, unwatched
from trustag.vectors.cache import cache_folder
from trustag.vectors.packages import checksum

LIMIT_VARIABLE: Final = "TRUSTAG_FEATURES_GB"
_USUAL_LIMIT: Final = "5"
_FEATURES: Final = ".safetensors"
_DESCRIPTION: Final = ".json"


class _Kept(msgspec.Struct, frozen=True):
    """What is known of features: the checksum of their file, and the processor seconds that computing them took."""

    sha256: str
    cpu_seconds: float


def features_folder() -> Path:
    """Return the folder of kept features, which need not exist yet."""
    return cache_folder(os.environ) / "features"


def features_limit(environment: Mapping[str, str] = os.environ) -> int:
    """Return how many bytes of features are kept.

    >>> features_limit({}), features_limit({"TRUSTAG_FEATURES_GB": "0.5"})
    (5000000000, 500000000)
    """
    stated = environment.get(LIMIT_VARIABLE) or _USUAL_LIMIT
    try:
        gigabytes = float(stated)
    except ValueError:
        gigabytes = -1.0
    if not 0 <= gigabytes < 1e6:
        remedy = "give gigabytes, such as 2.5, or 0 to keep no features"
        raise InputError(f"{LIMIT_VARIABLE} is {stated!r}, not a size", remedy=remedy)
    return round(gigabytes * 1e9)


def kept_bytes(folder: Path) -> int:
    """Return the size of all kept features."""
    return sum(size for _, size in _sizes(folder))


class FeatureCache:
    """Features of parts of corpora, by a key that stands for the encoder and all tokens.

    Features that this cache has given or taken are not removed to make room for others of the same run.
    """

    def __init__(self, folder: Path, limit: int, watch: Watch = unwatched) -> None:
        self._folder = folder
        self._limit = limit
        self._watch = watch
        self._in_use: set[str] = set()

    def take(self, key: str, target: Path) -> float | None:
        """Let ``target`` hold the features called ``key``, and return how many processor seconds they had cost.

        Features that are not kept, or damaged, are ``None``; damaged ones are noted and removed.
        """
        try:
            kept = msgspec.json.decode(self._description(key).read_bytes(), type=_Kept)
            link_or_copy(self._features(key), target)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError) as error:
            self._discard(key, f"cannot be read ({error})", target)
            return None
        if checksum(target) != kept.sha256:
            self._discard(key, "its checksum differs", target)
            return None
        self._in_use.add(key)
        with suppress(FileNotFoundError):  # another process may have removed them since
            os.utime(self._description(key))
        return kept.cpu_seconds

    def keep(self, key: str, features: Path, cpu_seconds: float) -> None:
        """Keep a file that is never changed again; if that is impossible, it is noted, and nothing else happens."""
        if not self._limit:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if not self._has_room(features.stat().st_size):
                self._note(f"no more than {self._limit / 1e9:g} GB are kept; {LIMIT_VARIABLE} changes that")
                return
            self._store(key, features)
            with new_file(self._description(key), overwrite=True) as stream:
                stream.write(msgspec.json.encode(_Kept(checksum(features), cpu_seconds)))
        except FileNotFoundError:
            return  # another process keeps the same features at this moment, or has removed some
        except (OSError, TrustagError) as error:
            self._note(f"{self._folder} cannot be written ({error})")
            return
        self._in_use.add(key)

    def _store(self, key: str, features: Path) -> None:
        target = self._features(key)
        remove_drafts(target)
        with draft_folder(target) as draft:
            link_or_copy(features, draft / target.name)
            (draft / target.name).replace(target)

    def _has_room(self, wanted: int) -> bool:
        """Tell whether there is room, or can be made by removing what was not used for longest; then it is made."""
        sizes = dict(_sizes(self._folder))
        removable = sorted((key for key in sizes if key not in self._in_use), key=self._last_use)
        excess = sum(sizes.values()) + wanted - self._limit
        if excess > sum(sizes[key] for key in removable):
            return False
        for key in removable:
            if excess <= 0:
                break
            excess -= sizes[key]
            self._remove(key)
        return True

    def _last_use(self, key: str) -> int:
        """Return when features were last used; without a description, whose process was killed, as if never."""
        try:
            return self._description(key).stat().st_mtime_ns
        except FileNotFoundError:
            return 0

    def _discard(self, key: str, finding: str, target: Path) -> None:
        target.unlink(missing_ok=True)
        self._remove(key)
        detail = f"{self._features(key)} {finding}; computed again"
        self._watch(Note("repaired", "damaged features in the cache", detail))

    def _remove(self, key: str) -> None:
        for file in (self._description(key), self._features(key)):
            file.unlink(missing_ok=True)

    def _note(self, detail: str) -> None:
        self._watch(Note("info", "features are not kept for other runs", detail))

    def _features(self, key: str) -> Path:
        return self._folder / f"{key}{_FEATURES}"

    def _description(self, key: str) -> Path:
        return self._folder / f"{key}{_DESCRIPTION}"


def _sizes(folder: Path) -> Iterator[tuple[str, int]]:
    """Yield the key and the size of all kept features."""
    for file in folder.glob(f"[!.]*{_FEATURES}"):
        with suppress(FileNotFoundError):  # another process may have removed it since
            yield file.name.removesuffix(_FEATURES), file.stat().st_size

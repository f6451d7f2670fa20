"""Features kept between runs: given back whole or not at all, and no more of them than the limit allows."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent

import pytest

from tests.vectors.made_up import Notes, files_under
from trustag.errors import InputError
from trustag.vectors.feature_cache import FeatureCache, features_folder, features_limit, kept_bytes

ROOM = 10_000


def features(folder: Path, content: bytes) -> Path:
    file = folder / "features.safetensors"
    file.unlink(missing_ok=True)
    file.write_bytes(content)
    return file


def place(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "features"


def test_kept_features_are_given_back_with_their_cost(tmp_path: Path) -> None:
    FeatureCache(place(tmp_path), ROOM).keep("a", features(tmp_path, b"numbers"), 2.5)
    later = FeatureCache(place(tmp_path), ROOM)
    assert later.take("a", tmp_path / "target") == 2.5
    assert (tmp_path / "target").read_bytes() == b"numbers"
    assert later.take("b", tmp_path / "other") is None
    assert not (tmp_path / "other").exists()
    assert files_under(place(tmp_path)) == {"a.safetensors", "a.json"}


def test_what_is_removed_from_the_cache_stays_where_it_was_given(tmp_path: Path) -> None:
    FeatureCache(place(tmp_path), ROOM).keep("a", features(tmp_path, b"a" * 6000), 1)
    FeatureCache(place(tmp_path), ROOM).take("a", tmp_path / "target")
    FeatureCache(place(tmp_path), ROOM).keep("b", features(tmp_path, b"b" * 6000), 1)
    assert files_under(place(tmp_path)) == {"b.safetensors", "b.json"}
    assert (tmp_path / "target").read_bytes() == b"a" * 6000


def test_the_least_recently_used_features_make_room(tmp_path: Path) -> None:
    for moment, key in enumerate("abc"):
        FeatureCache(place(tmp_path), ROOM).keep(key, features(tmp_path, key.encode() * 3000), 1)
        os.utime(place(tmp_path) / f"{key}.json", (moment, moment))
    assert FeatureCache(place(tmp_path), ROOM).take("a", tmp_path / "a") == 1
    FeatureCache(place(tmp_path), ROOM).keep("d", features(tmp_path, b"d" * 3000), 1)
    assert {file.stem for file in place(tmp_path).iterdir()} == {"a", "c", "d"}
    assert kept_bytes(place(tmp_path)) == 9000


def test_a_run_never_pushes_out_its_own_features(tmp_path: Path) -> None:
    notes = Notes()
    FeatureCache(place(tmp_path), ROOM).keep("taken", features(tmp_path, b"0" * 4000), 1)
    cache = FeatureCache(place(tmp_path), ROOM, notes)
    cache.take("taken", tmp_path / "target")
    cache.keep("kept", features(tmp_path, b"1" * 4000), 1)
    assert not notes
    cache.keep("too much", features(tmp_path, b"2" * 4000), 1)
    assert {file.stem for file in place(tmp_path).iterdir()} == {"taken", "kept"}
    (note,) = notes
    assert note.reason == "features are not kept for other runs"
    assert "TRUSTAG_FEATURES_GB" in note.detail


def test_features_larger_than_the_limit_push_nothing_out_for_nothing(tmp_path: Path) -> None:
    FeatureCache(place(tmp_path), ROOM).keep("a", features(tmp_path, b"a" * 4000), 1)
    FeatureCache(place(tmp_path), ROOM).keep("b", features(tmp_path, b"b" * 10_001), 1)
    assert {file.stem for file in place(tmp_path).iterdir()} == {"a"}


def test_with_no_limit_at_all_nothing_is_written(tmp_path: Path) -> None:
    FeatureCache(place(tmp_path), 0).keep("a", features(tmp_path, b"numbers"), 1)
    assert not place(tmp_path).exists()


@pytest.mark.parametrize("damage", ["features changed", "features cut", "description changed", "features missing"])
def test_damaged_features_are_noted_and_never_given(tmp_path: Path, damage: str) -> None:
    FeatureCache(place(tmp_path), ROOM).keep("a", features(tmp_path, b"numbers"), 1)
    (tmp_path / "features.safetensors").unlink()
    kept, described = place(tmp_path) / "a.safetensors", place(tmp_path) / "a.json"
    if damage == "features changed":
        kept.write_bytes(b"Numbers")
    elif damage == "features cut":
        kept.write_bytes(b"number")
    elif damage == "features missing":
        kept.unlink()
    else:
        described.write_bytes(b"{")
    notes = Notes()
    cache = FeatureCache(place(tmp_path), ROOM, notes)
    assert cache.take("a", tmp_path / "target") is None
    assert not (tmp_path / "target").exists()
    if damage != "features missing":
        assert [note.reason for note in notes] == ["damaged features in the cache"]
        assert files_under(place(tmp_path)) == set()
    cache.keep("a", features(tmp_path, b"numbers"), 3)
    assert cache.take("a", tmp_path / "target") == 3


def test_a_cache_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "cache").write_bytes(b"a file where the folder should be")
    notes = Notes()
    FeatureCache(place(tmp_path), ROOM, notes).keep("a", features(tmp_path, b"numbers"), 1)
    (note,) = notes
    assert "cannot be written" in note.detail


SCRIPT = """
    import os, sys
    from pathlib import Path
    from trustag.vectors import feature_cache
    from trustag.vectors.feature_cache import FeatureCache
    feature_cache.link_or_copy = lambda source, target: (Path(target).write_bytes(b"half"), os.kill(os.getpid(), 9))
    FeatureCache(Path(sys.argv[1]), 10_000).keep(sys.argv[2], Path(sys.argv[3]), 1)
"""


def test_drafts_of_killed_processes_are_removed(tmp_path: Path) -> None:
    key = "0123456789abcdef" * 2 + "-" + "fedcba9876543210" * 2
    file = features(tmp_path, b"numbers")
    command = [sys.executable, "-c", dedent(SCRIPT), str(place(tmp_path)), key, str(file)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert len(files_under(place(tmp_path))) == 1
    assert FeatureCache(place(tmp_path), ROOM).take(key, tmp_path / "target") is None
    FeatureCache(place(tmp_path), ROOM).keep(key, file, 1)
    assert {path.name for path in place(tmp_path).iterdir()} == {f"{key}.safetensors", f"{key}.json"}


def test_features_whose_process_was_killed_before_describing_them_make_room_first(tmp_path: Path) -> None:
    FeatureCache(place(tmp_path), ROOM).keep("a", features(tmp_path, b"a" * 4000), 1)
    features(tmp_path, b"b" * 4000).rename(place(tmp_path) / "b.safetensors")
    FeatureCache(place(tmp_path), ROOM).keep("c", features(tmp_path, b"c" * 4000), 1)
    assert {file.stem for file in place(tmp_path).iterdir()} == {"a", "c"}


def test_several_runs_at_once_get_whole_features_or_none(tmp_path: Path) -> None:
    contents = {key: key.encode() * 3000 for key in "abcde"}
    for key, content in contents.items():
        (tmp_path / key).write_bytes(content)
    notes = Notes()

    def use(number: int) -> int:
        taken = 0
        for turn in range(40):
            key = "abcde"[(number + turn) % 5]
            cache, target = FeatureCache(place(tmp_path), ROOM, notes), tmp_path / f"{number}-{turn}"
            if cache.take(key, target) is None:
                assert not target.exists()
                cache.keep(key, tmp_path / key, 1)
            else:
                assert target.read_bytes() == contents[key]
                taken += 1
        return taken

    with ThreadPoolExecutor(6) as threads:
        assert sum(threads.map(use, range(6))) > 0
    assert not notes
    assert kept_bytes(place(tmp_path)) <= ROOM + 5 * 3000


@pytest.mark.parametrize("stated", ["much", "-1", "nan", "inf"])
def test_a_limit_is_a_size(stated: str) -> None:
    with pytest.raises(InputError, match=f"TRUSTAG_FEATURES_GB is '{stated}', not a size"):
        features_limit({"TRUSTAG_FEATURES_GB": stated})


def test_features_lie_beside_the_vectors(cache: Path) -> None:
    assert features_folder() == cache / "features"

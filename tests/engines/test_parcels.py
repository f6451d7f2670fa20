"""Values and files in pieces: whole again at the other end, and what is shared becomes one piece."""

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from trustag.engines import parcels
from trustag.engines.parcels import PackedFiles, checksum, pack, pack_files, unpack, write_files


class Store:
    """Pieces by name, and how often each was put there."""

    def __init__(self) -> None:
        self.pieces: dict[str, bytes] = {}

    def take(self, content: bytes) -> str:
        name = checksum(content)
        self.pieces[name] = content
        return name

    def packed(self, path: Path) -> PackedFiles:
        return pack_files(path, self.take)


def nowhere(packed: PackedFiles) -> Path:
    raise AssertionError(packed)


def there_and_back(value: object, store: Store) -> object:
    return unpack(pack(value, store.take, store.packed), store.pieces.__getitem__, nowhere)


texts = st.text(max_size=5)
values = st.recursive(
    st.none() | texts | st.integers() | st.binary(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple) | st.dictionaries(texts, inner),
)


@given(values)
def test_values_come_back_whatever_counts_as_long(value: object) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parcels, "_LONG_TUPLE", 2)
        patch.setattr(parcels, "_LONG_BYTES", 3)
        assert there_and_back(value, Store()) == value


def test_long_tuples_and_tensors_are_pieces_of_their_own_that_messages_share() -> None:
    sentences = tuple((f"word {number}", "is", "here") for number in range(1000))
    numbers = torch.arange(100_000)
    store = Store()
    first = pack(("one", sentences, numbers), store.take, store.packed)
    held = dict(store.pieces)
    second = pack({"two": (numbers, [sentences])}, store.take, store.packed)
    assert store.pieces == held
    assert len(held) == 2
    assert max(len(first), len(second)) < 1000
    name, again, tensor = unpack(first, store.pieces.__getitem__, nowhere)
    assert (name, again) == ("one", sentences)
    assert torch.equal(tensor, numbers)


def test_what_was_one_tuple_is_one_again() -> None:
    long = tuple(range(1000))
    found = there_and_back([long, long], Store())
    assert isinstance(found, list)
    assert found[0] is found[1]


@pytest.mark.parametrize("chunk", [1, 4, 1 << 25])
def test_files_and_folders_are_written_elsewhere(tmp_path: Path, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcels, "_CHUNK", chunk)
    folder = tmp_path / "model"
    (folder / "inner").mkdir(parents=True)
    for name, content in (("a.bin", b"0123456789"), ("inner/b.txt", b"text"), ("inner/empty", b"")):
        (folder / name).write_bytes(content)
    store = Store()
    for number, source in enumerate((folder, folder / "a.bin")):
        target = tmp_path / "elsewhere" / str(number)
        write_files(pack_files(source, store.take), store.pieces.__getitem__, target)
        found = {path.relative_to(target): path.read_bytes() for path in [target, *target.rglob("*")] if path.is_file()}
        there = {path.relative_to(source): path.read_bytes() for path in [source, *source.rglob("*")] if path.is_file()}
        assert found == there


def test_an_empty_folder_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    store = Store()
    write_files(pack_files(tmp_path / "empty", store.take), store.pieces.__getitem__, tmp_path / "again")
    assert list((tmp_path / "again").iterdir()) == []


def test_paths_that_exist_travel_and_others_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "here").write_text("content")
    store = Store()
    message = pack([tmp_path / "here", tmp_path / "missing"], store.take, store.packed)

    def place(packed: PackedFiles) -> Path:
        write_files(packed, store.pieces.__getitem__, tmp_path / packed.checksum)
        return tmp_path / packed.checksum

    here, missing = unpack(message, store.pieces.__getitem__, place)
    assert here != tmp_path / "here"
    assert here.read_text() == "content"
    assert missing == tmp_path / "missing"


def test_the_checksum_of_files_tells_contents_and_names_apart(tmp_path: Path) -> None:
    found = set()
    for number, (name, content) in enumerate((("a", "1"), ("a", "2"), ("b", "1"))):
        folder = tmp_path / str(number) / "folder"
        folder.mkdir(parents=True)
        (folder / name).write_text(content)
        found.add(pack_files(folder, Store().take).checksum)
    assert len(found) == 3

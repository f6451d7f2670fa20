from pathlib import Path

import pytest

from trustag.training.checksums import check_checksum, write_checksum

NAMES = ("one", "two")


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    for name in NAMES:
        (tmp_path / name).write_bytes(name.encode() * 100)
    write_checksum(tmp_path, NAMES)
    return tmp_path


def test_the_same_files_have_the_recorded_checksum(recorded: Path) -> None:
    (recorded / "three").write_bytes(b"not one of them")
    check_checksum(recorded, NAMES)


@pytest.mark.parametrize("name", [*NAMES, "sha256"])
def test_a_change_of_any_bit_is_noticed(recorded: Path, name: str) -> None:
    content = bytearray((recorded / name).read_bytes())
    content[5] ^= 0x80
    (recorded / name).write_bytes(content)
    with pytest.raises(ValueError, match="checksum"):
        check_checksum(recorded, NAMES)


def test_files_in_each_others_places_are_noticed(recorded: Path) -> None:
    one, two = (recorded / name for name in NAMES)
    one.write_bytes(two.read_bytes())
    two.write_bytes(b"one" * 100)
    with pytest.raises(ValueError, match="checksum"):
        check_checksum(recorded, NAMES)


@pytest.mark.parametrize("name", [*NAMES, "sha256"])
def test_a_lost_file_is_an_error_of_the_system(recorded: Path, name: str) -> None:
    (recorded / name).unlink()
    with pytest.raises(FileNotFoundError):
        check_checksum(recorded, NAMES)

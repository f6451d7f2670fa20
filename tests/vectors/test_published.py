"""What is said of a published source: its files by folder, name and checksum."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.vectors.encoder_sources import ENCODERS
from trustag.vectors.packages import Member
from trustag.vectors.published import MINILM, MINILM_BYTES, MINILM_EMBEDDINGS, MINILM_SETTINGS, members
from trustag.vectors.sources import SOURCES

NAMES = st.text(st.sampled_from("ab._"), min_size=1, max_size=4)


@given(NAMES, st.dictionaries(NAMES, NAMES))
def test_files_lie_in_their_folder_in_the_given_order(folder: str, checksums: dict[str, str]) -> None:
    assert members(folder, checksums) == tuple(Member(f"{folder}/{name}", value) for name, value in checksums.items())


def test_a_package_that_several_sources_take_files_from_is_described_once() -> None:
    sharing = [source for source in SOURCES.values() if source.package.name == MINILM.name]
    assert sharing
    for source in sharing:
        assert (source.package, source.fetched_bytes) == (MINILM, MINILM_BYTES)
    encoder = ENCODERS["minilm"]
    assert (encoder.packages, encoder.fetched_bytes) == ((MINILM,), MINILM_BYTES)
    assert encoder.files == (*MINILM_EMBEDDINGS, *MINILM_SETTINGS)

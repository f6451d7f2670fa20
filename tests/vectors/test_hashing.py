"""Keys of words: MurmurHash64A, against one word at a time in plain whole numbers."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.vectors.hashing import string_keys

MULTIPLIER = 0xC6A4A7935BD1E995
WRAP = (1 << 64) - 1


def murmur(text: bytes, seed: int = 1) -> int:
    """The hash as its author describes it, eight bytes at a time and the rest byte by byte."""
    state = seed ^ (len(text) * MULTIPLIER & WRAP)
    whole = len(text) // 8 * 8
    for start in range(0, whole, 8):
        block = int.from_bytes(text[start : start + 8], "little") * MULTIPLIER & WRAP
        block = (block ^ (block >> 47)) * MULTIPLIER & WRAP
        state = (state ^ block) * MULTIPLIER & WRAP
    if text[whole:]:
        for place, byte in enumerate(text[whole:]):
            state ^= byte << (8 * place)
        state = state * MULTIPLIER & WRAP
    state = (state ^ (state >> 47)) * MULTIPLIER & WRAP
    return state ^ (state >> 47)


@given(st.lists(st.text(max_size=20) | st.just("\ud800"), max_size=12))
def test_keys_are_those_of_the_plain_hash_in_the_order_of_the_words(words: list[str]) -> None:
    assert string_keys(words) == [murmur(word.encode(errors="surrogatepass")) for word in words]


def test_known_keys() -> None:
    assert string_keys(["coffee", "apple"]) == [3197928453018144401, 8566208034543834098]
    assert string_keys([]) == []

"""Random sentences with capitalised and other words and any labels, for property tests."""

from hypothesis import strategies as st

from trustag.text.sentences import Sentence

_WORDS = st.sampled_from(["Ann", "the", "The", "New", "York", "of", "東京", "12", "iPhone", "É", ""])
_LABELS = st.sampled_from(["O", "B-PER", "I-PER", "S-LOC", "E-LOC", None])


def _sentence(pairs: list[tuple[str, str | None]]) -> Sentence:
    return Sentence(tuple(word for word, _ in pairs), tuple(label for _, label in pairs))


TAGGED_SENTENCES = st.lists(st.lists(st.tuples(_WORDS, _LABELS), max_size=8).map(_sentence), max_size=5)

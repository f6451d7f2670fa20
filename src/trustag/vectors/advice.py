"""Which word vectors, and which encoder beside them, to recommend if the user gives no vectors."""

from collections.abc import Mapping
from typing import Final

_ANY_LANGUAGE: Final = "multilingual-subwords"
# For English, German and Spanish the best of those measured (results/vectors.json); otherwise whole-word vectors.
_BEST: Final = {
    "de": f"german-clusters+{_ANY_LANGUAGE}",
    "en": "english-clusters+english-glove",
    "es": f"spanish-clusters+{_ANY_LANGUAGE}",
    "fr": "french-spacy",
    "ja": "japanese-ginza",
    "ru": "russian-navec",
}
# The best of those measured that make a run take at most three times as long (results/scores.json, encoders.json).
_BEST_ENCODERS: Final = {"en": "minilm"}
_NAMES: Final = {
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "ja": "Japanese",
    "nl": "Dutch",
    "ru": "Russian",
}
# Words that are frequent in one of these languages and rare in all others.
_FREQUENT: Final = {
    "de": ("und", "der", "die", "das", "nicht", "ist", "mit", "für", "auf", "dem", "ein", "sich"),
    "en": ("the", "of", "and", "to", "that", "with", "was", "for", "is", "by", "from", "his"),
    "es": ("el", "los", "las", "del", "por", "con", "una", "que", "para", "su", "al", "y"),
    "fr": ("le", "les", "et", "des", "dans", "une", "est", "pour", "du", "au", "qui", "sur"),
    "ja": ("の", "に", "は", "を", "た", "が", "で", "て", "と", "も"),
    "nl": ("het", "een", "van", "en", "niet", "dat", "zijn", "voor", "op", "aan", "te", "ook"),
    "ru": ("в", "и", "на", "что", "не", "по", "из", "как", "для", "это"),
}
_LEAST_SHARE: Final = 0.03
_CLEARLY: Final = 2.0


def likely_language(counts: Mapping[str, int]) -> str | None:
    """Return the language of a text, detected from the counts of frequent words, or ``None`` if it is unclear.

    >>> likely_language({"The": 1, "end": 1, "of": 1, "the": 1, "story": 1})
    'en'
    """
    total = sum(counts.values())
    lowered: dict[str, int] = {}
    for word, count in counts.items():
        lowered[word.lower()] = lowered.get(word.lower(), 0) + count
    shares = sorted(
        ((sum(lowered.get(word, 0) for word in typical) / max(total, 1), name) for name, typical in _FREQUENT.items()),
        reverse=True,
    )
    (best, language), (second, _) = shares[:2]
    return language if best >= _LEAST_SHARE and best >= _CLEARLY * second else None


def advised(language: str | None) -> str:
    """Return the name of the recommended vectors for a language (``en``, ``de``, ...) or an unknown one (``None``)."""
    return _BEST.get(language or "", _ANY_LANGUAGE)


def advised_encoder(language: str | None) -> str | None:
    """Return the name of the encoder that is recommended for a language, where one has been measured."""
    return _BEST_ENCODERS.get(language or "")


def advice(language: str | None) -> str:
    """Return a message that recommends vectors to download.

    >>> advice("fr")
    'no word vectors are given; for French, run trustag vectors get french-spacy and pass --vectors french-spacy'
    """
    name = advised(language)
    spoken = _NAMES.get(language or "")
    whose = f"for {spoken}" if spoken else "for any language"
    message = f"no word vectors are given; {whose}, run trustag vectors get {name} and pass --vectors {name}"
    if name == _ANY_LANGUAGE:
        message += "; a GloVe, word2vec or fastText file of the language is even better: --vectors FILE"
    encoder = advised_encoder(language)
    if encoder is not None:
        message += f"; slower and usually better: also run trustag vectors get {encoder} and pass --context {encoder}"
    return message

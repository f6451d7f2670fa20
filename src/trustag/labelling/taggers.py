"""Taggers that find candidates by parts of speech, each from a package of its own; and which tagger a name means."""

import importlib
from collections.abc import Container, Iterable, Sequence
from typing import Any, Final

from trustag.errors import InputError, MissingExtraError
from trustag.labelling.candidates import CapitalsTagger, NameTagger, could_be_name, is_shouted, sentence_starts
from trustag.labelling.language_words import LanguageWords

_HANTA_MODELS: Final = {"de": "morphmodel_ger.pgz", "nl": "morphmodel_dutch.pgz", "en": "morphmodel_en.pgz"}
_PROPER: Final = ("NNP", "NE", "NP", "SPEC(deeleigen)", "N(eigen", "PROPN", "FM")
NAMES: Final = ("none", "capitals", "textblob", "hanta", "spacy:PIPELINE", "package.module:NAME")


def tagger_named(name: str, language: str, words: LanguageWords) -> NameTagger | None:
    """Return the tagger called ``name``; ``None`` for ``none``, which labels by lists alone."""
    if name == "none":
        return None
    if name == "capitals":
        return CapitalsTagger(words)
    if name == "textblob":
        return _textblob(language, words)
    if name == "hanta":
        return _hanta(language, words)
    kind, colon, which = name.partition(":")
    if kind == "spacy" and which:
        return SpacyTagger(_pipeline(which))
    if colon and which:
        return _imported(kind, which)
    raise InputError(f"unknown tagger {name!r}", remedy=f"choose one of {', '.join(NAMES)}")


class PartOfSpeechTagger:
    """Takes capitalised words for parts of names, at the start of a sentence only if a tagger calls them proper nouns.

    With ``nouns_too``, as in German, where common nouns have capital initials as well, the tagger decides everywhere.
    """

    def __init__(
        self, tag: Any, words: LanguageWords, common_words: Container[str] = frozenset(), *, nouns_too: bool = False
    ) -> None:
        self.common_words = common_words
        self._tag = tag
        self._words = words
        self._always_asked = nouns_too
        self._knows_words = common_words != frozenset()

    def names(self, document: Sequence[Sequence[str]]) -> list[list[bool]]:
        """Return for each token whether it may be a part of a name."""
        return [self._marked(tokens) for tokens in document]

    def _marked(self, tokens: Sequence[str]) -> list[bool]:
        if is_shouted(tokens):
            return [False] * len(tokens)
        tags: Iterable[str] = self._tag(list(tokens))
        starts = sentence_starts(tokens)
        return [
            could_be_name(token, self._words)
            and (tag.startswith(_PROPER) or not (starts_here or self._always_asked) or self._is_unknown(token))
            for token, tag, starts_here in zip(tokens, tags, starts, strict=True)
        ]

    def _is_unknown(self, token: str) -> bool:
        """Tell whether a token is an abbreviation, or no word of a language whose words are known."""
        if len(token) > 1 and token.isupper():
            return True
        return self._knows_words and token.lower() not in self.common_words


class SpacyTagger:
    """Takes what a pipeline of spaCy calls proper nouns for parts of names."""

    common_words: Container[str] = frozenset()

    def __init__(self, pipeline: Any) -> None:
        self._pipeline = pipeline

    def names(self, document: Sequence[Sequence[str]]) -> list[list[bool]]:
        """Return for each token whether it is a proper noun."""
        from spacy.tokens import Doc  # noqa: PLC0415 - a slow import, and the user's own pipeline needs it

        documents = self._pipeline.pipe(Doc(self._pipeline.vocab, words=list(tokens)) for tokens in document)
        return [[token.pos_ == "PROPN" for token in one] for one in documents]


def _textblob(language: str, words: LanguageWords) -> NameTagger:
    if language != "en":
        raise InputError("textblob tags English only", remedy="use --candidates hanta (de, nl, en) or capitals")
    try:
        from textblob.en import lexicon  # noqa: PLC0415
        from textblob.en.taggers import PatternTagger  # noqa: PLC0415 - a slow import
    except ImportError:
        raise MissingExtraError("the tagger textblob", "label") from None
    tagger = PatternTagger()
    common = {word for word, tag in lexicon.items() if word.islower() and not tag.startswith("NNP")}

    def tag(tokens: list[str]) -> list[str]:
        # The tagger is given text, and splits it at spaces only; it drops nothing but what looks like markup.
        found = [kind for _, kind in tagger.tag(" ".join(tokens), tokenize=False)]
        return found if len(found) == len(tokens) else ["NNP"] * len(tokens)

    return PartOfSpeechTagger(tag, words, common)


def _hanta(language: str, words: LanguageWords) -> NameTagger:
    if language not in _HANTA_MODELS:
        raise InputError(f"HanTa has no model for {language!r}", remedy=f"it has {', '.join(_HANTA_MODELS)}")
    try:
        from HanTa.HanoverTagger import HanoverTagger  # noqa: PLC0415 - loads a model
    except ImportError:
        raise MissingExtraError("the tagger HanTa", "label") from None
    tagger = HanoverTagger(_HANTA_MODELS[language])
    return PartOfSpeechTagger(
        lambda tokens: [tag for _, _, tag in tagger.tag_sent(tokens)], words, nouns_too=language == "de"
    )


def _pipeline(name: str) -> Any:
    try:
        import spacy  # noqa: PLC0415 - a slow import
    except ImportError:
        raise MissingExtraError("a pipeline of spaCy", "spacy") from None
    try:
        return spacy.load(name)
    except OSError as error:
        finding = f"spaCy cannot load {name!r} ({' '.join(str(error).split())[:200]})"
        raise InputError(finding, remedy=f"install it: python -m spacy download {name}") from None


def _imported(place: str, attribute: str) -> NameTagger:
    try:
        found: NameTagger = getattr(importlib.import_module(place), attribute)
    except Exception as error:  # noqa: BLE001 - importing runs code that is not ours
        finding = f"cannot load the tagger {place}:{attribute} ({error})"
        raise InputError(finding, remedy="check the name and the path") from None
    if not callable(getattr(found, "names", None)):
        raise InputError(f"{place}:{attribute} has no method names", remedy="see the documentation of taggers")
    return found
